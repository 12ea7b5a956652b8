import { bindFilter } from "../../../../shared/filter/bind-filter.ts";
import { compareBy, type OrderLabels } from "../../../../shared/filter/compare.ts";
import type { FieldKinds, Filter } from "../../../../shared/filter/filter.ts";
import { compileFilter } from "../../../../shared/filter/matches.ts";
import { readSortKey } from "../../../../shared/filter/sort-key.ts";
import type { TextOrder } from "../../../../shared/filter/text-order.ts";
import type { Values } from "../../../../shared/model/model.ts";
import { pickValues } from "../../../../shared/model/pick-values.ts";
import type { ErrorBody } from "../../../../shared/protocol/errors.ts";
import type { Page, QueryCall, WireChange } from "../../../../shared/protocol/feed.ts";
import type { OpResult, WireOp } from "../../../../shared/protocol/mutate.ts";
import { parseVersion } from "../../../../shared/protocol/position.ts";
import type { Author } from "../../../../shared/protocol/record.ts";

interface Stored {
  values: Values;
  seq: number;
}

/** What somebody may see of the fake table. */
export interface FakeScope {
  name: string;
  filter: Filter | null;
  hidden: readonly string[];
}

export interface LoggedChange {
  seq: number;
  record: string;
  before: Values | null;
  after: Values | null;
  set: Values;
  by: Author;
  at: string;
  mutation: string;
}

/** One table of the fake server: records, a dense log, and the server's judgement of an op. */
export class FakeTable {
  readonly kinds: FieldKinds;
  readonly records = new Map<string, Stored>();
  readonly log: LoggedChange[] = [];
  /** How it sorts texts. */
  textOrder: TextOrder = "en";
  /** What linked records are called, by the field that links to them. */
  labels: OrderLabels = {};
  epoch = "e1";
  head = 0;
  floor = 0;

  readonly #now: () => number;
  /** The numbers of the order of entry, also of deleted records: one that is restored has its own again. */
  readonly #entries = new Map<string, number>();
  #lastEntry = 0;

  constructor(kinds: FieldKinds, now: () => number) {
    this.kinds = kinds;
    this.#now = now;
  }

  /** Begins another history: the log is gone, the records stay. */
  newEpoch(): void {
    this.epoch = `e${Number(this.epoch.slice(1)) + 1}`;
    this.log.length = 0;
    this.head = 0;
    this.floor = 0;
  }

  /** What a trigger of another program makes of the values of an update. */
  rewrite = (set: Values): Values => set;

  prune(): void {
    this.log.length = 0;
    this.floor = this.head;
  }

  /** Without a scope it is somebody who sees everything. */
  run(op: WireOp, mutation: string, by: Author, scope?: FakeScope): OpResult {
    const stored = this.records.get(op.record ?? "");
    const isHidden = scope && stored && !this.#matchesScope(scope)(op.record ?? "", stored.values);
    if (isHidden && op.op !== "create") return refuse(missing);
    switch (op.op) {
      case "create":
        if (stored) return refuse({ code: "duplicate", message: "There is one." });
        this.#lastEntry += 1;
        this.#entries.set(op.record ?? `r${this.head}`, this.#lastEntry);
        return this.#commit(op.record ?? `r${this.head}`, op.values, op.values, mutation, by);
      case "update":
        return stored ? this.#update(op, stored, mutation, by) : refuse(missing);
      case "delete":
        return stored ? this.#delete(op, stored, mutation, by, scope) : refuse(missing);
      case "restore":
        return stored ? this.#restored(op) : this.#restore(op, mutation, by);
      case "transition":
        return refuse({ code: "transition_not_allowed", message: "No." });
    }
  }

  #update(
    op: Extract<WireOp, { op: "update" }>,
    stored: Stored,
    mutation: string,
    by: Author,
  ): OpResult {
    const replaced = this.#replacedSince(op);
    if (replaced) return replaced;
    if (Object.values(op.set).includes("invalid")) {
      const fields = { title: { rule: "pattern", message: "Not that." } };
      return refuse({ code: "validation_failed", message: "Not allowed.", fields });
    }
    const fields: Record<string, unknown> = {};
    const set: Values = {};
    for (const [field, mine] of Object.entries(op.set)) {
      const theirs = stored.values[field] ?? null;
      const base = op.base[field] ?? null;
      if (theirs === base && mine !== base) set[field] = mine;
      else if (theirs !== mine)
        fields[field] = { base, mine, theirs, by, at: this.#changedAt(op.record, field) };
    }
    if (Object.keys(fields).length > 0) {
      return refuse({ code: "conflict", message: "Somebody was faster.", fields });
    }
    if (Object.keys(set).length === 0) return this.#unchanged(op.record);
    Object.assign(set, this.rewrite(set));
    return this.#commit(op.record, { ...stored.values, ...set }, set, mutation, by);
  }

  #changedAt(record: string, field: string): string | null {
    const isOfField = (change: (typeof this.log)[number]) =>
      change.record === record && Object.hasOwn(change.set, field);
    return this.log.findLast(isOfField)?.at ?? null;
  }

  /** Another program deletes what there is; a client what it has seen. */
  #delete(
    { record, version }: Extract<WireOp, { op: "delete" }>,
    stored: Stored,
    mutation: string,
    by: Author,
    scope?: FakeScope,
  ): OpResult {
    const seen = parseVersion(version ?? "");
    if (scope && !seen) return refuse({ code: "invalid_request", message: "No version." });
    if (seen && (seen.epoch !== this.epoch || stored.seq > seen.seq)) {
      const changes = this.log.filter((one) => one.record === record && one.seq > seen.seq);
      const shown = { base: null, mine: null, theirs: null, at: "then" };
      const fields = Object.fromEntries(
        changes.flatMap((one) =>
          Object.keys(one.set).map((field) => [field, { ...shown, by: one.by }]),
        ),
      );
      return refuse({ code: "conflict", message: "Somebody was faster.", fields });
    }
    return this.#commit(record, null, {}, mutation, by);
  }

  /** The refusal of an op on a record that was created anew since its version. */
  #replacedSince({ record, version }: { record: string; version?: string | undefined }) {
    const anew = this.#returnsSince(record, version).findLast(({ isRestore }) => !isRestore);
    if (!anew) return null;
    const message = "Another record has its id.";
    return refuse({ code: "record_deleted", message, by: anew.change.by, replaced: true });
  }

  /** The creations of a record since a version, and whether each brought back what was deleted. */
  #returnsSince(record: string, version: string | undefined) {
    const seen = version === undefined ? this.head : Number(version.split(".")[1]);
    const changes = this.log.filter((change) => change.record === record);
    return changes.flatMap((change, n) => {
      if (change.before || change.seq <= seen) return [];
      const deleted = changes[n - 1]?.before;
      return [{ change, isRestore: JSON.stringify(deleted) === JSON.stringify(change.after) }];
    });
  }

  #restored(op: Extract<WireOp, { op: "restore" }>): OpResult {
    const by = this.#returnsSince(op.record, op.version).at(-1)?.change.by;
    return this.#replacedSince(op) ?? { ...this.#unchanged(op.record), ...(by && { by }) };
  }

  #restore(
    { record, version }: Extract<WireOp, { op: "restore" }>,
    mutation: string,
    by: Author,
  ): OpResult {
    const deletion = this.log.findLast((change) => change.record === record && !change.after);
    const values = deletion?.before;
    const seen = version === undefined ? this.head : Number(version.split(".")[1]);
    if (deletion && deletion.seq > seen) {
      return refuse({ code: "record_deleted", message: "It was deleted again.", by: deletion.by });
    }
    return values ? this.#commit(record, values, values, mutation, by) : refuse(missing);
  }

  #commit(
    record: string,
    after: Values | null,
    set: Values,
    mutation: string,
    by: Author,
  ): OpResult {
    const before = this.records.get(record)?.values ?? null;
    this.head += 1;
    if (after) this.records.set(record, { values: after, seq: this.head });
    else this.records.delete(record);
    const at = new Date(this.head).toISOString();
    this.log.push({ seq: this.head, record, before, after, set, by, at, mutation });
    return this.#ok(record, this.head);
  }

  #unchanged(record: string) {
    return { ...this.#ok(record, this.head), unchanged: true as const };
  }

  #ok(record: string, seq: number) {
    return { ok: true as const, record, version: `${this.epoch}.${seq}`, seq };
  }

  /** The log after `seq` as a scope sees it. */
  project(scope: FakeScope, after: number, upto: number): WireChange[] {
    const matchesScope = this.#matchesScope(scope);
    return this.log
      .filter(({ seq }) => seq > after && seq <= upto)
      .flatMap((change): WireChange[] => {
        const { seq, record, before, set, by, at, mutation } = change;
        const wasVisible = before !== null && matchesScope(record, before);
        const isVisible = change.after !== null && matchesScope(record, change.after);
        const common = { seq, record, by, at, mutation };
        if (wasVisible && !isVisible) return [{ ...common, kind: "delete", set: {} }];
        if (!wasVisible && isVisible && change.after) {
          return [{ ...common, kind: "insert", set: strip(change.after, scope) }];
        }
        const patch = strip(set, scope);
        if (!isVisible || Object.keys(patch).length === 0) return [];
        return [{ ...common, kind: "update", set: patch }];
      });
  }

  query(call: QueryCall, scope: FakeScope): Page {
    const matchesScope = this.#matchesScope(scope);
    const bound = call.filter ? this.#bound(call.filter) : null;
    const search = call.search?.toLowerCase() ?? "";
    const found = [...this.records]
      .filter(([id, { values }]) => matchesScope(id, values) && (!bound || bound(id, values)))
      .filter(([, { values }]) => JSON.stringify(values).toLowerCase().includes(search))
      .map(([id, { values, seq }]) => {
        const entry = this.#entries.get(id) ?? null;
        return { id, version: `${this.epoch}.${seq}`, values, entry };
      });
    const sort = (call.sort ?? []).map(readSortKey);
    found.sort(compareBy(sort, this.kinds, this.textOrder, this.labels));
    const { offset = 0, limit = 100 } = call;
    const records = found
      .slice(offset, offset + limit)
      .map(({ entry: _, ...record }) => ({ ...record, values: strip(record.values, scope) }));
    return { records, total: found.length, totalExact: true, seq: this.head, epoch: this.epoch };
  }

  #matchesScope(scope: FakeScope): (id: string, values: Values) => boolean {
    return scope.filter ? this.#bound(scope.filter) : () => true;
  }

  #bound(filter: Filter): (id: string, values: Values) => boolean {
    const now = new Date(this.#now()).toISOString();
    return compileFilter(bindFilter(filter, { me: null, now }), this.kinds);
  }
}

const missing: ErrorBody = { code: "not_found", message: "There is nothing here." };

function refuse(error: ErrorBody): OpResult {
  return { ok: false, error };
}

function strip(values: Values, { hidden }: FakeScope): Values {
  return pickValues(values, (field) => !hidden.includes(field));
}
