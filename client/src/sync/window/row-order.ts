import type { RecordMark } from "../../state/record-view.ts";

/** Rows are evicted in runs of this many. */
export const RUN_ROWS = 100;

const noIds: ReadonlySet<string> = new Set();

/**
 * Which record is in which row. Sparse, because only windows of a view are held, and without
 * duplicates, because blocks read at different times over a moving order overlap.
 */
export class RowOrder {
  readonly marks = new Map<string, RecordMark>();
  /** The user's new records that the server does not have: they are where they began, whatever the order says. */
  readonly begun = new Set<string>();
  readonly #ids = new Map<number, string>();
  readonly #indices = new Map<string, number>();
  readonly #used = new Map<number, number>();
  #uses = 0;

  get size(): number {
    return this.#ids.size;
  }

  /** One past the last row that is held. */
  get end(): number {
    let end = 0;
    for (const index of this.#ids.keys()) end = Math.max(end, index + 1);
    return end;
  }

  at(index: number): string | undefined {
    return this.#ids.get(index);
  }

  indexOf(id: string): number {
    return this.#indices.get(id) ?? -1;
  }

  has(id: string): boolean {
    return this.#indices.has(id);
  }

  ids(): IterableIterator<string> {
    return this.#indices.keys();
  }

  place(index: number, id: string): void {
    this.#ids.set(index, id);
    this.#indices.set(id, index);
  }

  /** Inserts the record at a row; the rows from there on move down by one. */
  insert(index: number, id: string): void {
    const later = [...this.#ids].filter(([at]) => at >= index);
    for (const [at] of later) this.#ids.delete(at);
    this.place(index, id);
    for (const [at, other] of later) this.place(at + 1, other);
  }

  /** Inserts a record below the row that it is below in another order, and not below the last of `count` rows. */
  insertLike(other: RowOrder, id: string, count: number): void {
    const at = other.indexOf(id);
    for (let row = at - 1; row >= Math.max(0, at - RUN_ROWS); row -= 1) {
      const above = this.indexOf(other.at(row) ?? "");
      if (above >= 0) {
        this.insert(above + 1, id);
        return;
      }
    }
    this.insert(Math.min(at, Math.max(this.end, count)), id);
  }

  /**
   * Takes over the rows of another order. `doesStay` says of a record that this one has not found whether its row stays all the same. What the
   * other order does not have fills rows that it did not hold, of its `count`; the rest is left out. Returns what was taken over without being
   * found, and what was left out.
   */
  takeRowsOf(
    other: RowOrder,
    count: number,
    doesStay: (id: string, row: number) => boolean,
  ): { unfound: string[]; surplus: string[] } {
    const found = new Map(
      [...this.#ids].toSorted(([a], [b]) => a - b).map(([row, id]) => [id, row]),
    );
    const unfound: string[] = [];
    const surplus: string[] = [];
    this.clear([...this.#ids.keys()]);
    for (const [row, id] of other.#ids) {
      if (!found.has(id) && !doesStay(id, row)) continue;
      if (!found.has(id)) unfound.push(id);
      this.place(row, id);
      const isBegun = other.begun.has(id);
      const mark = other.marks.get(id) ?? (found.has(id) || isBegun ? undefined : "gone");
      if (mark) this.marks.set(id, mark);
      if (isBegun) this.begun.add(id);
    }
    let before: number | null = null;
    for (const [id, own] of found) {
      const row: number = before === null ? own : before + 1;
      if (other.has(id)) before = other.indexOf(id);
      else if (row < count && !this.#ids.has(row)) {
        this.place(row, id);
        before = row;
      } else surplus.push(id);
    }
    return { unfound, surplus };
  }

  /** Takes a record out; the rows below it move up by one. */
  remove(id: string): void {
    const index = this.indexOf(id);
    if (index < 0) return;
    this.clear([index]);
    const later = [...this.#ids].filter(([at]) => at > index).toSorted((a, b) => a[0] - b[0]);
    for (const [at, other] of later) {
      this.#ids.delete(at);
      this.place(at - 1, other);
    }
  }

  /** The record has another id, in the same row. */
  rename(from: string, to: string): void {
    const index = this.indexOf(from);
    const isBegun = this.begun.has(from);
    if (index < 0) return;
    this.clear([index]);
    this.place(index, to);
    if (isBegun) this.begun.add(to);
  }

  /** Empties rows; answers the records that stood there. */
  clear(indices: Iterable<number>): string[] {
    const gone: string[] = [];
    for (const index of indices) {
      const id = this.#ids.get(index);
      if (id === undefined) continue;
      this.#ids.delete(index);
      this.#indices.delete(id);
      this.marks.delete(id);
      this.begun.delete(id);
      gone.push(id);
    }
    return gone;
  }

  /** The rows of [start, end) that are held, from the top. As cheap as these are few, however many rows that is. */
  held(start: number, end: number): number[] {
    const isWithin = (row: number) => row >= start && row < end;
    if (end - start > this.size)
      return [...this.#ids.keys()].filter(isWithin).sort((a, b) => a - b);
    const rows: number[] = [];
    for (let row = start; row < end; row += 1) if (this.#ids.has(row)) rows.push(row);
    return rows;
  }

  /** The first run of rows in [start, end) that are not held; null if all are. */
  missing(start: number, end: number): { start: number; end: number } | null {
    let from = start;
    while (from < end && this.#ids.has(from)) from += 1;
    if (from >= end) return null;
    let to = from;
    while (to < end && !this.#ids.has(to)) to += 1;
    return { start: from, end: to };
  }

  /** The held record nearest to a row that is in order. */
  nearestUnmarked(
    index: number,
    step: 1 | -1,
    reach: number,
    except: ReadonlySet<string> = noIds,
  ): string | undefined {
    for (let hop = 1; hop <= reach; hop++) {
      const id = this.#ids.get(index + step * hop);
      if (id === undefined || this.marks.has(id) || this.begun.has(id)) continue;
      if (!except.has(id)) return id;
    }
    return undefined;
  }

  /** Remembers that these rows were asked for. */
  use(start: number, end: number): void {
    this.#uses += 1;
    for (let run = Math.floor(start / RUN_ROWS); run * RUN_ROWS < end; run++) {
      this.#used.set(run, this.#uses);
    }
  }

  /** Runs of rows, longest unused first. */
  leastUsed(): number[] {
    return [...this.#used].sort((a, b) => a[1] - b[1]).map(([run]) => run);
  }

  forgetRun(run: number): void {
    this.#used.delete(run);
  }
}
