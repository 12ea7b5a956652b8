import { ownZone } from "../../../../../shared/filter/zone.ts";
import type { Values } from "../../../../../shared/model/model.ts";
import { neededFields } from "../../../../../shared/model/needed-fields.ts";
import { isReadOnly } from "../../../../../shared/model/recorded.ts";
import { governedBy } from "../../../../../shared/model/state-of.ts";
import { prefillOf } from "../../../../../shared/model/view/prefill.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { toast } from "../../../ui/toast.tsx";
import type { Desk } from "../desk.ts";
import { reportRecords } from "./report-outcomes.ts";

/**
 * Begins a new record above the rows, with what the view asks of its records, and puts the cursor into the first
 * field that needs something. It is a draft until the server can create it.
 */
export function insertRecord(desk: Desk): void {
  const { core, table, abilities, window } = desk;
  const { id, attributes } = core.user;
  const now = new Date().toISOString();
  const context = { me: { id, attributes }, now, zone: ownZone() };
  const values = prefillOf(table, window.view.filter, abilities.update, context);
  goToNew(desk, core.edits.draft(table.name, values));
}

/** Adds copies of records; what is numbered, unique or worked out is left to the server. */
export async function duplicateRecords(desk: Desk, records: readonly RecordView[]): Promise<void> {
  const copies = records.map((record) => copyOf(desk, record));
  if (copies.length === 0) return;
  const { batch, outcomes } = desk.core.edits.createMany(desk.table.name, copies);
  const [newest] = desk.window.created;
  if (newest) goToNew(desk, newest.id);
  reportRecords(desk, { batch, outcomes: await outcomes }, "duplicated");
}

/** Deletes records and discards drafts; the way back is offered, nothing is asked before. */
export async function deleteRecords(desk: Desk, records: readonly string[]): Promise<void> {
  const { edits } = desk.core;
  const isDraft = (id: string) => desk.window.get(id)?.pending === "draft";
  const drafts = records.filter(isDraft);
  const stored = records.filter((id) => !isDraft(id));
  desk.api.deselectAll();
  const restores = drafts.map((id) => edits.discard(desk.table.name, id));
  if (drafts.length > 0) {
    const what = drafts.length === 1 ? "Draft" : `${drafts.length} drafts`;
    toast(`${what} discarded.`, () => {
      for (const restore of restores) restore();
    });
  }
  if (stored.length === 0) return;
  const { batch, outcomes } = edits.deleteMany(desk.table.name, stored);
  reportRecords(desk, { batch, outcomes: await outcomes }, "deleted");
}

/** Selected records, else the one in focus. */
export function chosenRecords(desk: Desk): RecordView[] {
  const selected = desk.api.getSelectedNodes().flatMap((node) => node.data ?? []);
  if (selected.length > 0) return selected;
  const at = desk.api.getFocusedCell();
  const node =
    at?.rowPinned === "top"
      ? desk.api.getPinnedTopRow(at.rowIndex)
      : at && desk.api.getDisplayedRowAtIndex(at.rowIndex);
  return node?.data ? [node.data] : [];
}

/** What a copy begins with: its number and its state are its own. */
function copyOf({ table }: Desk, record: RecordView): Values {
  const state = governedBy(table)?.stateField;
  const kept = table.fields.filter(
    (field) => !field.automatic && !field.unique && !isReadOnly(field) && field.name !== state,
  );
  return Object.fromEntries(
    kept.flatMap(({ name }) => {
      const value = record.values[name];
      return value === null || value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Puts the cursor into the first field of a new record that is needed, or else that can be written. */
function goToNew(desk: Desk, record: string): void {
  const row = desk.window.created.findIndex(({ id }) => id === record);
  const values = desk.window.created[row]?.values ?? {};
  const needed = neededFields(desk.table, values).map(({ name }) => name);
  const isFree = (name: string) => {
    const field = desk.fields.get(name);
    return field && !field.automatic && desk.abilities.update.includes(name);
  };
  const field =
    desk.columns.find((name) => needed.includes(name)) ??
    desk.columns.find((name) => isFree(name) && (values[name] ?? null) === null) ??
    desk.columns.find(isFree);
  if (field !== undefined) desk.keys.moveTo({ record, row, field });
}
