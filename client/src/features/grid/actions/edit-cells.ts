import type { Json } from "../../../../../shared/filter/filter.ts";
import { defaultLimits } from "../../../../../shared/limits.ts";
import type { Field, Values } from "../../../../../shared/model/model.ts";
import type { WireOp } from "../../../../../shared/protocol/mutate.ts";
import type { ClientOrigin } from "../../../../../shared/protocol/record.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { changeSetAddress } from "../../../records/change-sets/change-set-address.ts";
import { namedSoFar, noteSaved } from "../../../records/fields/field-edit.ts";
import { readOnlyReason } from "../../../records/fields/read-only-reason.ts";
import { isSameValue } from "../../../records/fields/same-value.ts";
import { recordCount } from "../../../records/report-outcomes.ts";
import { runUndoStep } from "../../../records/undo.ts";
import { knownAccountData } from "../../../state/known-account.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { conflictsOf } from "../../../sync/edits/conflict-fields.ts";
import type { EditOutcome, RecordEdit } from "../../../sync/edits/pending-edits.ts";
import { idOf } from "../../../sync/edits/record-drafts.ts";
import { splitOps } from "../../../sync/edits/split-ops.ts";
import { rest } from "../../../transport/rest/rest.ts";
import { toast, toastFailure, toastProblem, toastProgress } from "../../../ui/toast.tsx";
import { lockedCellReason } from "../edit/locked-cell.ts";
import type { GridController } from "../grid-controller.ts";

/** So many new records are added at once, with Undo; of more, a preview is shown first. */
const DIRECT_NEW_MAX = 50;

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
  /** New records, and how many of their values are not merely those that the view asks for. */
  created?: readonly Values[];
  createdCells?: number;
  skipped?: Skipped[];
  origin?: ClientOrigin;
  /** How many look-ups of typed names had begun when the user made this step: later ones are typed over it. */
  namedBefore?: number;
}

/** What is shown of skipped cells. */
interface SkipNotice {
  text: string;
  close(): void;
}

/**
 * Writes many cells as one undoable step: one edit per record, based on the values that the user saw. Skips cells that
 * are read-only or have a conflict, and cells that have the value already. Reports what was skipped, also by the caller, with the reasons. More records than one step may hold, and more
 * new records than are seen at a glance, become a draft, which the user previews and applies. The user's own new records are written all the same: a draft could not name those
 * that the server does not have yet, and whether it has is a matter of milliseconds.
 */
export function editCells(
  grid: GridController,
  cells: readonly CellValue[],
  { done, created = [], createdCells = 0, skipped = [], origin = "grid", ...rest }: Writing,
): void {
  const { namedBefore = namedSoFar() } = rest;
  const edits = new Map<string, RecordEdit>();
  const ownNew = new Set<string>();
  const saved: Parameters<typeof noteSaved>[1][number][] = [];
  for (const cell of cells) {
    const { record, field, value } = cell;
    const { base = record.values[field] ?? null } = cell;
    const definition = grid.fields.get(field);
    if (!definition) continue;
    const reason = skipReason(grid, definition, cell);
    if (reason) {
      addSkip(skipped, reason);
      continue;
    }
    saved.push({ record: record.id, field, base, value });
    if (!isSameValue(base, value)) {
      const edit = edits.get(record.id) ?? { record: record.id, set: {}, base: {} };
      edit.set[field] = value;
      edit.base[field] = base;
      edits.set(record.id, edit);
      if (record.version === null || grid.rowList.isCreated(record.id)) ownNew.add(record.id);
    }
  }
  noteSaved(grid, saved, namedBefore);
  const notice = reportSkips(skipped);
  const own = [...edits.values()].filter(({ record }) => ownNew.has(record));
  const stored = [...edits.values()].filter(({ record }) => !ownNew.has(record));
  const isDraft =
    created.length > DIRECT_NEW_MAX ||
    stored.length + created.length > editLimits().MUTATION_MAX_OPS;
  const written = isDraft ? own : [...edits.values()];
  const made = isDraft ? [] : created;
  if (written.length + made.length > 0) {
    const texts = { done, notice, origin, isPart: isDraft };
    void run(grid, written, { ...texts, created: made, createdCells });
  }
  if (!isDraft) return;
  const records = recordCount(grid.table, created.length + stored.length);
  const ops = opsOf(grid, stored, created);
  void draftChanges(grid, ops, { title: messages.draftTitle({ records }), origin });
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

interface Run extends Pick<Required<Writing>, "done" | "origin" | "created" | "createdCells"> {
  notice: SkipNotice | null;
  /** The rest becomes a draft, whose preview takes the rows off the screen: what happens to these is said in any case. */
  isPart: boolean;
}

/**
 * Sends the edits. If several cells were written, confirms it and offers to undo it. One message says all: it replaces that
 * of the skipped cells, which are known before the server has answered.
 */
async function run(
  grid: GridController,
  edits: RecordEdit[],
  { done, notice, origin, isPart, created, createdCells }: Run,
): Promise<void> {
  const { name } = grid.table;
  const { batch, outcomes } = grid.core.edits.editMany(name, edits, origin);
  const additions = grid.core.edits.createMany(name, created, { origin, batch });
  const results = await outcomes;
  const added = await additions.outcomes;
  const sum = (of: (edit: RecordEdit, at: number) => number) =>
    edits.reduce((all, edit, at) => all + of(edit, at), 0);
  const notAdded = added.filter(({ kind }) => kind === "refused").length;
  // Of a new record that was refused it is not known which cells; nearly always it is all or none.
  const addedCells = notAdded < added.length ? createdCells : 0;
  const saved =
    addedCells + sum((edit, at) => Object.keys(edit.set).length - refusedCells(edit, results[at]));
  const total = edits.length + created.length;
  const all = [...results, ...added];
  const refused = all.filter(({ kind }) => kind === "refused").length;
  const drafts = all.filter(({ kind }) => kind === "draft").length;
  const isReported = saved > 1 || isPart;
  // What was written into a record that is not created yet is no step that could be undone.
  const undoBatch =
    saved > 1 && all.some(({ kind }) => kind === "confirmed")
      ? () => void runUndoStep(grid.core.undo, "undo", { batch })
      : undefined;
  const rejected =
    refused > 0 && (total > 1 || isPart)
      ? messages.recordsRejected({ count: refused, total })
      : null;
  const text = isReported && saved > 0 ? done({ count: saved }) : null;
  const waiting =
    isReported && drafts > 0
      ? messages.incomplete({ records: recordCount(grid.table, drafts) })
      : null;
  const said = [text, waiting, rejected];
  if (!rejected && !notice) {
    if (text) toast(said.filter(Boolean).join(" "), undoBatch);
    return;
  }
  if (!text && !rejected) return;
  notice?.close();
  toastFailure([...said, notice?.text].filter(Boolean).join(" "), undoBatch);
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

/** What the server takes in one request. */
function editLimits() {
  return knownAccountData()?.session.limits ?? defaultLimits;
}

/**
 * Makes a draft of many edits and opens its preview. Nothing is changed until the user applies it there.
 */
async function draftChanges(
  grid: GridController,
  ops: readonly WireOp[],
  { title, origin }: { title: string; origin: ClientOrigin },
): Promise<void> {
  const progress = toastProgress(messages.makingDraft({ count: ops.length }));
  let id: string | null = null;
  try {
    const [first = [], ...others] = splitOps(ops, editLimits());
    ({ id } = await rest("POST /change-sets", { body: { title, origin, ops: first } }));
    for (const add of others)
      await rest("PATCH /change-sets/{id}", { params: { id }, body: { add } });
    grid.actions.goTo(changeSetAddress(id));
  } catch (error) {
    // A draft of a part would look like all of it.
    if (id !== null) rest("DELETE /change-sets/{id}", { params: { id } }).catch(() => {});
    toastProblem(error);
  } finally {
    progress.close();
  }
}
