import { pickValues } from "../../../../shared/model/pick-values.ts";
import type { WireOp } from "../../../../shared/protocol/mutate.ts";
import type { EditOutcome } from "./pending-edits.ts";
import type { UndoMove, UndoStep } from "./stored-undo.ts";

/** A record, or fields of it, that undo left alone. Which and why: undo-journal.ts. */
export interface UndoSkip {
  table: string;
  record: string;
  fields: string[];
  /** Who has changed them; null where the server does not say. */
  by: string | null;
  /**
   * The code of the refusal. `replaced`: the record is gone, and another one has its id. `record_changed`: it is not deleted,
   * because somebody has changed it since. `already_restored`, `unchanged`: there was nothing to do.
   */
  code: string;
}

/** A change that was undone or redone. */
interface UndoneChange {
  kind: "update" | "create" | "delete" | "restore" | "transition" | "move";
  table: string;
  record: string;
  fields: string[];
}

export interface UndoReport {
  done: number;
  /** What was done, in the order of its doing. */
  changes: UndoneChange[];
  skipped: UndoSkip[];
}

/** What was undone, and what was left alone and why. */
export function report(
  steps: readonly WireOp[],
  outcomes: readonly EditOutcome[],
  me: string,
): UndoReport {
  const skipped: UndoSkip[] = [];
  const changes: UndoneChange[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const op = steps[index];
    if (!op) continue;
    if (outcome.kind === "confirmed" && !outcome.unchanged) {
      const fields = op.op === "update" ? Object.keys(op.set) : [];
      changes.push({ kind: op.op, table: op.table, record: outcome.record, fields });
      continue;
    }
    const conflictingFields = conflictingFieldsOf(outcome);
    const fields = conflictingFields ?? (op.op === "update" ? Object.keys(op.set) : []);
    skipped.push({ table: op.table, record: outcome.record, fields, ...reasonOf(op, outcome, me) });
  }
  return { done: outcomes.length - skipped.length, changes, skipped };
}

/** Why an op has changed nothing, and who has changed the record before, if the server says so. */
function reasonOf(op: WireOp, outcome: EditOutcome, me: string): Pick<UndoSkip, "by" | "code"> {
  if (outcome.kind === "confirmed") {
    const code = op.op === "restore" ? "already_restored" : "unchanged";
    return { by: outcome.by?.name ?? null, code };
  }
  if (outcome.kind !== "refused") return { by: null, code: "dropped" };
  return { by: authorIn(outcome.detail, me), code: refusedCode(op, outcome) };
}

function refusedCode(op: WireOp, { code, detail }: Extract<EditOutcome, { kind: "refused" }>) {
  if (detail.replaced === true) return "replaced";
  return op.op === "delete" && code === "conflict" ? "record_changed" : code;
}

/** Records that were moved in a view. */
export function reportMoved({ table, moves }: UndoMove): UndoReport {
  const records = moves.flatMap((move) => move.records);
  const changes = records.map(
    (record): UndoneChange => ({ kind: "move", table, record, fields: [] }),
  );
  return { done: changes.length, changes, skipped: [] };
}

/** A transition that has no way back. */
export function skippedTransition(op: WireOp): UndoSkip {
  const { table, record = "" } = op;
  return { table, record, fields: [], by: null, code: "transition_not_allowed" };
}

/** Keeps the fields of an update that were applied while others were in conflict, so that they can be undone. */
export function keepAppliedFields(
  steps: Map<string, UndoStep>,
  key: string,
  outcome: EditOutcome,
): void {
  const step = steps.get(key);
  const conflictingFields = conflictingFieldsOf(outcome);
  if (!step || outcome.kind === "confirmed") return;
  steps.delete(key);
  if (step.op !== "update" || !conflictingFields) return;
  const isApplied = (field: string) => !conflictingFields.includes(field);
  const set = pickValues(step.set, isApplied);
  if (Object.keys(set).length > 0) {
    steps.set(key, { ...step, set, base: pickValues(step.base, isApplied) });
  }
}

/** The fields that a conflict names. */
function conflictingFieldsOf(outcome: EditOutcome): string[] | null {
  if (outcome.kind !== "refused" || outcome.code !== "conflict") return null;
  const { fields } = outcome.detail;
  return typeof fields === "object" && fields !== null ? Object.keys(fields) : null;
}

/** The name in `by` of a deletion, or in `fields.<name>.by` of a conflict: of somebody else, if the user changed fields too. */
function authorIn(detail: Readonly<Record<string, unknown>>, me: string): string | null {
  const { by, fields } = detail as { by?: unknown; fields?: Record<string, { by?: unknown }> };
  const authors = [by, ...Object.values(fields ?? {}).map((one) => one.by)].filter(isAuthor);
  const author = authors.find(({ id }) => id !== me) ?? authors[0];
  return author?.name ?? null;
}

function isAuthor(by: unknown): by is { id?: unknown; name: string } {
  return typeof by === "object" && by !== null && "name" in by && typeof by.name === "string";
}
