import type { Json } from "../../shared/filter/filter.ts";
import { findTable, type Model, type Table, type Values } from "../../shared/model/model.ts";
import { type ErrorBody, Refusal } from "../../shared/protocol/errors.ts";
import type { Origin } from "../../shared/protocol/record.ts";
import type { Identity } from "../auth/identity.ts";
import { withReadableChecks } from "../policy/visible-model.ts";
import type { Database } from "../store/database.ts";
import { type LoadedRows, loadWithoutLocks } from "../store/load-for-write.ts";
import { requireModel } from "../store/published-model.ts";
import { evaluateWithHistory } from "./change-history.ts";
import { evaluateOp } from "./evaluate-op.ts";
import { type EvaluationContext, instant } from "./evaluation-context.ts";
import { mutationOf, type Op, withCurrentModelNames } from "./op.ts";
import { linkedRecords, recordKey, requestFor } from "./touched-records.ts";
import { WorkingSet } from "./working-set.ts";

/** What an op would do: the record before and after it, or why it would be refused. */
export type DryResult =
  | { ok: true; kind: "insert" | "update" | "delete" | null; before: Values | null; after: Values }
  | { ok: false; error: ErrorBody };

/** The records that ops name, by their keys (`recordKey`): those named twice are remembered between chunks. */
export class NamedRecords {
  readonly #once = new Set<string>();
  readonly #again = new Set<string>();

  add(op: Op, model: Model): void {
    const links = [...linkedRecords(op, model)].map(({ table, record }) =>
      recordKey(table, record),
    );
    for (const key of [recordKey(op.table, op.record ?? ""), ...links]) {
      (this.#once.has(key) ? this.#again : this.#once).add(key);
    }
  }

  isShared(table: string, record: string): boolean {
    return this.#again.has(recordKey(table, record));
  }
}

/**
 * Evaluates ops as a commit would, chunk by chunk, each op after all those before it, and after those that have created the given
 * records; only rules and guards that compare what the author may not read are left to the commit. Locks and writes nothing. Holds one chunk in memory, and what later ops need of earlier ones.
 */
export class DryRun {
  readonly #deps: { database: Database; model: () => Model };
  readonly #identity: Identity;
  readonly #named: NamedRecords;
  readonly #origin: Origin | undefined;
  /** Shared records as earlier chunks leave them; null where they are deleted. */
  readonly #records = new Map<string, Map<string, Values | null>>();
  /** By table and field: values that earlier chunks have taken (by which record) or freed (null). */
  readonly #uniques = new Map<string, Map<string, string | null>>();

  constructor(
    deps: { database: Database; model: () => Model },
    identity: Identity,
    named: NamedRecords,
    {
      created = new Map(),
      origin,
    }: {
      created?: ReadonlyMap<string, ReadonlyMap<string, Values>>;
      origin?: Origin | undefined;
    } = {},
  ) {
    this.#origin = origin;
    this.#deps = deps;
    this.#identity = identity;
    this.#named = named;
    for (const [table, records] of created) this.#records.set(table, new Map(records));
  }

  /** The results of the next ops, in their order. */
  async evaluate(ops: Op[]): Promise<DryResult[]> {
    const { database, model: get } = this.#deps;
    const model = get();
    const mutation = withCurrentModelNames(
      model,
      mutationOf(this.#identity, { id: "", ops, origin: this.#origin }),
    );
    const loaded = await loadWithoutLocks(
      database,
      requestFor([mutation], model, { lock: "none" }),
    );
    requireModel(loaded, model);
    this.#restore(loaded);
    const rows = new WorkingSet(loaded);
    const now = instant();
    const checked = withReadableChecks(model, mutation.subject);
    const results = await evaluateWithHistory(database.pool, (history) => {
      rows.rollback(0);
      const context = { model: checked, mutation, rows, history, now };
      return mutation.ops.map((op) => evaluateDry(op, context));
    });
    for (const [index, op] of mutation.ops.entries()) {
      this.#remember(op, findTable(model, op.table), results[index] as DryResult);
    }
    return results;
  }

  /** Applies the results of earlier chunks to the stored rows. */
  #restore({ records, targets, uniques }: LoadedRows): void {
    for (const [table, shared] of this.#records) {
      for (const rows of [records.get(table), targets.get(table)]) {
        for (const [id, values] of shared) {
          if (values) rows?.set(id, values);
          else rows?.delete(id);
        }
      }
    }
    for (const [key, holders] of uniques) {
      const earlier = this.#uniques.get(key);
      if (earlier) uniques.set(key, new LaterHolders(holders, earlier));
    }
  }

  #remember(op: Op, table: Table | undefined, result: DryResult): void {
    if (!result.ok || !table || result.kind === null || op.record === undefined) return;
    const after = result.kind === "delete" ? null : result.after;
    if (this.#named.isShared(table.name, op.record)) {
      partOf(this.#records, table.name).set(op.record, after);
    }
    for (const { name, unique } of table.fields) {
      if (!unique) continue;
      const holders = partOf(this.#uniques, `${table.name}.${name}`);
      const [old, next] = [result.before?.[name] ?? null, after?.[name] ?? null];
      if (old === next) continue;
      if (old !== null) holders.set(textOf(old), null);
      if (next !== null) holders.set(textOf(next), op.record);
    }
  }
}

/** The records that hold unique values after earlier chunks, and then this one. Those of earlier chunks are looked up: there may be as many as ops. */
class LaterHolders extends Map<string, string> {
  readonly #stored: ReadonlyMap<string, string>;
  readonly #earlier: ReadonlyMap<string, string | null>;
  readonly #freed = new Set<string>();

  constructor(stored: ReadonlyMap<string, string>, earlier: ReadonlyMap<string, string | null>) {
    super();
    this.#stored = stored;
    this.#earlier = earlier;
  }

  override get(value: string): string | undefined {
    const taken = super.get(value);
    if (taken !== undefined || this.#freed.has(value)) return taken;
    const before = this.#earlier.get(value);
    return before === undefined ? this.#stored.get(value) : (before ?? undefined);
  }

  override set(value: string, record: string): this {
    this.#freed.delete(value);
    return super.set(value, record);
  }

  override delete(value: string): boolean {
    this.#freed.add(value);
    return super.delete(value);
  }
}

const textOf = (value: Json) => String(value);

function partOf<Value>(parts: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  const found = parts.get(key) ?? new Map<string, Value>();
  parts.set(key, found);
  return found;
}

function evaluateDry(op: Op, context: EvaluationContext): DryResult {
  const table = findTable(context.model, op.table);
  const before = table ? context.rows.record(table, op.record ?? "") : null;
  try {
    const { write } = evaluateOp(op, context);
    if (!write) return { ok: true, kind: null, before, after: before ?? {} };
    return { ok: true, kind: write.kind, before, after: write.row };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, error: error.toBody() };
    throw error;
  }
}
