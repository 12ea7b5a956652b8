import type { Json } from "../../../../../shared/filter/filter.ts";
import type { Field, Values } from "../../../../../shared/model/model.ts";
import type { WireOp } from "../../../../../shared/protocol/mutate.ts";
import type { ClientOrigin } from "../../../../../shared/protocol/origin.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { readOnlyReason } from "../../../records/fields/read-only-reason.ts";
import { isSameValue } from "../../../records/fields/same-value.ts";
import { runUndoStep } from "../../../records/undo.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { conflictsOf } from "../../../sync/edits/conflict-fields.ts";
import type { EditOutcome, RecordEdit } from "../../../sync/edits/pending-edits.ts";
import { idOf } from "../../../sync/edits/record-drafts.ts";
import { toast, toastFailure } from "../../../ui/toast.tsx";
import { lockedCellReason } from "../edit/locked-cell.ts";
import type { GridController } from "../grid-controller.ts";
import { draftChanges, editLimits } from "./draft-changes.ts";
import { recordCount } from "./report-outcomes.ts";

/** A value to write into a cell of a loaded record. */
export interface CellValue {
  record: RecordView;
  field: string;
  value: Json;
  /** The value that the user saw when they began, if it is not the present one. */
  base?: Json | undefined;
}

/** A text of the catalogue with a number, such as "3 cells pasted." */
type CountText = (values: { count: number }) => string;

/** A number of skipped cells, and why. */
export interface Skipped {
  count: number;
  reason: string;
}

/** What is said of a step of edits, and what belongs to it besides its cells. */
export interface Writing {
  done: CountText;
  created?: readonly Values[];
  skipped?: Skipped[];
  origin?: ClientOrigin;
}

/** What is shown of skipped cells. */
interface SkipNotice {
  text: string;
  close(): void;
}

/**
 * Writes many cells as one undoable step: one edit per record, based on the values that the user saw. Skips cells that
 * are read-only or have a conflict, and cells that have the value already. Reports what was skipped, also by the caller, with the reasons. More records than one step may hold, and new
 * records, become a draft, which the user previews and applies.
 */
export function editCells(
  grid: GridController,
  cells: readonly CellValue[],
  { done, created = [], skipped = [], origin = "grid" }: Writing,
): void {
  const edits = new Map<string, RecordEdit>();
  let count = 0;
  for (const cell of cells) {
    const { record, field, value } = cell;
    const { base = record.values[field] ?? null } = cell;
    const definition = grid.fields.get(field);
    if (!definition) continue;
    const reason = skipReason(grid, definition, cell);
    if (reason) addSkip(skipped, reason);
    else if (!isSameValue(base, value)) {
      const edit = edits.get(record.id) ?? { record: record.id, set: {}, base: {} };
      edit.set[field] = value;
      edit.base[field] = base;
      edits.set(record.id, edit);
      count += 1;
    }
  }
  const notice = reportSkips(skipped);
  if (created.length > 0 || edits.size > editLimits().MUTATION_MAX_OPS) {
    const records = recordCount(grid, created.length + edits.size);
    const ops = opsOf(grid, [...edits.values()], created);
    void draftChanges(grid, ops, { title: messages.draftTitle({ records }), origin });
  } else if (count > 0) void run(grid, [...edits.values()], count, { done, notice, origin });
}

/** Why a cell is not written. A value typed into its editor replaces one in conflict; any other would discard that unseen. */
function skipReason(
  grid: GridController,
  field: Field,
  { record, value, base }: CellValue,
): string | null {
  const locked =
    base === undefined
      ? lockedCellReason(grid, field, record)
      : readOnlyReason(grid.table, field, grid.abilities, record);
  const isMissing = field.required && value === null;
  return locked ?? (isMissing ? messages.required({ field: field.label }) : null);
}

function opsOf(
  { table }: GridController,
  edits: readonly RecordEdit[],
  created: readonly Values[],
): WireOp[] {
  return [
    ...edits.map((edit) => ({ op: "update" as const, table: table.name, ...edit })),
    ...created.map((values) => {
      const record = idOf(table, values);
      return { op: "create" as const, table: table.name, values, ...(record && { record }) };
    }),
  ];
}

/**
 * Sends the edits. If several cells were written, confirms it and offers to undo it. One message says all: it replaces that
 * of the skipped cells, which are known before the server has answered.
 */
async function run(
  grid: GridController,
  edits: RecordEdit[],
  cells: number,
  { done, notice, origin }: { done: CountText; notice: SkipNotice | null; origin: ClientOrigin },
): Promise<void> {
  const { batch, outcomes } = grid.core.edits.editMany(grid.table.name, edits, origin);
  const results = await outcomes;
  const wasRefused = (at: number) => results[at]?.kind === "refused";
  const refused = edits.filter((_, at) => wasRefused(at));
  const left = edits.reduce((sum, edit, at) => sum + refusedCells(edit, results[at]), 0);
  const saved = cells - left;
  const undoBatch =
    saved > 1 ? () => void runUndoStep(grid.core.undo, "undo", { batch }) : undefined;
  const rejected =
    refused.length > 0 && edits.length > 1
      ? messages.recordsRejected({ count: refused.length, total: edits.length })
      : null;
  const text = saved > 1 ? done({ count: saved }) : null;
  if (!rejected && !notice) {
    if (text) toast(text, undoBatch);
    return;
  }
  if (!text && !rejected) return;
  notice?.close();
  toastFailure([text, rejected, notice?.text].filter(Boolean).join(" "), undoBatch);
}

/** The cells of an edit that were not saved: of a conflict those that clash, because the others go again by themselves. */
function refusedCells({ set }: RecordEdit, outcome: EditOutcome | undefined): number {
  if (outcome?.kind !== "refused") return 0;
  const clashing = outcome.code === "conflict" ? Object.keys(conflictsOf(outcome)) : [];
  return clashing.length || Object.keys(set).length;
}

/** Undoes or redoes one step of the table. */
export function undo(
  { core, table }: GridController,
  direction: "undo" | "redo" = "undo",
): Promise<void> {
  return runUndoStep(core.undo, direction, { table: table.name });
}

export function addSkip(skipped: Skipped[], reason: string, count = 1): void {
  const known = skipped.find((skip) => skip.reason === reason);
  if (known) known.count += count;
  else skipped.push({ count, reason });
}

/** Shows one message for all skipped cells, with the most frequent reasons. */
function reportSkips(skipped: readonly Skipped[]): SkipNotice | null {
  if (skipped.length === 0) return null;
  const count = skipped.reduce((sum, skip) => sum + skip.count, 0);
  const frequent = skipped.toSorted((a, b) => b.count - a.count);
  const reasons = frequent.slice(0, 3).map((skip) => skip.reason);
  const text = messages.cellsSkipped({ count, reasons: reasons.join(" ") });
  return { text, ...toastFailure(text) };
}
