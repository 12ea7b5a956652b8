import { governedBy } from "../../../../../shared/model/state-of.ts";
import { undo } from "../actions/edit-cells.ts";
import { clearRange, fillDown } from "../actions/range-actions.ts";
import { deleteRecords, insertRecord, selectedRecords } from "../actions/record-actions.ts";
import type { GridController } from "../grid-controller.ts";
import { extend, rangeOf } from "../range/cell-range.ts";
import { recordInRow, rowCount } from "../range/row-map.ts";
import { focusCell, focusedCell } from "../rows/grid-focus.ts";

/** What a key does in a grid whose cells are not being edited; false where it is the grid's own. */
type Command = (grid: GridController, event: KeyboardEvent) => boolean | undefined;

const always = (run: (grid: GridController) => unknown): Command => {
  return (grid) => {
    run(grid);
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
  "mod+z": always((grid) => undo(grid)),
  "mod+shift+z": always((grid) => undo(grid, "redo")),
  "mod+y": always((grid) => undo(grid, "redo")),
  "mod+a": always(selectAll),
  "mod+Delete": always((grid) => deleteSelected(grid)),
  "mod+Backspace": always((grid) => deleteSelected(grid)),
  "mod+Enter": always((grid) => grid.abilities.create && insertRecord(grid)),
  "alt+Enter": always(openFocused),
  "shift+ArrowUp": extendRange,
  "shift+ArrowDown": extendRange,
  "shift+ArrowLeft": extendRange,
  "shift+ArrowRight": extendRange,
  Home: goToEdge(false, "first"),
  End: goToEdge(false, "last"),
  "mod+Home": goToEdge(true, "first"),
  "mod+End": goToEdge(true, "last"),
  Escape: collapseRange,
  Enter: showStatusOrTransitions,
  F2: showStatusOrTransitions,
  " ": toggleBoolean,
};

/** Runs the command of a key, if it has one here. */
export function runKey(grid: GridController, event: KeyboardEvent): boolean {
  return commands[nameOf(event)]?.(grid, event) === true;
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

function extendRange(grid: GridController, event: KeyboardEvent): boolean {
  const by = step[event.key];
  const at = focusedCell(grid);
  if (!by || !at) return false;
  const range = grid.range.range ?? rangeOf(at);
  const next = extend(range, by, { rows: rowCount(grid), columns: grid.columns.length });
  grid.range.set(next);
  const above = grid.window.created.length;
  if (next.head.row >= above) grid.api.ensureIndexVisible(next.head.row - above);
  const column = grid.columns[next.head.column];
  if (column !== undefined) grid.api.ensureColumnVisible(column);
  return true;
}

/** To the first or last cell of the row, or of the whole table. */
function goToEdge(ofTable: boolean, end: "first" | "last"): Command {
  return (grid) => {
    const at = focusedCell(grid);
    const field = end === "first" ? grid.columns[0] : grid.columns.at(-1);
    if (!at || field === undefined) return false;
    const row = end === "first" ? 0 : rowCount(grid) - 1;
    focusCell(grid, ofTable ? row : at.row, field);
    return true;
  };
}

function selectAll(grid: GridController): void {
  const [rows, columns] = [rowCount(grid), grid.columns.length];
  if (rows === 0) return;
  grid.range.set({ anchor: { row: 0, column: 0 }, head: { row: rows - 1, column: columns - 1 } });
}

function collapseRange(grid: GridController): boolean {
  const at = focusedCell(grid);
  if (!at || !grid.range.shown) return false;
  grid.range.setCell(at);
  return true;
}

function openFocused(grid: GridController): void {
  const [record] = selectedRecords(grid);
  if (record) grid.actions.openRecord(record.id);
}

function deleteSelected(grid: GridController): void {
  if (!grid.abilities.delete) return;
  const records = selectedRecords(grid).map((record) => record.id);
  deleteRecords(grid, records);
}

/** A conflict or a refusal is read before the cell is edited again. */
function showEditStatus(grid: GridController): boolean {
  const at = focusedCell(grid);
  const record = at && recordInRow(grid, at.row);
  const kind = record && at ? record.cells[at.field]?.kind : undefined;
  if (!record || !at || (kind !== "conflict" && kind !== "rejected")) return false;
  grid.actions.showEditStatus(record.id, at.field);
  return true;
}

/** The state of a table with a workflow has no editor: its cell offers the moves instead. */
function showStatusOrTransitions(grid: GridController): boolean {
  if (showEditStatus(grid)) return true;
  const at = focusedCell(grid);
  const record = at && recordInRow(grid, at.row);
  if (!record || at?.field !== governedBy(grid.table)?.stateField) return false;
  grid.actions.showTransitions(record.id);
  return true;
}

function toggleBoolean(grid: GridController): boolean {
  const at = focusedCell(grid);
  const record = at && recordInRow(grid, at.row);
  const field = at && grid.fields.get(at.field);
  if (!record || !field || field.type !== "boolean") return false;
  grid.actions.setCell(record, field, record.values[field.name] !== true);
  return true;
}

/** Moves down or right after an edit was confirmed by Tab. */
export function focusNeighbourCell(grid: GridController, event: KeyboardEvent): void {
  const at = focusedCell(grid);
  if (!at) return;
  const column = grid.columns[at.column + (event.shiftKey ? -1 : 1)];
  if (column !== undefined) focusCell(grid, at.row, column);
}
