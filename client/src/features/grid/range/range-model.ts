import { Listeners } from "../../../../../shared/listeners.ts";
import { boundsOf, type Cell, type CellRange } from "./cell-range.ts";
import { type RangeLayout, RangePart, type RangeStep } from "./range-part.ts";

/** A corner of the rectangle that is being extended: it follows its record. */
interface Corner {
  record: string | null;
  field: string;
  row: number;
}

/** What has changed: which cells are selected, or only what they hold. */
type RangeChange = "cells" | "values";

/** How much is selected. */
export interface RangeSize {
  rows: number;
  cells: number;
  unread: number;
  left: number;
}

/**
 * The selected cells of a grid: records × fields, in one part or, with Ctrl and click, in several. The last part is the
 * one that the keyboard extends.
 */
export class RangeModel {
  readonly #layout: RangeLayout;
  #parts: RangePart[] = [];
  /** Also the parts of actions that are under way. */
  readonly #alive = new Set<RangePart>();
  #corners: { anchor: Corner; head: Corner } | null = null;
  /** The cell that had the focus when the range last followed it. */
  #focus = "";
  /** The part within which Tab and Enter move the focus. */
  #traversed: RangePart | null = null;
  #tabStart: string | null = null;
  readonly #listeners = new Listeners<RangeChange>();

  constructor(layout: RangeLayout) {
    this.#layout = layout;
  }

  get parts(): readonly RangePart[] {
    return this.#parts;
  }

  /**
   * The rectangle between the first and the last cell of the last part, where these are now. If one of them has left the
   * view, or its column is hidden, the remaining cells count.
   */
  get range(): CellRange | null {
    const anchor = this.#corners && this.#cellOf(this.#corners.anchor);
    const head = this.#corners && this.#cellOf(this.#corners.head);
    return anchor && head ? { anchor, head } : this.#remaining();
  }

  #remaining(): CellRange | null {
    const part = this.#parts.at(-1);
    const { columns, rowOf } = this.#layout;
    const rows = (part?.records ?? []).map(rowOf).filter((row) => row >= 0);
    const shown = (part?.fields ?? []).map((field) => columns.indexOf(field));
    const [row, column] = [rows[0], shown.find((index) => index >= 0)];
    if (row === undefined || column === undefined) return null;
    const last = { row: rows.at(-1) ?? row, column: Math.max(...shown) };
    return { anchor: { row, column }, head: last };
  }

  get size(): RangeSize {
    const sum = (of: (part: RangePart) => number) =>
      this.#parts.reduce((all, part) => all + of(part), 0);
    return {
      rows: sum(({ rowCount }) => rowCount),
      cells: sum(({ rowCount, fields }) => rowCount * fields.length),
      unread: sum(({ unread }) => unread),
      left: sum(({ left }) => left),
    };
  }

  /** How many records are selected: each that is read counts once, and so does each row that is not. */
  get recordCount(): number {
    return new Set(this.#parts.flatMap(({ records }) => records)).size + this.size.unread;
  }

  /** Whether more than the focused cell is selected, now or before rows left. */
  get isShown(): boolean {
    const { cells, left } = this.size;
    return cells + left > 1;
  }

  /** The focus is in this cell: unless only its row has moved, or the range begins there, it is the range now. */
  followFocus(cell: Cell): void {
    const isSame = this.#focusKeys(cell).includes(this.#focus);
    this.holdFocus(cell);
    const anchor = this.range?.anchor;
    const isAnchor = anchor?.row === cell.row && anchor.column === cell.column;
    if (!isAnchor && !(isSame && this.range)) this.selectCell(cell);
  }

  /** The focus moves to this cell next, and the range stays as it is. */
  holdFocus(cell: Cell): void {
    this.#focus = this.#focusKeys(cell)[0] ?? "";
  }

  /** The names of a cell: by its record, if that is read, and by its row. */
  #focusKeys(cell: Cell): string[] {
    const { record, row, field } = this.#cornerOf(cell);
    return [...(record === null ? [] : [`${record}\n${field}`]), `\n${row}\n${field}`];
  }

  /**
   * The cell of the range to which a key moves the focus next, from the end of a part to the next one. Null where no more
   * than one cell is selected.
   */
  traverse(from: Cell, by: RangeStep): Cell | null {
    if (this.size.cells < 2) return null;
    const parts = this.#parts;
    const { record, field } = this.#cornerOf(from);
    const holds = (part: RangePart) => record !== null && this.has(record, field, [part]);
    const known = parts.find((part) => part === this.#traversed && holds(part));
    const part = known ?? parts.findLast(holds);
    const first = part ? parts.indexOf(part) : parts.length - 1;
    for (let count = 0; count <= parts.length; count += 1) {
      const next = parts.at((first + by.step * count) % parts.length);
      const isHere = part !== undefined && count === 0;
      const to = next?.next(by, isHere ? from : undefined);
      if (!next || !to) continue;
      this.#traversed = next;
      this.holdFocus(to);
      return to;
    }
    return null;
  }

  /** The field where a run of Tabs began; null if the focus came to its cell in another way. */
  get tabStart(): string | null {
    const start = this.#tabStart;
    return start !== null && this.#layout.columns.includes(start) ? start : null;
  }

  /** Tab moves the focus from one cell to another, which is the range then. Back before its beginning, a run ends. */
  tab(from: Cell, to: Cell): void {
    const start = this.tabStart ?? this.#cornerOf(from).field;
    this.holdFocus(to);
    this.selectCell(to);
    if (to.column > this.#layout.columns.indexOf(start)) this.#tabStart = start;
  }

  has(record: string, field: string, parts = this.parts): boolean {
    return parts.some((part) => part.has(record, field));
  }

  /** Selects a rectangle of cells as they are now. With `add` beside what is selected, which is not selected twice. */
  select(range: CellRange, { add = false } = {}): void {
    const part = this.capture(range);
    const others = add ? this.#parts.filter((one) => !one.isSame(part)) : [];
    this.#setParts([...others, part], range);
  }

  /**
   * Takes exactly these cells out of the selection, if they were added to others as one part. Returns the first cell of what is left;
   * null if nothing has changed.
   */
  deselect(range: CellRange): Cell | null {
    const wanted = this.capture(range);
    const part = this.#parts.find((one) => one.isSame(wanted));
    this.release(wanted);
    if (!part || this.#parts.length === 1) return null;
    this.#setParts(
      this.#parts.filter((one) => one !== part),
      null,
    );
    return this.range?.anchor ?? null;
  }

  selectCell(cell: Cell): void {
    this.select({ anchor: cell, head: cell });
  }

  /** Moves the last cell of the last part. */
  extendTo(head: Cell): void {
    const { range } = this;
    if (!range) {
      this.selectCell(head);
      return;
    }
    const extended = { anchor: range.anchor, head };
    this.#setParts([...this.#parts.slice(0, -1), this.capture(extended)], extended);
  }

  clear(): void {
    this.#setParts([], null);
  }

  /** The last part is the rectangle `last`, if that is known. */
  #setParts(parts: RangePart[], last: CellRange | null): void {
    const before = this.#parts.filter((one) => !parts.includes(one));
    this.#parts = parts;
    this.#corners = last && {
      anchor: this.#cornerOf(last.anchor),
      head: this.#cornerOf(last.head),
    };
    this.#tabStart = null;
    for (const part of before) this.release(part);
    this.#notify();
  }

  /** The records and fields of a rectangle, for an action. Its caller releases it. */
  capture(range: CellRange): RangePart {
    const part = new RangePart(this.#layout, boundsOf(range));
    this.#alive.add(part);
    return part;
  }

  release(part: RangePart): void {
    if (part.release()) this.#alive.delete(part);
  }

  /** Rows have been put where they belong. */
  realign(): void {
    for (const part of this.#alive) part.realign();
    this.#notify();
  }

  /** These records look different: those that are gone leave the range. */
  update(records: ReadonlySet<string>, isGone: (record: string) => boolean): void {
    let change: RangeChange | null = null;
    for (const part of this.#alive) {
      for (const record of records) {
        if (!part.hasRecord(record)) continue;
        change ??= "values";
        if (isGone(record) && part.remove(record)) change = "cells";
      }
    }
    if (change) this.#notify(change);
  }

  /** Rows that were selected have been read. */
  refresh(): void {
    this.#notify();
  }

  /** Calls back when the range, or only values in it, have changed. */
  onChange(listener: (change: RangeChange) => void): () => void {
    return this.#listeners.add(listener);
  }

  #cornerOf({ row, column }: Cell): Corner {
    const { columns, at } = this.#layout;
    return { record: at(row)?.id ?? null, row, field: columns[column] ?? "" };
  }

  #cellOf({ record, row, field }: Corner): Cell | null {
    const column = this.#layout.columns.indexOf(field);
    const at = record === null ? row : this.#layout.rowOf(this.#layout.currentId(record));
    return at < 0 || column < 0 ? null : { row: at, column };
  }

  #notify(change: RangeChange = "cells"): void {
    this.#listeners.emit(change);
  }
}
