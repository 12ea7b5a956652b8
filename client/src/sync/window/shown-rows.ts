import { usesClock } from "../../../../shared/filter/bind-filter.ts";
import type { RecordView } from "../../state/record-view.ts";
import type { RecordCache } from "../records/record-cache.ts";
import { BegunRows } from "./begun-rows.ts";
import { CreatedRows } from "./created-rows.ts";
import { isAbsent } from "./evaluate-mark.ts";
import { type ViewQuery, WINDOW_MAX_ROWS } from "./record-window.ts";
import type { Alignment, Loaded } from "./row-loader.ts";
import { RowOrder, RUN_ROWS } from "./row-order.ts";
import type { Span } from "./view-aligner.ts";
import { ViewEvaluator } from "./view-evaluator.ts";
import { WaitingRecords } from "./waiting-records.ts";
import type { WindowDeps } from "./window-deps.ts";
import { WindowState } from "./window-state.ts";

/** The rows with an open editor: they are never evicted and keep their place (C29, C30). */
class RowsInEdit {
  readonly #cache: RecordCache;
  readonly #editors = new Map<string, number>();

  constructor(cache: RecordCache) {
    this.#cache = cache;
  }

  get ids(): Iterable<string> {
    return this.#editors.keys();
  }

  has(id: string): boolean {
    return this.#editors.has(id);
  }

  begin(id: string): void {
    this.#editors.set(id, (this.#editors.get(id) ?? 0) + 1);
  }

  end(id: string): void {
    const count = (this.#editors.get(id) ?? 0) - 1;
    if (count > 0) this.#editors.set(id, count);
    else this.#editors.delete(id);
  }

  /** The record has another id, in the same row. */
  rename(from: string, to: string): void {
    const count = this.#editors.get(from);
    if (count === undefined) return;
    this.#editors.delete(from);
    this.#editors.set(to, count);
  }

  /** Gives the rows in edit that a new order lacks the places that they had. */
  carryOver(before: RowOrder, next: RowOrder): void {
    for (const id of this.#editors.keys()) {
      if (!before.has(id) || next.has(id)) continue;
      this.#cache.retain(id);
      next.insert(before.indexOf(id), id);
    }
  }
}

/**
 * The rows that a window shows, the user's new records among and above them, and their numbers. Retains every shown record in
 * the cache. Reads nothing itself: `ViewWindow` does.
 */
export class ShownRows {
  readonly state: WindowState;
  readonly created: CreatedRows;
  readonly edited: RowsInEdit;
  /** The record that has the focus. */
  current: string | null = null;
  /** Whether the user is at work in the rows: the focus is in them, also on none of their records. */
  isInUse = false;
  readonly #deps: WindowDeps;
  readonly #begun: BegunRows;
  #alignment: Alignment;
  #visible = { start: 0, end: RUN_ROWS };

  constructor(deps: WindowDeps, view: ViewQuery) {
    this.#deps = deps;
    this.state = new WindowState(deps.store);
    this.edited = new RowsInEdit(deps.cache);
    this.created = new CreatedRows(deps);
    this.#begun = new BegunRows(deps, this.created);
    this.#alignment = this.begin(view);
  }

  /** An alignment without rows. */
  begin(view: ViewQuery): Alignment {
    const { table, context, serverNow } = this.#deps;
    const evaluator = new ViewEvaluator(table, view, context, serverNow);
    const waiting = new WaitingRecords(evaluator);
    const stored = this.created.allConfirmedIds;
    const unpinned = stored.filter((id) => !this.#isOccupied(id));
    const alignment: Alignment = {
      ...{ view, evaluator, order: new RowOrder(), waiting, stored, unpinned },
      isPinned: (id) => this.created.isPinned(id) && !alignment.unpinned.includes(id),
    };
    return alignment;
  }

  get alignment(): Alignment {
    return this.#alignment;
  }

  get visible(): { start: number; end: number } {
    return this.#visible;
  }

  setVisible(start: number, end: number): void {
    this.#visible = { start, end };
    this.#alignment.order.use(start, end);
  }

  /** A new alignment takes the place of the one before. Returns my new records that the server has stored since it was begun. */
  replace(next: Alignment, total: number): string[] {
    const before = this.#alignment;
    // Somebody has come to it since.
    const occupied = next.unpinned.filter(
      (id) => this.#isOccupied(id) && this.created.isPinned(id),
    );
    next.unpinned = next.unpinned.filter((id) => !occupied.includes(id));
    for (const id of occupied) {
      if (next.order.has(id)) this.release([id]);
      next.order.remove(id);
    }
    const stored = this.#begun.carryOver(before, next, total, (id) => this.edited.has(id));
    for (const id of this.created.ids) next.waiting.remove(id);
    this.edited.carryOver(before.order, next.order);
    this.#alignment = next;
    this.created.unpin(next.unpinned);
    this.release(before.order.ids());
    return stored;
  }

  /**
   * A new alignment of the same view takes the place of the one before, and no row moves: what has left the view since keeps its row, what
   * has come into it waits, and my own new records stay where they are. Answers whether rows are to be read again: those that the new one has
   * not read are not held any more, and there may be others.
   */
  replaceInPlace(next: Alignment, asked: Span): boolean {
    const { cache } = this.#deps;
    const before = this.#alignment;
    next.unpinned = [];
    const above = this.created.ids.filter((id) => next.order.has(id));
    this.release(next.order.clear(above.map((id) => next.order.indexOf(id))));
    const placed = new Set(this.created.placedIds);
    const doesStay = (id: string, row: number) =>
      (row >= asked.start && row < asked.end) || this.edited.has(id) || placed.has(id);
    const { rowCount } = this.state.status;
    const { unfound, surplus } = next.order.takeRowsOf(before.order, rowCount, doesStay);
    for (const id of unfound) cache.retain(id);
    for (const id of surplus) {
      const record = cache.get(id);
      if (record && !record.deleted) next.waiting.add({ id, values: record.values });
    }
    this.release(surplus);
    for (const id of [...this.created.ids, ...next.order.ids()]) next.waiting.remove(id);
    this.#alignment = next;
    const held = [...before.order.ids()];
    this.release(held);
    return held.length !== next.order.size || held.some((id) => !next.order.has(id));
  }

  /** Frees the rows that are too many, but none that shows more than the server has. */
  evict(): void {
    const { order } = this.#alignment;
    const isEvictable = (id: string) =>
      !this.edited.has(id) && !order.begun.has(id) && hasNoPendingEdit(this.#deps.view(id));
    this.release(evictRows(order, this.#visible, isEvictable));
  }

  /** These rows are shown no more. */
  release(ids: Iterable<string>): void {
    for (const id of ids) this.#deps.cache.release(id);
  }

  clear(): void {
    this.release(this.#alignment.order.ids());
    this.created.unpinAll();
  }

  /** Those of the records that a page as of `seq` may show other than they are. */
  newerThan(seq: number, ids: readonly string[]): string[] {
    const { cache, view } = this.#deps;
    return ids.filter((id) => (cache.get(id)?.asOf ?? 0) > seq || !hasNoPendingEdit(view(id)));
  }

  /** The records whose values are as the server last said; the others are about to be read again. */
  upToDate(ids: Iterable<string>): string[] {
    return [...ids].filter((id) => this.#deps.cache.get(id)?.stale !== true);
  }

  /** Applies what a page says about the whole view, which may not count `added` rows. */
  applyCounts(loaded: Loaded, added: number): void {
    const pinnedCount = this.#alignment.waiting.count + this.created.confirmedIds.length;
    const rowCount = countRows(this.#alignment, loaded, pinnedCount - added);
    const { total, totalExact } = loaded.page;
    this.state.update({ rowCount, total, totalExact, phase: "ready" });
  }

  /** The server has counted the view again. */
  applyTotal(total: number, exact: boolean): void {
    this.state.update({ total, totalExact: exact });
    const { view, order, waiting } = this.#alignment;
    if (!exact || !view.filter || !usesClock(view.filter)) return;
    const absent = [...order.marks.values()].filter(isAbsent).length;
    const known =
      this.state.status.rowCount - absent + this.created.confirmedIds.length + waiting.listed;
    waiting.setUnlisted(total - known + order.begun.size);
    this.count();
  }

  /** Publishes how many records wait and how many rows are displaced. */
  count(): void {
    const { waiting, order } = this.#alignment;
    this.state.update({ waiting: waiting.count, displaced: order.marks.size });
  }

  /** A record that I create is shown at once, above the rows. */
  pin(id: string): void {
    if (!this.#alignment.order.has(id) && this.created.pin(id)) this.state.mark(id);
  }

  place(id: string, row: number | null): void {
    const added = this.#begun.place(this.#alignment.order, id, row);
    if (added !== null) this.#addRows(added);
  }

  rename(from: string, to: string): void {
    this.#begun.rename(this.#alignment.order, from, to);
    this.created.rename(from, to);
    this.edited.rename(from, to);
  }

  /** Marks those of the touched records that are shown; new ones that were discarded go, and while rows may move deleted ones, too. */
  markTouched(records: Iterable<string>, isHeld: boolean): void {
    const { order } = this.#alignment;
    const discarded = this.#begun.update(order, records);
    if (discarded > 0) this.#addRows(-discarded);
    for (const id of records) {
      if (this.created.has(id)) {
        this.state.mark(id);
        if (!isHeld || !this.#deps.view(id)) this.created.unpinIfGone(id);
      } else if (order.has(id)) this.state.mark(id);
    }
  }

  /** New records above the rows that were deleted while rows were held go. Answers whether there were any. */
  unpinGone(): boolean {
    const gone = this.created.ids.filter((id) => this.#deps.view(id)?.mark === "deleted");
    for (const id of gone) {
      this.state.mark(id);
      this.created.unpinIfGone(id);
    }
    return gone.length > 0;
  }

  /** My new records above the rows that an alignment would give ordinary rows. */
  get unoccupied(): number {
    return this.created.confirmedIds.filter((id) => !this.#isOccupied(id)).length;
  }

  #isOccupied(id: string): boolean {
    return id === this.current || this.edited.has(id);
  }

  #addRows(count: number): void {
    this.state.update({ rowCount: this.state.status.rowCount + count });
    this.state.reset();
  }
}

/** Without an edit of mine over it. */
function hasNoPendingEdit(view: RecordView | undefined): boolean {
  return view?.confirmed === null;
}

/**
 * How many rows a view has, by a page of it: the server's total, without the records that are shown
 * `apart` from the rows, and with the rows that are none of the view's records any
 * more, or not yet.
 */
function countRows({ order }: Alignment, { page, end }: Loaded, apart: number): number {
  const absent = [...order.marks.values()].filter(isAbsent).length;
  const reported = page.total - apart + absent + order.begun.size;
  // An estimate may be too small: as long as the end was not seen there is at least one more run.
  const more = end === null && !page.totalExact ? RUN_ROWS : 0;
  return Math.max(order.end + more, end ?? reported);
}

/**
 * Evicts the least recently requested rows until the limit holds, and returns their records. Visible
 * rows stay, and so do displaced ones, which show how far the local order differs from the server's.
 */
function evictRows(
  order: RowOrder,
  visible: { start: number; end: number },
  isEvictable: (id: string) => boolean,
): string[] {
  const evicted: string[] = [];
  for (const run of order.leastUsed()) {
    if (order.size <= WINDOW_MAX_ROWS) break;
    const start = run * RUN_ROWS;
    if (start < visible.end && start + RUN_ROWS > visible.start) continue;
    const rows = Array.from({ length: RUN_ROWS }, (_, row) => start + row).filter((index) => {
      const id = order.at(index);
      return id !== undefined && !order.marks.has(id) && isEvictable(id);
    });
    evicted.push(...order.clear(rows));
    order.forgetRun(run);
  }
  return evicted;
}
