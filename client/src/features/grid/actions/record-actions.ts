import type { Filter } from "../../../../../shared/filter/filter.ts";
import type { Values } from "../../../../../shared/model/model.ts";
import { neededFields } from "../../../../../shared/model/needed-fields.ts";
import { governedBy } from "../../../../../shared/model/state-of.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { reportOutcomes } from "../../../records/report-outcomes.ts";
import type { RecordView } from "../../../state/record-view.ts";
import type { GroupPlace } from "../../../sync/edits/pending-edits.ts";
import { valuesForCopy, valuesForNew } from "../../../sync/page/new-values.ts";
import { toast, toastProblem } from "../../../ui/toast.tsx";
import type { GridController } from "../grid-controller.ts";
import { memberFilter } from "../groups/group-filter.ts";
import { nodeAt, rowOfRecord } from "../range/row-map.ts";

interface NewPlace {
  /** The group that the new record begins in, if there are groups. */
  group: GroupPlace | null;
  /** The row of the list where it begins; null for above the rows, as where the rows of its group are hidden. */
  row: number | null;
}

/**
 * Adds a new record above the rows, or in a row, prefilled to match the view, and moves the cursor to its first required
 * field. It is a draft until the server can create it. A card is filled in its panel.
 */
export function insertRecord(grid: GridController, place: NewPlace | null = null): void {
  const { core, table } = grid;
  const group = place?.group ?? null;
  const also = group && group.key !== null ? memberFilter(group) : null;
  const record = core.edits.draft(table.name, newValues(grid, also), group);
  grid.rowList.placeCreated(record, place?.row ?? null);
  if (grid.cards) grid.actions.openRecord(record);
  else focusNewRecord(grid, record);
}

/** What the view asks of its records, and a further filter. */
export function newValues(
  { table, abilities, rowList }: GridController,
  also: Filter | null = null,
): Values {
  const parts = [rowList.view.filter, also].filter((part) => part !== null);
  return valuesForNew(table, abilities, { and: parts }, rowList.view.zone);
}

/** Adds copies of records as they are now. Numbered, unique and computed fields are left to the server. */
export async function duplicateRecords(
  grid: GridController,
  records: readonly RecordView[],
): Promise<void> {
  const current = await currentRecords(grid, records).catch((error: unknown) => {
    toastProblem(error);
    return [];
  });
  const copies = current.map(({ values }) => valuesForCopy(grid.table, values));
  if (copies.length === 0) return;
  const { batch, outcomes } = grid.core.edits.createMany(grid.table.name, copies);
  const [newest] = grid.rowList.created;
  if (newest) focusNewRecord(grid, newest.id);
  reportOutcomes(grid, { batch, outcomes: await outcomes }, "duplicate");
}

/** Deletes records and discards drafts, without confirmation but with undo. */
export async function deleteRecords(
  grid: GridController,
  records: readonly string[],
): Promise<void> {
  const { edits } = grid.core;
  const isDraft = (id: string) => grid.rowList.get(id)?.pending === "draft";
  const drafts = records.filter(isDraft);
  const stored = records.filter((id) => !isDraft(id));
  grid.api.deselectAll();
  const restores = drafts.map((id) => edits.discard(grid.table.name, id));
  if (drafts.length > 0) {
    toast(messages.draftsDiscarded({ count: drafts.length }), () => {
      for (const restore of restores) restore();
    });
  }
  if (stored.length === 0) return;
  const { batch, outcomes } = edits.deleteMany(grid.table.name, stored);
  const results = await outcomes;
  reportOutcomes(grid, { batch, outcomes: results }, "delete");
  // What a colleague deletes stays, marked, until the user goes on; what they delete themselves leaves at once.
  if (results.some(({ kind }) => kind === "confirmed")) grid.rowList.realign();
}

/** The records whose boxes are ticked. The grid does not follow the values of those whose rows it does not hold any more. */
export function selectedRecords({ api, rowList }: GridController): RecordView[] {
  return api.getSelectedNodes().flatMap(({ data }) => (data && rowList.get(data.id)) ?? data ?? []);
}

/** The record of the cell that has the focus. */
export function focusedRecord(grid: GridController): RecordView | undefined {
  const at = grid.api.getFocusedCell();
  return at ? nodeAt(grid, at)?.data : undefined;
}

/** The records as they are now, without deleted ones. Those that are not held any more are read again. */
async function currentRecords(
  { session, rowList }: GridController,
  records: readonly RecordView[],
): Promise<RecordView[]> {
  const read = (id: string) => session.hold(id).finally(() => session.release(id));
  const current = await Promise.all(records.map(({ id }) => rowList.get(id) ?? read(id)));
  return current.flatMap((record) => (record && record.mark !== "deleted" ? record : []));
}

/** Moves the cursor to the field of a new record that is filled first. */
function focusNewRecord(grid: GridController, record: string): void {
  const row = rowOfRecord(grid, record);
  const field = firstToFill(grid, grid.rowList.get(record)?.values ?? {});
  if (field !== undefined) grid.keys.moveTo({ record, row, field });
}

/** The first required field of a new record, or else the first writable one. */
export function firstToFill(grid: GridController, values: Readonly<Values>): string | undefined {
  const needed = neededFields(grid.table, values).map(({ name }) => name);
  const fillable = grid.columns.filter((name) => isFillable(grid, name));
  return (
    grid.columns.find((name) => needed.includes(name)) ??
    fillable.find((name) => (values[name] ?? null) === null) ??
    fillable[0]
  );
}

/** The next field of a new record that is filled by typing, in the direction of `step`: no state, which only transitions change. */
export function nextToFill(grid: GridController, field: string, step: 1 | -1): string | undefined {
  const state = governedBy(grid.table)?.stateField;
  const fillable = grid.columns.filter(
    (name) => name === field || (name !== state && isFillable(grid, name)),
  );
  return fillable[fillable.indexOf(field) + step];
}

function isFillable({ fields, abilities }: GridController, name: string): boolean {
  const field = fields.get(name);
  return field !== undefined && !field.automatic && abilities.update.includes(name);
}
