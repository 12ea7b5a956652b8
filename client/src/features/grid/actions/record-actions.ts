import type { Values } from "../../../../../shared/model/model.ts";
import { isReadOnly } from "../../../../../shared/model/recorded.ts";
import { governedBy } from "../../../../../shared/model/state-of.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { toast } from "../../../ui/toast.tsx";
import type { Desk } from "../desk.ts";
import { goTo } from "../feed/keep-place.ts";
import { undo } from "./edit-cells.ts";

/** Adds an empty record above the rows and puts the cursor into its first field that can be written. */
export function insertRecord(desk: Desk): void {
  desk.core.edits.create(desk.table.name, {});
  focusCreated(desk);
}

/** Adds copies of records; what is numbered, unique or worked out is left to the server. */
export function duplicateRecords(desk: Desk, records: readonly RecordView[]): void {
  const copies = records.map((record) => copyOf(desk, record));
  if (copies.length === 0) return;
  desk.core.edits.createMany(desk.table.name, copies);
  toast(counted(desk, copies.length, "duplicated"), () => void undo(desk));
  focusCreated(desk);
}

/** Deletes records; the way back is offered, nothing is asked before. */
export function deleteRecords(desk: Desk, records: readonly string[]): void {
  if (records.length === 0) return;
  desk.core.edits.deleteMany(desk.table.name, records);
  desk.api.deselectAll();
  toast(counted(desk, records.length, "deleted"), () => void undo(desk));
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

function counted({ table }: Desk, count: number, verb: string): string {
  return count === 1
    ? `1 ${table.recordLabel} ${verb}.`
    : `${count} ${table.label.toLowerCase()} ${verb}.`;
}

/** A new record is drawn with the next tick of sync; it is waited for at most this many frames. */
const FRAMES_WAITED = 60;

/** Puts the cursor into the first field of a new record, as soon as its row is drawn. */
function focusCreated(desk: Desk, frames = FRAMES_WAITED): void {
  const field = desk.columns.find((name) => {
    const found = desk.fields.get(name);
    return found && !found.automatic && desk.abilities.update.includes(name);
  });
  const [newest] = desk.window.created;
  const drawn = newest && desk.api.getPinnedTopRow(0)?.data?.id === newest.id;
  if (drawn && field !== undefined) goTo(desk, 0, field);
  else if (frames > 0) requestAnimationFrame(() => focusCreated(desk, frames - 1));
}
