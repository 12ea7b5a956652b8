import { isFreeText, traitsOf } from "../../../../../shared/model/field-types.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { governedBy } from "../../../../../shared/model/state-of.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { showLockedText } from "../../../records/fields/field-edit.ts";
import { formatDay, formatTime, localText } from "../../../records/fields/instant.ts";
import { type GridCommand, gridKeys, type KeyCommand } from "../../../ui/grid-keys.ts";
import { undo } from "../actions/edit-cells.ts";
import { clearRange, deleteInRange, fillColumns, fillRows } from "../actions/range-actions.ts";
import {
  deleteRecords,
  focusedRecord,
  insertRecord,
  selectedRecords,
} from "../actions/record-actions.ts";
import { isChosen } from "../edit/hosted-editor.ts";
import { lockedCellReason, showReadOnly, typeIntoLocked } from "../edit/locked-cell.ts";
import type { GridController } from "../grid-controller.ts";
import { openLinked } from "../links/linked-place.ts";
import { moveByKey } from "../move/movable-rows.ts";
import { recordInRow, rowCount } from "../range/row-map.ts";
import { focusedCell } from "../rows/grid-focus.ts";
import { runMove } from "./move-keys.ts";
import { showCell } from "./pointer-range.ts";
import { runTab, traverseRange } from "./tab-and-enter.ts";

/** What a key does in a grid whose cells are not being edited; false where it is the grid's own. */
type Command = (grid: GridController, event: KeyboardEvent) => boolean | undefined;

const always = (run: (grid: GridController) => unknown): Command => {
  return (grid) => {
    run(grid);
    return true;
  };
};

const move: Command = (grid, event) => runMove(grid, keyName(event));
const edit: Command = (grid, event) => traverseRange(grid, event) || editCell(grid);

/** What each command of `gridKeys` does. */
const perform: Record<GridCommand, Command> = {
  moveUpDown: move,
  move,
  edit,
  editOnly: editCell,
  tab: runTab,
  enterUp: traverseRange,
  collapseRange,
  rowEnds: move,
  tableEnds: move,
  page: move,
  dataEdge: move,
  scrollToFocus: deleteOnMac,
  openChoices,
  insertDate: always((grid) => insertNow(grid, "day")),
  insertTime: always((grid) => insertNow(grid, "time")),
  find: always((grid) => grid.find.open()),
  replace: always((grid) => grid.find.open(true)),
  replaceOnMac,
  undo: always((grid) => undo(grid)),
  redo: always((grid) => undo(grid, "redo")),
  toggle: toggleBoolean,
  openRecord: always(openFocused),
  openLinked: openFocusedLink,
  // The menu listens itself: it is also that of a row, and of the pointer.
  cellMenu: () => false,
  moveRows: (grid, event) => moveByKey(grid, event.key),
  newRecord: always((grid) => grid.abilities.create && insertRecord(grid)),
  deleteRecords: always((grid) => deleteSelected(grid)),
  extendRange: move,
  selectRows: always((grid) => selectWhole(grid, { columns: true })),
  selectColumns: always((grid) => selectWhole(grid, { rows: true })),
  selectAll: always((grid) => selectWhole(grid, { rows: true, columns: true })),
  clear: always(clearRange),
  fillDown: always((grid) => fillRows(grid)),
  fillRight: always((grid) => fillColumns(grid)),
};

/** The commands by their keys. */
const commandOfKey: ReadonlyMap<string, GridCommand> = new Map(
  (Object.keys(gridKeys) as GridCommand[]).flatMap((name) =>
    gridKeys[name].keys.map((key) => [key, name] as const),
  ),
);

/** The command that a key has in the rows. */
export function commandOf(event: KeyboardEvent): GridCommand | undefined {
  return commandOfKey.get(keyName(event));
}

/** Runs the command of a key, if it has one here: on a cell, on a heading or a row for new records, or elsewhere on the page. */
export function runKey(
  grid: GridController,
  event: KeyboardEvent,
  on: "cell" | "heading" | "page" = "cell",
): boolean {
  const name = commandOf(event);
  if (name === undefined) return false;
  const { when }: KeyCommand = gridKeys[name];
  if (on === "heading" && when === undefined) return false;
  if (on === "page" && when !== "page") return false;
  return perform[name](grid, event) === true;
}

/** A key with its modifiers; "mod" is Ctrl, or ⌘ where that is the habit. */
export function keyName(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const modifiers = [
    (event.ctrlKey || event.metaKey) && "mod",
    event.altKey && "alt",
    event.shiftKey && "shift",
  ].filter(Boolean);
  return [...modifiers, key].join("+");
}

/** Selects all rows, all columns, or both, of what is selected. */
function selectWhole(
  grid: GridController,
  { rows = false, columns = false }: { rows?: boolean; columns?: boolean },
): void {
  const { range } = grid.range;
  const last = { row: rowCount(grid) - 1, column: grid.columns.length - 1 };
  if (!range || last.row < 0) return;
  const { anchor, head } = range;
  grid.range.select({
    anchor: { row: rows ? 0 : anchor.row, column: columns ? 0 : anchor.column },
    head: { row: rows ? last.row : head.row, column: columns ? last.column : head.column },
  });
}

function collapseRange(grid: GridController): boolean {
  const at = focusedCell(grid);
  const hadMarks = grid.unreadable.size > 0;
  grid.unreadable.set([]);
  if (!at || !grid.range.isShown) return hadMarks;
  grid.range.selectCell(at);
  return true;
}

function openFocused(grid: GridController): void {
  const record = focusedRecord(grid);
  if (record) grid.actions.openRecord(record.id);
}

/** The record that the cell links to, on top of its own. */
function openFocusedLink(grid: GridController): boolean {
  const at = focusedCell(grid);
  const record = at && recordInRow(grid, at.row);
  return Boolean(record && at && openLinked(grid, record, at.field));
}

/** Deletes the ticked records, or else those of whole rows that are selected, or else the focused one. */
function deleteSelected(grid: GridController): void {
  if (!grid.abilities.delete) return;
  const { isShown, parts } = grid.range;
  const isWhole = isShown && parts.every(({ fields }) => fields.length === grid.columns.length);
  const ticked = selectedRecords(grid).map(({ id }) => id);
  const focused = focusedRecord(grid);
  if (ticked.length > 0) void deleteRecords(grid, ticked);
  else if (isWhole) void deleteInRange(grid);
  else if (focused) void deleteRecords(grid, [focused.id]);
}

/** As in Excel, Ctrl and Backspace scroll to the focused cell. On a Mac, many keyboards have no other key to delete. */
function deleteOnMac(grid: GridController, { metaKey }: KeyboardEvent): boolean {
  const at = focusedCell(grid);
  if (metaKey) deleteSelected(grid);
  else if (at) showCell(grid, at);
  return true;
}

/** On a Mac, ⌘H hides the program. With Ctrl and Shift the key is the browser's. */
function replaceOnMac(grid: GridController, { metaKey }: KeyboardEvent): boolean {
  if (metaKey) grid.find.open(true);
  return metaKey;
}

/** Shows the conflict or the refusal of the cell with the focus, if it has one. */
function showEditStatus(grid: GridController, hasFocus: boolean): "conflict" | "rejected" | null {
  const at = focusedCell(grid);
  const record = at && recordInRow(grid, at.row);
  const kind = record && at ? record.cells[at.field]?.kind : undefined;
  if (!record || !at || (kind !== "conflict" && kind !== "rejected")) return null;
  grid.actions.showEditStatus(record.id, at.field, hasFocus);
  return kind;
}

/**
 * Goes on with a cell. Its conflict or refusal is shown beside it and leaves the focus in the editor, because the user may have typed on: whether
 * the server has answered by now, or a colleague has deleted the record, must not decide where the next keys go. For a conflict and a deleted
 * record the editor is one that takes text only.
 */
function editCell(grid: GridController): boolean {
  const shown = showEditStatus(grid, false);
  const isDeleted = focusedRecord(grid)?.mark === "deleted";
  if (shown === "conflict" || isDeleted) return typeIntoLocked(grid, "Enter");
  return shown === null && (showTransitions(grid) || showReadOnly(grid));
}

/** The state of a table with a workflow has no editor: its cell offers the moves instead. */
function showTransitions(grid: GridController): boolean {
  const at = focusedCell(grid);
  const record = at && recordInRow(grid, at.row);
  if (!record || at?.field !== governedBy(grid.table)?.stateField) return false;
  grid.actions.showTransitions(record.id);
  return true;
}

/** Opens the list of a cell that has one, or goes to what it says of an edit that was not saved. */
function openChoices(grid: GridController): boolean {
  if (showEditStatus(grid, true) || showTransitions(grid)) return true;
  const at = grid.api.getFocusedCell();
  const field = at && grid.fields.get(at.column.getColId());
  if (!at || !field || !isChosen(field)) return false;
  const { rowIndex, rowPinned, column } = at;
  grid.api.startEditingCell({ rowIndex, rowPinned: rowPinned ?? null, colKey: column });
  return true;
}

function toggleBoolean(grid: GridController): boolean {
  const at = focusedCell(grid);
  const record = at && recordInRow(grid, at.row);
  const field = at && grid.fields.get(at.field);
  if (!record || !field || field.type !== "boolean") return false;
  const reason = lockedCellReason(grid, field, record);
  if (reason !== null) showLockedText(reason, false);
  else grid.actions.setCell(record, field, record.values[field.name] !== true);
  return true;
}

/** Writes today's date, or the time, into the cell with the focus; into a field that has both, both. */
function insertNow(grid: GridController, part: "day" | "time"): void {
  const at = focusedCell(grid);
  const record = at && recordInRow(grid, at.row);
  const field = at && grid.fields.get(at.field);
  if (!record || !field) return;
  const reason = lockedCellReason(grid, field, record) ?? noValueReason(field, part);
  if (reason !== null) showLockedText(reason, false);
  else grid.actions.setCell(record, field, valueNow(field, part));
}

function noValueReason({ type, label }: Field, part: "day" | "time"): string | null {
  const isAnyText = isFreeText(type) && traitsOf(type).shape === undefined;
  if (isAnyText || type === "timestamp" || (type === "date" && part === "day")) return null;
  return part === "day"
    ? messages.holdsNoDate({ field: label })
    : messages.holdsNoTime({ field: label });
}

function valueNow({ type }: Field, part: "day" | "time"): string {
  const now = new Date().toISOString();
  if (type === "timestamp") return now;
  if (part === "time") return formatTime(now);
  const today = localText(now).slice(0, "YYYY-MM-DD".length);
  return type === "date" ? today : formatDay(today);
}
