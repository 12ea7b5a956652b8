import type { Json } from "../../../../shared/filter/filter.ts";
import { findTable, type Values } from "../../../../shared/model/model.ts";
import { neededFields } from "../../../../shared/model/needed-fields.ts";
import type { WireOp } from "../../../../shared/protocol/mutate.ts";
import type { EditRef } from "../../state/record-view.ts";
import { theirsOf } from "./conflict-fields.ts";
import type { EditParts } from "./edit-parts.ts";
import type { EditTracker } from "./edit-tracker.ts";
import type {
  EditOrigin,
  EditOutcome,
  GroupPlace,
  PendingEdits,
  RecordEdit,
  SubmittedEdit,
  SubmittedEdits,
} from "./pending-edits.ts";
import { idOf, type RecordDrafts } from "./record-drafts.ts";
import type { RefusedOp } from "./refused-ops.ts";

type TransitionStep = Parameters<PendingEdits["transition"]>[2];

/** Turns a user's edits into tracked ops, and applies their decisions about refused ops. */
export class EditService implements PendingEdits {
  readonly #deps;

  constructor(
    deps: EditParts & {
      tracker: EditTracker;
      drafts: RecordDrafts;
    },
  ) {
    this.#deps = deps;
  }

  edit(table: string, edit: RecordEdit, origin: EditOrigin = "edit"): SubmittedEdit {
    const { drafts } = this.#deps;
    const record = drafts.currentId(table, edit.record);
    if (drafts.has(table, record)) {
      return { record, refs: [], outcome: drafts.edit(table, { ...edit, record }, { origin }) };
    }
    return this.#submitOne(this.#updateOp(table, { ...edit, record }), origin);
  }

  editMany(
    table: string,
    known: readonly RecordEdit[],
    origin: EditOrigin = "edit",
  ): SubmittedEdits {
    const { drafts } = this.#deps;
    const edits = known.map((edit) => ({ ...edit, record: drafts.currentId(table, edit.record) }));
    const isDraft = ({ record }: RecordEdit) => drafts.has(table, record);
    const others = edits.filter((edit) => !isDraft(edit));
    const batch = this.#deps.clock.newId();
    const updates = others.map((edit) => this.#updateOp(table, edit));
    const submitted = this.#submit(updates, batch, origin);
    const outcomeOf = (edit: RecordEdit) =>
      isDraft(edit) ? drafts.edit(table, edit, { origin, batch }) : takeNext(submitted);
    return { batch, outcomes: Promise.all(edits.map(outcomeOf)) };
  }

  create(table: string, values: Values, record = this.#newId(table, values)): SubmittedEdit {
    return this.#submitOne({ op: "create", table, record, values });
  }

  draft(table: string, values: Values, begunIn: GroupPlace | null = null): string {
    return this.#deps.drafts.begin(table, values, begunIn);
  }

  begunIn(table: string, record: string): GroupPlace | undefined {
    return this.#deps.drafts.begunIn(table, record);
  }

  currentId(table: string, record: string): string {
    return this.#deps.drafts.currentId(table, record);
  }

  discard(table: string, record: string): () => void {
    return this.#deps.drafts.discard(table, record);
  }

  createMany(
    table: string,
    values: readonly Values[],
    {
      origin = "edit",
      batch = this.#deps.clock.newId(),
    }: { origin?: EditOrigin; batch?: string } = {},
  ): ReturnType<PendingEdits["createMany"]> {
    const declared = findTable(this.#deps.context().model, table);
    const isComplete = (each: Values) => !declared || neededFields(declared, each).length === 0;
    const ids = values.map((each) => this.#newId(table, each));
    const submitted = this.#submit(
      values.flatMap((each, index) =>
        isComplete(each)
          ? [{ op: "create" as const, table, record: ids[index] as string, values: each }]
          : [],
      ),
      batch,
      origin,
    );
    const created = values.map((each, index) =>
      isComplete(each)
        ? { record: ids[index] as string, outcome: takeNext(submitted) }
        : this.#draftOf(table, each),
    );
    const outcomes = Promise.all(created.map(({ outcome }) => outcome));
    return { batch, outcomes, records: created.map(({ record }) => record) };
  }

  /** A record that lacks a required value waits as a draft. */
  #draftOf(table: string, values: Values): Pick<SubmittedEdit, "record" | "outcome"> {
    const record = this.#deps.drafts.begin(table, {});
    const outcome = this.#deps.drafts.edit(table, { record, set: values }, { origin: "edit" });
    return { record, outcome };
  }

  #newId(table: string, values: Values): string {
    return idOf(findTable(this.#deps.context().model, table), values) ?? this.#deps.clock.newId();
  }

  delete(table: string, record: string, version?: string): SubmittedEdit {
    return this.#submitOne(this.#deleteOp(table, record, version));
  }

  deleteMany(table: string, records: readonly string[]): SubmittedEdits {
    const batch = this.#deps.clock.newId();
    const ops = records.map((record) => this.#deleteOp(table, record));
    return { batch, outcomes: Promise.all(this.#submit(ops, batch)) };
  }

  transition(
    table: string,
    record: string,
    step: TransitionStep,
    origin: EditOrigin = "edit",
  ): SubmittedEdit {
    return this.#submitOne({ op: "transition", table, record, ...step }, origin);
  }

  resolve(edit: EditRef, field: string, choice: "mine" | "theirs", shown?: Json): void {
    const found = this.#deps.tracker.refused.find(edit);
    if (found?.op.op.op !== "update" || !Object.hasOwn(found.op.op.set, field)) return;
    const { table, record, set } = found.op.op;
    const mine = set[field] as Json;
    const theirs = shown === undefined ? this.#theirs(found, field) : shown;
    this.drop(edit, field);
    if (choice === "theirs") return;
    const op: WireOp = {
      op: "update",
      table,
      record,
      set: { [field]: mine },
      base: { [field]: theirs },
    };
    this.#deps.tracker.submitted.submit([op], {
      origin: found.mutation.stored.origin,
      batch: found.mutation.batch ?? this.#deps.clock.newId(),
    });
  }

  #theirs({ op }: RefusedOp, field: string): Json {
    if (op.state.kind !== "refused") return null;
    return theirsOf(op.state.refusal, field, this.#deps.tables.get(op.table)?.confirmed(op.record));
  }

  retry(edit: EditRef): void {
    if (this.#deps.drafts.retry(edit)) return;
    const found = this.#deps.tracker.refused.find(edit);
    if (!found) return;
    const { op } = found.op;
    this.drop(edit);
    const again = op.op === "delete" ? this.#deleteOp(op.table, op.record) : op;
    this.#deps.tracker.submitted.submit([again], {
      origin: found.mutation.stored.origin,
      batch: found.mutation.batch ?? this.#deps.clock.newId(),
    });
  }

  drop(edit: EditRef, field?: string): void {
    if (this.#deps.drafts.drop(edit)) return;
    const { refused } = this.#deps.tracker;
    const found = refused.find(edit);
    if (!found) return;
    if (field === undefined) refused.forget(found.op);
    else refused.trim(found.op, (other) => other !== field);
    refused.persist(found.mutation);
  }

  /** A new edit of a cell replaces a refused one. */
  #updateOp(table: string, { record, set, base }: RecordEdit): WireOp {
    for (const { ref, state } of [...this.#deps.tables.overlay(table).of(record)]) {
      if (state.kind !== "refused") continue;
      for (const field of Object.keys(set)) this.#dropField(ref, field);
    }
    return { op: "update", table, record, set, base };
  }

  #dropField(ref: EditRef, field: string): void {
    const op = this.#deps.tracker.refused.find(ref)?.op.op;
    if (op?.op === "update" && Object.hasOwn(op.set, field)) this.drop(ref, field);
  }

  #deleteOp(
    table: string,
    record: string,
    version = this.#deps.tables.get(table)?.confirmed(record)?.version ?? "",
  ): WireOp {
    return { op: "delete", table, record, version };
  }

  #submitOne(op: WireOp, origin: EditOrigin = "edit"): SubmittedEdit {
    const batch = this.#deps.clock.newId();
    const [submitted] = this.#deps.tracker.submitted.submit([op], { origin, batch });
    if (!submitted) throw new Error("An op was submitted and none was taken.");
    return { record: submitted.op.record, refs: [submitted.op.ref], outcome: submitted.outcome };
  }

  #submit(
    ops: readonly WireOp[],
    batch: string,
    origin: EditOrigin = "edit",
  ): Promise<EditOutcome>[] {
    const submitted = this.#deps.tracker.submitted.submit(ops, { origin, batch });
    return submitted.map(({ outcome }) => outcome);
  }
}

function takeNext(outcomes: Promise<EditOutcome>[]): Promise<EditOutcome> {
  const [first] = outcomes.splice(0, 1);
  if (!first) throw new Error("Fewer ops were taken than submitted.");
  return first;
}
