import { governedBy } from "../../../../../shared/model/state-of.ts";
import { undo } from "../actions/edit-cells.ts";
import { clearRange, fillDown } from "../actions/range-actions.ts";
import { chosenRecords, deleteRecords, insertRecord } from "../actions/record-actions.ts";
import type { Desk } from "../desk.ts";
import { focusedCell, goTo } from "../feed/keep-place.ts";
import { extend, rangeOf } from "../range/cell-range.ts";
import { recordInRow, rowCount } from "../range/row-map.ts";

/** What a key does in a grid whose cells are not being edited; false where it is the grid's own. */
type Command = (desk: Desk, event: KeyboardEvent) => boolean | undefined;

const always = (run: (desk: Desk) => unknown): Command => {
  return (desk) => {
    run(desk);
    return true;
  };
};

const step: Record<string, { rows: number; columns: number }> = {
  ArrowUp: { rows: -1, columns: 0 },
  ArrowDown: { rows: 1, columns: 0 },
  ArrowLeft: { rows: 0, columns: -1 },
  ArrowRight: { rows: 0, columns: 1 },
};

const commands: Record<string, Command> = {
  Delete: always(clearRange),
  Backspace: always(clearRange),
  "mod+d": always(fillDown),
  "mod+z": always((desk) => undo(desk)),
  "mod+shift+z": always((desk) => undo(desk, "redo")),
  "mod+y": always((desk) => undo(desk, "redo")),
  "mod+a": always(selectAll),
  "mod+Delete": always((desk) => deleteChosen(desk)),
  "mod+Backspace": always((desk) => deleteChosen(desk)),
  "mod+Enter": always((desk) => desk.abilities.create && insertRecord(desk)),
  "alt+Enter": always(openFocused),
  "shift+ArrowUp": grow,
  "shift+ArrowDown": grow,
  "shift+ArrowLeft": grow,
  "shift+ArrowRight": grow,
  Home: edge(false, "first"),
  End: edge(false, "last"),
  "mod+Home": edge(true, "first"),
  "mod+End": edge(true, "last"),
  Escape: collapse,
  Enter: tellOrMove,
  F2: tellOrMove,
  " ": toggleBoolean,
};

/** Runs the command of a key, if it has one here. */
export function runKey(desk: Desk, event: KeyboardEvent): boolean {
  return commands[nameOf(event)]?.(desk, event) === true;
}

/** "mod" is Ctrl, or ⌘ where that is the habit. */
function nameOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const modifiers = [
    (event.ctrlKey || event.metaKey) && "mod",
    event.altKey && "alt",
    event.shiftKey && "shift",
  ].filter(Boolean);
  return [...modifiers, key].join("+");
}

function grow(desk: Desk, event: KeyboardEvent): boolean {
  const by = step[event.key];
  const at = focusedCell(desk);
  if (!by || !at) return false;
  const range = desk.range.range ?? rangeOf(at);
  const next = extend(range, by, { rows: rowCount(desk), columns: desk.columns.length });
  desk.range.set(next);
  const above = desk.window.created.length;
  if (next.head.row >= above) desk.api.ensureIndexVisible(next.head.row - above);
  const column = desk.columns[next.head.column];
  if (column !== undefined) desk.api.ensureColumnVisible(column);
  return true;
}

/** To the first or last cell of the row, or of the whole table. */
function edge(ofTable: boolean, end: "first" | "last"): Command {
  return (desk) => {
    const at = focusedCell(desk);
    const field = end === "first" ? desk.columns[0] : desk.columns.at(-1);
    if (!at || field === undefined) return false;
    const row = end === "first" ? 0 : rowCount(desk) - 1;
    goTo(desk, ofTable ? row : at.row, field);
    return true;
  };
}

function selectAll(desk: Desk): void {
  const [rows, columns] = [rowCount(desk), desk.columns.length];
  if (rows === 0) return;
  desk.range.set({ anchor: { row: 0, column: 0 }, head: { row: rows - 1, column: columns - 1 } });
}

function collapse(desk: Desk): boolean {
  const at = focusedCell(desk);
  if (!at || !desk.range.shown) return false;
  desk.range.setCell(at);
  return true;
}

function openFocused(desk: Desk): void {
  const [record] = chosenRecords(desk);
  if (record) desk.actions.openRecord(record.id);
}

function deleteChosen(desk: Desk): void {
  if (!desk.abilities.delete) return;
  const records = chosenRecords(desk).map((record) => record.id);
  deleteRecords(desk, records);
}

/** A conflict or a refusal is read before the cell is edited again. */
function tellStory(desk: Desk): boolean {
  const at = focusedCell(desk);
  const record = at && recordInRow(desk, at.row);
  const kind = record && at ? record.cells[at.field]?.kind : undefined;
  if (!record || !at || (kind !== "conflict" && kind !== "rejected")) return false;
  desk.actions.tellStory(record.id, at.field);
  return true;
}

/** The state of a table with a workflow has no editor: its cell offers the moves instead. */
function tellOrMove(desk: Desk): boolean {
  if (tellStory(desk)) return true;
  const at = focusedCell(desk);
  const record = at && recordInRow(desk, at.row);
  if (!record || at?.field !== governedBy(desk.table)?.stateField) return false;
  desk.actions.showMoves(record.id);
  return true;
}

function toggleBoolean(desk: Desk): boolean {
  const at = focusedCell(desk);
  const record = at && recordInRow(desk, at.row);
  const field = at && desk.fields.get(at.field);
  if (!record || !field || field.type !== "boolean") return false;
  desk.actions.setCell(record, field, record.values[field.name] !== true);
  return true;
}

/** Moves down or right after an edit was confirmed by Tab. */
export function moveFrom(desk: Desk, event: KeyboardEvent): void {
  const at = focusedCell(desk);
  if (!at) return;
  const column = desk.columns[at.column + (event.shiftKey ? -1 : 1)];
  if (column !== undefined) goTo(desk, at.row, column);
}
