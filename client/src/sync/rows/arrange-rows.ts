import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import type { Values } from "../../../../shared/model/model.ts";
import type { WireChange } from "../../../../shared/protocol/feed.ts";
import type { RecordMark, RecordView } from "../../state/record-view.ts";
import type { OwnRows } from "./own-rows.ts";
import { type RowTable, RUN_ROWS, type Span } from "./row-table.ts";
import type { ViewEvaluator, ViewRecord } from "./view-query.ts";

/**
 * What happens to the rows of a table, as functions that ask no server and wait for nothing: `place` gives records of a page their
 * rows, `mark` says which rows are no longer the place of their records, `evict` frees rows, `align` and `alignInPlace` carry over
 * into a table read anew what stays. `admit` and `hasMovedIn` decide which records without a row wait, `placeCreated` and `endBegun`
 * where the user's new records are. `shiftBefore` and `countRows` relate the rows to the server's order, which differs by the rows that
 * stay where they are and by the records that wait.
 */

/** Rows that a list holds at most; a grid's cache (block size × blocks) must be no larger than half. */
export const ROWS_MAX = 4_000;
/** A row is compared with neighbours at most this far away, since many rows may be displaced at once. */
const NEIGHBOUR_REACH_ROWS = 64;
/** How many rows before a span are searched for one that is in order. */
const SHIFT_REACH_ROWS = 200;

type ViewOf = (id: string) => RecordView | undefined;

/**
 * Puts records of the view, in its order, into the empty rows of a span: others may have been filled meanwhile. No record gets a second
 * row, nor one that waits or `isElsewhere`. Returns those that got one, the next empty row, and how many are left for the rows behind the span.
 */
export function place(
  table: RowTable,
  ids: Iterable<string>,
  { start, end }: Span,
  isElsewhere: (id: string) => boolean,
): { placed: string[]; next: number; left: number } {
  const placed: string[] = [];
  let left = 0;
  const nextEmpty = (from: number) => {
    let row = from;
    while (row < end && table.at(row) !== undefined) row += 1;
    return row;
  };
  let row = nextEmpty(start);
  for (const id of ids) {
    if (table.has(id) || table.waiting.has(id) || isElsewhere(id)) continue;
    if (row >= end) {
      left += 1;
      continue;
    }
    table.set(row, id);
    placed.push(id);
    row = nextEmpty(row + 1);
  }
  return { placed, next: row, left };
}

/** What evaluating rows has changed. */
export interface Marked {
  /** The rows that have another mark. */
  changed: string[];
  /** So many records more belong to the view. */
  more: number;
  /** Only the server can evaluate these. */
  unknown: string[];
}

/**
 * Evaluates the marks of rows: first those that are where the server placed them, then the others from the top, each compared with rows
 * already evaluated. The view has `rowCount` rows.
 */
export function mark(
  table: RowTable,
  ids: Iterable<string>,
  rowCount: number,
  view: ViewOf,
): Marked {
  const marked: Marked = { changed: [], more: 0, unknown: [] };
  const rows = [...ids].filter((id) => table.has(id));
  rows.sort((a, b) => table.indexOf(a) - table.indexOf(b));
  const isPlaced = (id: string) => {
    const record = view(id);
    return record !== undefined && table.isPlaced(record) === true;
  };
  // They may be displaced themselves, so nothing is compared with them.
  const notEvaluated = new Set(rows.filter((id) => !isPlaced(id)));
  const placed = rows.filter((id) => !notEvaluated.has(id));
  for (const id of [...placed, ...notEvaluated]) {
    notEvaluated.delete(id);
    const record = view(id);
    if (!record) continue;
    const next = markOf(table, record, { rowCount, view, notEvaluated });
    const more = next === undefined ? null : table.setMark(id, next);
    if (next === undefined) marked.unknown.push(id);
    if (more === null) continue;
    marked.changed.push(id);
    marked.more += more;
  }
  return marked;
}

/**
 * The mark for a record in its present row; undefined if only the server knows. A row that the server gave a record by its present values is
 * never out of place: the browser's order may differ, and the same rows would be put in order again and again. Where the browser lacks
 * a label, a record that has changed what decides its place counts as moved: the next alignment knows.
 */
function markOf(
  table: RowTable,
  record: RecordView,
  {
    rowCount,
    view,
    notEvaluated,
  }: { rowCount: number; view: ViewOf; notEvaluated: ReadonlySet<string> },
): RecordMark | null | undefined {
  if (record.mark === "deleted") return "deleted";
  if (table.begun.has(record.id)) return null;
  const { evaluator } = table;
  const matches = evaluator.matches(record);
  if (matches === null) return undefined;
  if (!matches) return "gone";
  const row = table.indexOf(record.id);
  const isPlaced = table.isPlaced(record);
  if (isPlaced === true) return null;
  // Among records that are equal in all sort fields a new one is the last. One that has become equal to them may belong anywhere.
  const isTieMisplaced = (step: 1 | -1) => (isPlaced === null ? step === 1 : true);
  const isMisplaced = (step: 1 | -1) => {
    const other = table.nearestInOrder(row, step, NEIGHBOUR_REACH_ROWS, notEvaluated);
    const neighbour = other === undefined ? undefined : view(other);
    // Beyond the loaded rows it may belong to any of those that are not.
    const isEdge = step === -1 ? row === 0 : row >= rowCount - 1;
    if (neighbour === undefined) return isPlaced === false && !isEdge;
    const order = evaluator.compare(record, neighbour) * step;
    return order === 0 ? isTieMisplaced(step) : order > 0 || Number.isNaN(order);
  };
  return isMisplaced(-1) || isMisplaced(1) ? "moved" : null;
}

/**
 * Frees the least recently requested rows until the limit holds. Visible rows stay, displaced ones, which show how far the local order
 * differs from the server's, and those that are not `isEvictable`.
 */
export function evict(table: RowTable, visible: Span, isEvictable: (id: string) => boolean): void {
  for (const run of table.leastUsed()) {
    if (table.size <= ROWS_MAX) break;
    const start = run * RUN_ROWS;
    if (start < visible.end && start + RUN_ROWS > visible.start) continue;
    const rows = table.loaded(start, start + RUN_ROWS).filter((row) => {
      const id = table.at(row) ?? "";
      return !table.marks.has(id) && !table.begun.has(id) && isEvictable(id);
    });
    table.clear(rows);
    table.forgetRun(run);
  }
}

/**
 * The table `next`, with its visible rows read, takes the place of `before`: each row is where the order and the filter want it. Rows in
 * edit keep their place (C30), and the user's new records that the server lacked stay in the row where they began. The stored ones
 * leave the place above the rows, unless the user has come to one since. `total` records belong to the view. Returns the
 * new records that the server has stored since `next` was begun.
 */
export function align(before: RowTable, next: RowTable, own: OwnRows, total: number): string[] {
  const occupied = next.leaving.filter((id) => own.isOccupied(id) && own.isAbove(id));
  next.leaving = next.leaving.filter((id) => !occupied.includes(id));
  for (const id of occupied) next.remove(id);
  const stored = carryOverBegun(before, next, own, total);
  for (const id of own.above) next.waiting.remove(id);
  for (const id of own.edited) {
    if (before.has(id) && !next.has(id)) next.insert(before.indexOf(id), id);
  }
  own.remove(next.leaving);
  return stored;
}

/**
 * Gives new records that began in a row their places in a new order: of the same view below the row that they were below, with an open
 * editor the row that they had, else above the rows. Returns those that the server has stored since the new order was begun.
 */
function carryOverBegun(before: RowTable, next: RowTable, own: OwnRows, total: number): string[] {
  const isSameView = deepEqual(before.view, next.view);
  const stored: string[] = [];
  for (const id of own.placed) {
    if (next.has(id) || next.stored.includes(id)) continue;
    if (!before.has(id) || !(isSameView || own.isEdited(id))) {
      own.setPlaced(id, false);
      continue;
    }
    if (own.isEdited(id)) next.insert(before.indexOf(id), id);
    else next.insertLike(before, id, total);
    if (own.isMyCreate(id)) next.begun.add(id);
    else stored.push(id);
  }
  return stored;
}

/**
 * The table `next` of the same view takes the place of `before`, and no row moves: what has left the view since keeps its row, what has
 * come into it waits, and the user's new records stay where they are. Only the rows `asked` were read: of the others, those stay that
 * were found. Returns whether rows are to be read again: some are not loaded any more, and there may be others.
 */
export function alignInPlace(
  before: RowTable,
  next: RowTable,
  own: OwnRows,
  {
    asked,
    rowCount,
    valuesOf,
  }: {
    asked: Span;
    rowCount: number;
    /** The values of a record that is not deleted. */
    valuesOf(id: string): Readonly<Values> | undefined;
  },
): boolean {
  next.leaving = [];
  next.clear(own.above.map((id) => next.indexOf(id)));
  const placed = new Set(own.placed);
  const doesStay = (id: string, row: number) =>
    (row >= asked.start && row < asked.end) || own.isEdited(id) || placed.has(id);
  const found = next.rows();
  const isFound = new Set(found.map(([, id]) => id));
  const rows = new Map(before.rows().filter(([row, id]) => isFound.has(id) || doesStay(id, row)));
  // What `before` did not have fills rows that it had not loaded; the rest waits.
  let above: number | null = null;
  for (const [at, id] of found) {
    const row: number = above === null ? at : above + 1;
    if (before.has(id)) above = before.indexOf(id);
    else if (row < rowCount && !rows.has(row)) {
      rows.set(row, id);
      above = row;
    } else {
      const values = valuesOf(id);
      if (values) next.waiting.add({ id, values });
    }
  }
  next.replaceRows(rows);
  carryOverMarks(before, next, isFound);
  for (const id of [...own.above, ...next.ids()]) next.waiting.remove(id);
  return before.size !== next.size || [...before.ids()].some((id) => !next.has(id));
}

/** A record that was not found again is none of the view's, unless it is being created. */
function carryOverMarks(before: RowTable, next: RowTable, isFound: ReadonlySet<string>): void {
  for (const id of next.ids()) {
    if (!before.has(id)) continue;
    next.keepPlace(before, id);
    const isBegun = before.begun.has(id);
    const mark = before.marks.get(id) ?? (isFound.has(id) || isBegun ? null : "gone");
    if (mark) next.setMark(id, mark);
    if (isBegun) next.begun.add(id);
  }
}

/**
 * Moves a new record into a row, or above the rows for null, from where it is: a draft that nothing was written in begins again. Returns
 * how many rows there are more; null if it can't be moved.
 */
export function placeCreated(
  table: RowTable,
  own: OwnRows,
  id: string,
  row: number | null,
): number | null {
  const from = table.begun.has(id) ? table.indexOf(id) : -1;
  if (from < 0 && (row === null || table.has(id) || !own.isAbove(id))) return null;
  own.setPlaced(id, row !== null);
  table.remove(id);
  if (row === null) return -1;
  table.insert(from >= 0 && from < row ? row - 1 : row, id);
  table.begun.add(id);
  return from < 0 ? 1 : 0;
}

/**
 * The server has said which records of those `unknown` belong to the view: these wait. One that has not come into it, but may have moved
 * within it, waits only if its new place is among loaded rows: else it will be there when that is loaded.
 */
export function admit(
  table: RowTable,
  unknown: ReadonlyMap<string, boolean>,
  found: ReadonlyMap<string, Readonly<Values>>,
  rowCount: number,
  view: ViewOf,
): void {
  for (const [id, isEntering] of unknown) {
    const values = found.get(id);
    if (!values) table.waiting.remove(id);
    else if (table.has(id)) continue;
    else if (isEntering || isAmongRows(table, { id, values }, rowCount, view) !== false)
      table.waiting.add({ id, values });
  }
}

/**
 * Whether a record without a row may have moved among loaded rows by a change: null if only the server knows, because the change does
 * not say whether it belongs to the view, or how it compares with them.
 */
export function hasMovedIn(
  table: RowTable,
  { record: id, set: values }: WireChange,
  rowCount: number,
  view: ViewOf,
): boolean | null {
  const { evaluator } = table;
  if (!evaluator.mayMove(Object.keys(values))) return false;
  const order = evaluator.orderBy(values);
  const isAmong = isAmongRows(table, { id, values }, rowCount, view, order);
  if (isAmong !== true) return isAmong;
  return evaluator.isAll && order.isTotal ? true : null;
}

/**
 * Whether the place of a record is among loaded rows: between two of them without a gap, above the first row, or below the last. Among
 * records that are equal in all sort fields it may be. Null where the browser can't know, because it lacks a label.
 */
function isAmongRows(
  table: RowTable,
  record: ViewRecord,
  rowCount: number,
  view: ViewOf,
  { compare }: Pick<ViewEvaluator, "compare"> = table.evaluator,
): boolean | null {
  const rows = table.inOrder;
  let isKnown = true;
  const countUpTo = (most: 0 | -1) => {
    const isBefore = (at: number) => {
      const row = view(rows[at]?.[1] ?? "");
      const order = row === undefined ? 1 : compare(row, record);
      if (Number.isNaN(order)) isKnown = false;
      return Math.sign(order) <= most;
    };
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const before = countUpTo(-1);
  const isTie = countUpTo(0) > before;
  if (!isKnown) return null;
  if (isTie) return true;
  const [above] = rows[before - 1] ?? [-1];
  const [below] = rows[before] ?? [rowCount];
  return table.missing(above + 1, below) === null;
}

/**
 * Of the touched records, new ones that the server has by now are rows like others. Returns how many were discarded, whose rows are
 * gone.
 */
export function endBegun(
  table: RowTable,
  own: OwnRows,
  touched: Iterable<string>,
  view: ViewOf,
): number {
  let discarded = 0;
  for (const id of touched) {
    if (!table.begun.has(id) || own.isMyCreate(id)) continue;
    table.begun.delete(id);
    if (view(id)) continue;
    table.remove(id);
    own.remove([id]);
    discarded += 1;
  }
  return discarded;
}

/**
 * How far the server's order has moved against the rows before `start`. What may be before the boundary or behind it, because it is
 * equal to it in all sort fields, counts as behind: so a span is read from further up rather than down, where a record would be left out.
 */
export function shiftBefore(table: RowTable, start: number, view: ViewOf): number {
  const { begun, evaluator, marks, waiting } = table;
  const before = table.nearestInOrder(start, -1, SHIFT_REACH_ROWS);
  const boundary = before === undefined ? undefined : view(before);
  const isBefore = (record: ViewRecord) =>
    boundary !== undefined && evaluator.compare(record, boundary) < 0;
  let shift = 0;
  for (const id of begun) if (table.indexOf(id) < start) shift -= 1;
  for (const record of waiting.all()) if (isBefore(record)) shift += 1;
  for (const [id, mark] of marks) {
    const record = view(id);
    const isShownBefore = table.indexOf(id) < start;
    const belongsBefore = mark === "moved" && record !== undefined && isBefore(record);
    shift += Number(belongsBefore) - Number(isShownBefore);
  }
  return shift;
}

/**
 * How many rows a view of `total` records has: without those that are shown `apart` from the rows, and with the rows that are none of
 * the view's records any more, or not yet. `end` is the number of rows where the end of the view was seen.
 */
export function countRows(
  table: RowTable,
  { total, totalExact, end }: { total: number; totalExact: boolean; end: number | null },
  apart: number,
): number {
  const reported = total - apart + table.absent + table.begun.size;
  // An estimate may be too small: as long as the end was not seen there is at least one more run.
  const more = end === null && !totalExact ? RUN_ROWS : 0;
  return Math.max(table.end + more, end ?? reported);
}
