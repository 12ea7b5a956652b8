import { deepEqual } from "../../../../../shared/document/deep-equal.ts";
import type { RecordView } from "../../../state/record-view.ts";
import type { Bounds, Cell } from "./cell-range.ts";

/** What ranges need to know of the grid. Rows are counted as `rowCount` does, columns from left to right. */
export interface RangeLayout {
  readonly columns: readonly string[];
  /** New records above the rows of the list. */
  readonly above: number;
  /** The record in a row, if it is read. */
  at(row: number): RecordView | undefined;
  /** The rows between two, both included, that are read, from the top. */
  loadedRows(top: number, bottom: number): readonly number[];
  /** The row of a record; -1 if it has none, or none that is read. */
  rowOf(record: string): number;
  /** The id of a record now: a new record may be given another one when it is created. */
  currentId(record: string): string;
  /** Whether the record is still one of the view's. */
  belongs(record: string): boolean;
  retain(record: string): void;
  release(record: string): void;
}

/** Rows [start, end) of the row list. */
export interface Span {
  start: number;
  end: number;
}

/** How a key moves the focus within a range: Tab along its rows, Enter down its columns, with Shift backwards. */
export interface RangeStep {
  along: "row" | "column";
  step: 1 | -1;
}

/**
 * The records and fields of one selected rectangle. Rows may move afterwards: the records stay the same, and one that
 * leaves the view leaves the range. Rows that were not read when they were selected join when they are read, but only
 * as long as no realignment has moved them.
 */
export class RangePart {
  /** Those that were selected, also if their columns are hidden now. */
  readonly #fields: readonly string[];
  readonly #layout: RangeLayout;
  /** The records, and the rows of the list that they were in when they were selected, or last all shown. */
  readonly #rows = new Map<string, number>();
  /** Rows of the same kind, whose records have left. */
  #leftRows: number[] = [];
  /** Those that may be given another id, because the server did not have them yet. */
  readonly #created: string[] = [];
  #span: Span | null = null;
  #unread = 0;
  #left = 0;
  #isBroken = false;
  /** Whether rows have moved since the rows of all records were known. */
  #isStale = false;
  #holders = 1;

  constructor(layout: RangeLayout, { top, bottom, left, right }: Bounds) {
    this.#layout = layout;
    this.#fields = layout.columns.slice(left, right + 1);
    this.#unread = bottom - top + 1;
    for (const row of layout.loadedRows(top, bottom)) {
      const record = layout.at(row);
      if (!record) continue;
      if (record.version === null) this.#created.push(record.id);
      this.#add(record.id, row - layout.above);
      this.#unread -= 1;
    }
    const { above } = layout;
    if (this.#unread > 0) this.#span = { start: Math.max(0, top - above), end: bottom - above + 1 };
  }

  /** Only of columns that are shown: nobody sees what an action does in a hidden one. */
  get fields(): readonly string[] {
    const { columns } = this.#layout;
    return this.#fields.filter((name) => columns.includes(name));
  }

  /** Whether the cell of a record in a column that is shown is selected. */
  has(record: string, field: string): boolean {
    return this.#fields.includes(field) && this.hasRecord(record);
  }

  /** Whether both are the same records and columns. Rows that are not read are the same if their places are. */
  isSame(other: RangePart): boolean {
    const cellsOf = (part: RangePart) => [part.fields, part.records, part.unreadSpan];
    return deepEqual(cellsOf(this), cellsOf(other));
  }

  /** The records that are read, from top to bottom. */
  get records(): string[] {
    const rows = [...(this.#shownRows() ?? this.#rows)].sort((a, b) => a[1] - b[1]);
    return rows.map(([id]) => this.#layout.currentId(id));
  }

  /** The same, with null for each that has left since its row was shown. */
  get slots(): (string | null)[] {
    const rows = [...this.#rows, ...this.#leftRows.map((row) => [null, row] as const)];
    rows.sort((a, b) => a[1] - b[1]);
    return rows.map(([id]) => id && this.#layout.currentId(id));
  }

  /** The rows of the records now; null if one has none that is loaded, as of many rows most are not. */
  #shownRows(): Map<string, number> | null {
    const { currentId, rowOf } = this.#layout;
    const rows = new Map<string, number>();
    for (const id of this.#rows.keys()) {
      const row = rowOf(currentId(id));
      if (row < 0) return null;
      rows.set(id, row);
    }
    return rows;
  }

  /**
   * The cell to which a key leads from one of the part's cells; without one, to the first cell, or backwards the last.
   * Null beyond the end.
   */
  next({ along, step }: RangeStep, from?: Cell): Cell | null {
    const edge = -step * Number.POSITIVE_INFINITY;
    const columns = this.#layout.columns.flatMap((name, column) =>
      this.fields.includes(name) ? [column] : [],
    );
    const nextRow = (row = edge) => this.#nextRow(row, step);
    const nextColumn = (column = edge) => nearest(columns, column, step);
    const isRow = along === "row";
    const straight = from && (isRow ? nextColumn(from.column) : nextRow(from.row));
    if (from && straight !== undefined)
      return isRow ? { ...from, column: straight } : { ...from, row: straight };
    const row = nextRow(isRow ? from?.row : undefined);
    const column = nextColumn(isRow ? undefined : from?.column);
    return row === undefined || column === undefined ? null : { row, column };
  }

  /** Of a record whose row is not loaded, the last one counts as long as no rows have moved. */
  #nextRow(from: number, step: 1 | -1): number | undefined {
    const { above, currentId, rowOf } = this.#layout;
    const rows = [...this.#rows].flatMap(([id, last]) => {
      const row = rowOf(currentId(id));
      if (row >= 0) return [row];
      return this.#isStale ? [] : [last + above];
    });
    const span = this.unreadSpan;
    if (span) {
      const [first, end] = [span.start + above, span.end + above];
      rows.push(Math.max(first, Math.min(end - 1, from + step)));
    }
    return nearest(rows, from, step);
  }

  get rowCount(): number {
    return this.#rows.size + this.#unread;
  }

  /** Rows that are selected and not read yet. */
  get unread(): number {
    return this.#unread;
  }

  /** Rows that were selected and have left the view since, or moved before they were read. */
  get left(): number {
    return this.#left;
  }

  /** Rows moved before all that were selected were read: the rest is not known any more. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  get unreadSpan(): Span | null {
    return this.#unread > 0 ? this.#span : null;
  }

  hasRecord(record: string): boolean {
    return this.#find(record) !== undefined || this.adopt(record);
  }

  /** Takes a record in whose row was selected before it was read. */
  adopt(record: string): boolean {
    if (!this.#span || this.#unread === 0 || this.#rows.has(record)) return false;
    const row = this.#layout.rowOf(record) - this.#layout.above;
    if (row < this.#span.start || row >= this.#span.end) return false;
    this.#add(record, row);
    this.#unread -= 1;
    return true;
  }

  /** Rows have been put where they belong. */
  realign(): void {
    if (this.#unread > 0) this.#isBroken = true;
    this.#left += this.#unread;
    this.#unread = 0;
    this.#span = null;
    for (const id of [...this.#rows.keys()]) {
      const current = this.#layout.currentId(id);
      if (this.#layout.rowOf(current) < 0 && !this.#layout.belongs(current)) this.#leave(id);
    }
    const shown = this.#shownRows();
    this.#isStale = shown === null;
    if (!shown) return;
    for (const [id, row] of shown) this.#rows.set(id, row - this.#layout.above);
    this.#leftRows = [];
  }

  /** A record was deleted, or is not visible any more. */
  remove(record: string): boolean {
    const id = this.#find(record);
    if (id !== undefined) this.#leave(id);
    return id !== undefined;
  }

  /** Keeps the part alive for an action. Each caller calls `release` once. */
  hold(): void {
    this.#holders += 1;
  }

  /** Returns whether nobody needs the part any more. */
  release(): boolean {
    this.#holders -= 1;
    if (this.#holders > 0) return false;
    for (const id of this.#rows.keys()) this.#layout.release(id);
    this.#rows.clear();
    return true;
  }

  #find(record: string): string | undefined {
    if (this.#rows.has(record)) return record;
    return this.#created.find((id) => this.#rows.has(id) && this.#layout.currentId(id) === record);
  }

  #add(record: string, row: number): void {
    if (this.#rows.has(record)) return;
    this.#rows.set(record, row);
    this.#layout.retain(record);
  }

  #leave(record: string): void {
    this.#leftRows.push(this.#rows.get(record) ?? 0);
    this.#rows.delete(record);
    this.#layout.release(record);
    this.#left += 1;
  }
}

/** The number that is next after another, or before it. */
function nearest(numbers: readonly number[], from: number, step: 1 | -1): number | undefined {
  return numbers
    .filter((number) => (number - from) * step > 0)
    .sort((a, b) => (a - b) * step)
    .at(0);
}
