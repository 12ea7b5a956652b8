import type { Json } from "../../../../shared/filter/filter.ts";
import { toNfc } from "../../../../shared/filter/to-nfc.ts";
import { resolveField } from "../../../../shared/model/former-names.ts";
import { findTable, type Table, type Values } from "../../../../shared/model/model.ts";
import { neededFields } from "../../../../shared/model/needed-fields.ts";
import type { EditIssue } from "../../state/edit-issues.ts";
import type { EditRef } from "../../state/record-view.ts";
import type { StoredMutation, StoredRefusal } from "../../transport/edit-storage.ts";
import type { EditParts } from "./edit-parts.ts";
import type { EditOutcome, GroupPlace, RecordEdit } from "./pending-edits.ts";
import { type PendingOp, recordKey } from "./pending-op.ts";

type CreateOp = Extract<StoredMutation["ops"][number], { op: "create" }>;

interface DraftSubmission {
  origin: StoredMutation["origin"];
  /** The step that the creation is undone with, if it has others. */
  batch?: string;
}

interface Draft {
  stored: StoredMutation;
  op: PendingOp;
  /** Whether the user has saved a value in it. */
  isTouched: boolean;
}

/**
 * New records that still need a field before they can be created. A draft is the creation of its record, stored in
 * this browser like any edit but not sent: nobody else sees it. With the edit that completes it, it is sent, once.
 * A creation that the server refuses becomes a draft again, with the reason.
 */
export class RecordDrafts {
  readonly #deps;
  readonly #drafts = new Map<string, Draft>();
  /** The ids that the server has given to records that were drafts here. */
  readonly #ids = new Map<string, string>();

  constructor(
    deps: EditParts & {
      /** Sends the draft as the creation of its record. */
      submitDraft(draft: StoredMutation, batch?: string): Promise<EditOutcome>;
      /** Whether the record has a text that is no value of it: typed, looked up, or listed as unsaved. */
      hasText(record: string): boolean;
    },
  ) {
    this.#deps = deps;
  }

  /** Those that the server has refused. */
  get refusals(): number {
    return this.issues.filter(({ kind }) => kind === "rejected").length;
  }

  /** Drafts that wait for the user, including refused ones. */
  get issues(): EditIssue[] {
    return [...this.#drafts.values()].map(({ op: { state, ref, table, record } }) => {
      const refusal = state.kind === "draft" ? state.refusal : null;
      const kind = refusal ? "rejected" : "draft";
      const message = refusal?.message ?? "";
      return { kind, edit: ref, table, record, fields: [], message, author: null };
    });
  }

  has(table: string, record: string): boolean {
    return this.#drafts.has(recordKey(table, record));
  }

  /** The id of a record now that was known by this one, as a draft or since. */
  currentId(table: string, record: string): string {
    return this.#ids.get(recordKey(table, record)) ?? record;
  }

  renamed(table: string, from: string, to: string): void {
    this.#ids.set(recordKey(table, from), to);
  }

  /** Begins a draft, or goes on with the last one that nothing was written in: neither a value nor a text that could not become one. */
  begin(table: string, values: Values, begunIn: GroupPlace | null = null): string {
    const { hasText } = this.#deps;
    const untouched = [...this.#drafts.values()].find(
      ({ op, isTouched }) => op.table === table && !isTouched && !hasText(op.record),
    );
    if (untouched) {
      untouched.stored = placed(untouched.stored, begunIn);
      this.#write(untouched, values);
      return untouched.op.record;
    }
    const { clock, editStore } = this.#deps;
    const record = clock.newId();
    const draft: StoredMutation = {
      id: clock.newId(),
      ...editStore.owner,
      order: clock.now() * 1_000,
      ops: [{ op: "create", table, record, values }],
      atomic: false,
      origin: "draft",
      draft: record,
      refusals: {},
    };
    this.#add(placed(draft, begunIn));
    return record;
  }

  /** The group that a draft was begun in, if it was one. */
  begunIn(table: string, record: string): GroupPlace | undefined {
    return this.#drafts.get(recordKey(table, record))?.stored.begunIn;
  }

  /** Takes up a draft from before a reload, or of a tab that is gone. */
  adopt(stored: StoredMutation): void {
    this.#add(stored, true);
  }

  /** Writes into a draft; sends it when nothing is missing any more. */
  edit(
    table: string,
    { record, set }: Pick<RecordEdit, "record" | "set">,
    submission: DraftSubmission,
  ): Promise<EditOutcome> {
    const draft = this.#drafts.get(recordKey(table, record));
    if (!draft) throw new Error(`There is no draft ${record} of ${table}.`);
    draft.isTouched = true;
    this.#write(draft, { ...valuesOf(draft.op), ...set });
    return this.#isComplete(draft)
      ? this.#submit(draft, submission)
      : Promise.resolve({ kind: "draft", record });
  }

  /** Throws a draft away; the answer brings it back. */
  discard(table: string, record: string): () => void {
    const draft = this.#drafts.get(recordKey(table, record));
    if (!draft) return () => {};
    this.#remove(draft);
    void this.#deps.editStore.remove([draft.stored.id]);
    return () => this.#add({ ...draft.stored, id: this.#deps.clock.newId() }, true);
  }

  /** The server has refused to create the record: it is a draft again, under another mutation. */
  refused(
    { table, record }: PendingOp,
    { user, tab, order }: StoredMutation,
    values: Values,
    refusal: StoredRefusal,
  ): void {
    const ops: CreateOp[] = [{ op: "create", table, record, values }];
    const id = this.#deps.clock.newId();
    const fields = { id, user, tab, order, ops, atomic: false, draft: record };
    this.#add({ ...fields, origin: "draft", refusals: { 0: refusal } }, true);
  }

  /** Sends a draft that was refused once more, as it is; false where there is none of that name. */
  retry({ mutation }: EditRef): boolean {
    const draft = this.#findByMutation(mutation);
    if (draft) void this.#submit(draft, { origin: "edit" });
    return draft !== undefined;
  }

  drop({ mutation }: EditRef): boolean {
    const draft = this.#findByMutation(mutation);
    if (draft) this.discard(draft.op.table, draft.op.record);
    return draft !== undefined;
  }

  #findByMutation(mutation: string): Draft | undefined {
    return [...this.#drafts.values()].find(({ stored }) => stored.id === mutation);
  }

  /** Renames fields after a change of the model. Returns the values whose field no longer exists. */
  applyModel(): { table: string; record: string; field: string; value: Json }[] {
    return [...this.#drafts.values()].flatMap((draft) => this.#applyModel(draft));
  }

  #applyModel(draft: Draft): { table: string; record: string; field: string; value: Json }[] {
    const { table: name, record } = draft.op;
    const table = findTable(this.#deps.context().model, name);
    if (!table) return [];
    const before = Object.entries(valuesOf(draft.op));
    const now = before.map(([field, value]) => [resolveField(table, field)?.name, value] as const);
    const { begunIn } = draft.stored;
    const groupField = begunIn && resolveField(table, begunIn.field)?.name;
    const isSameGroup = groupField === begunIn?.field;
    if (isSameGroup && now.every(([field], at) => field === before[at]?.[0])) return [];
    const place = begunIn && groupField !== undefined ? { ...begunIn, field: groupField } : null;
    draft.stored = placed(draft.stored, place);
    this.#write(draft, Object.fromEntries(now.filter(([field]) => field !== undefined)));
    const clearedFields = before.filter((_, at) => now[at]?.[0] === undefined);
    return clearedFields.map(([field, value]) => ({ table: name, record, field, value }));
  }

  #isComplete({ op }: Draft): boolean {
    const table = findTable(this.#deps.context().model, op.table);
    return table !== undefined && neededFields(table, valuesOf(op)).length === 0;
  }

  #add(stored: StoredMutation, isTouched = false): void {
    const [created] = stored.ops as CreateOp[];
    if (!created) return;
    const { table } = created;
    const record = stored.draft ?? created.record ?? "";
    const refusal = stored.refusals[0] ?? null;
    const ref = { mutation: stored.id, index: 0 };
    const op: PendingOp = { ref, table, record, op: created, state: { kind: "draft", refusal } };
    const key = recordKey(table, record);
    const known = this.#drafts.get(key);
    if (known) this.#remove(known);
    this.#drafts.set(key, { stored, op, isTouched });
    this.#deps.tables.overlay(table).add(op);
    void this.#deps.editStore.put([stored]);
    this.#deps.onCounts();
  }

  #remove({ op }: Draft): void {
    this.#drafts.delete(recordKey(op.table, op.record));
    this.#deps.tables.overlay(op.table).remove(op);
    this.#deps.onCounts();
  }

  #write(draft: Draft, values: Values): void {
    const op: CreateOp = { ...(draft.op.op as CreateOp), values };
    draft.op.op = op;
    draft.op.state = { kind: "draft", refusal: null };
    draft.stored = { ...draft.stored, ops: [op], refusals: {} };
    this.#deps.tables.overlay(op.table).touch(draft.op.record);
    void this.#deps.editStore.put([draft.stored]);
    this.#deps.onCounts();
  }

  /** Sent as one and the same stored mutation, so that no reload can send it and keep it as well. */
  #submit(draft: Draft, { origin, batch }: DraftSubmission): Promise<EditOutcome> {
    const { record, table } = draft.op;
    const op = draft.op.op as CreateOp;
    const id = idOf(findTable(this.#deps.context().model, table), op.values) ?? record;
    this.#remove(draft);
    return this.#deps.submitDraft({ ...draft.stored, origin, ops: [{ ...op, record: id }] }, batch);
  }
}

function placed({ begunIn: _, ...draft }: StoredMutation, begunIn: GroupPlace | null) {
  return begunIn ? { ...draft, begunIn } : draft;
}

/** The id that a record takes from its values, where the table says so. */
export function idOf(table: Table | undefined, values: Values): string | null {
  const chosen = table?.idFrom === undefined ? null : values[table.idFrom];
  return typeof chosen === "string" && chosen !== "" ? toNfc(chosen) : null;
}

function valuesOf({ op }: PendingOp): Values {
  return op.op === "create" ? op.values : {};
}
