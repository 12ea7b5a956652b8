import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import { usesClock } from "../../../../shared/filter/bind-filter.ts";
import type { TextOrder } from "../../../../shared/filter/text-order.ts";
import { Listeners } from "../../../../shared/listeners.ts";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import type { Page, WireChange } from "../../../../shared/protocol/feed.ts";
import { createAtom } from "../../state/atom-store.ts";
import type { RecordView } from "../../state/record-view.ts";
import { closed } from "../closed.ts";
import type { Flash, Touched } from "../records/flash.ts";
import {
  admit,
  align,
  alignInPlace,
  countRows,
  endBegun,
  evict,
  hasMovedIn,
  type Marked,
  mark,
  placeCreated,
} from "./arrange-rows.ts";
import { OwnRows, PINNED_MAX_RECORDS } from "./own-rows.ts";
import { type Loaded, RowLoader, type RowSource } from "./row-loader.ts";
import { RowProbe } from "./row-probe.ts";
import { RowTable, RUN_ROWS, type Span } from "./row-table.ts";
import { ViewEvaluator, type ViewQuery } from "./view-query.ts";

/*
 * The hard part of a live list is that its rows have numbers. A grid asks for row 5,000, draws it, and calls it by that number, while
 * the changes of others make records come, go and move. Three rules keep the numbers right:
 *
 * 1. A row keeps its number until the view is aligned. A `RowTable` is an order as it was read, and no change alters it. A record that
 *    left the view, or belongs elsewhere, keeps its row and is marked (`mark`). One that came into the view waits and is counted, and so
 *    does one that has moved among the loaded rows from where none are (`hasMovedIn`). An alignment reads the visible rows into a new
 *    table beside the one that is shown, and then replaces that (`align`); a `reset` says so to all who asked for rows. Where all rows are
 *    read anew although their user did not ask for it, and the user is at work in them, the new table takes over the rows of the old one
 *    (`alignInPlace`).
 * 2. The server's order moves on. A span that is read later is read at an offset corrected by the rows that are marked and the records
 *    that wait before it (`shiftBefore`), with a margin, and `place` leaves out what has a row already. So no record is in two rows.
 * 3. Rows are loaded where they are asked for, and bounded (`evict`). What is visible, displaced, edited, unsaved, new or has the focus stays.
 *
 * `getRows` waits for an alignment under way, since that changes which records the rows have, and begins again if one ended while it
 * read. Of several alignments only the one that was asked for last is applied. What only the server can evaluate is marked, or waits,
 * once `RowProbe` has an answer.
 *
 * The user's own new records are exempt (`OwnRows`): they are where the user made them, above the rows or in one of them, which moves
 * those below it, until the server has them and an alignment gives them their place.
 */

/** A view with a time-dependent filter is evaluated again this often. */
const CLOCK_EVERY_MS = 30_000;

export interface LoadedRows {
  rows: RecordView[];
  /** Rows to scroll over, as known now. */
  rowCount: number;
}

/**
 * `rows`: these records look different now - `node.setData(rowList.get(id))`. `reset`: order or
 * membership was read anew - ask for the rows again (`refreshInfiniteCache()`); rows that are the
 * same come back as the same objects.
 */
export type RowsEvent =
  | { kind: "rows"; records: ReadonlySet<string>; flashes: readonly Flash[] }
  | { kind: "reset" };

/** What the frame around a grid shows of its row list. One atom per row list, moved once per tick. */
export interface RowListStatus {
  phase: "loading" | "ready" | "resyncing" | "refused";
  /** Why the rows can't be read, while they are refused. */
  refusal: Refusal | null;
  /** Rows to scroll over: displaced ones included, waiting ones not. */
  rowCount: number;
  /** How many records match now; more than that unless `totalExact`, and then perhaps with an estimate. */
  total: number;
  totalExact: boolean;
  estimate: number | undefined;
  /** Records that belong here and are not shown yet: "3 new ↑". */
  waiting: number;
  /** Shown records that carry a mark. */
  displaced: number;
}

const initialStatus: RowListStatus = {
  phase: "loading",
  refusal: null,
  rowCount: 0,
  total: 0,
  totalExact: false,
  estimate: undefined,
  waiting: 0,
  displaced: 0,
};

/**
 * The rows of a view as a screen shows them, loaded where it looks and updated by the feed. Rows never jump: after a change a
 * record stays where it is, marked, and new ones wait, until `realign()`. No record is in two rows. Rules C25-C30.
 */
export class RowList {
  readonly statusAtom = createAtom(initialStatus);
  readonly #source: RowSource;
  readonly #own: OwnRows;
  readonly #loader: RowLoader;
  readonly #probe: RowProbe;
  readonly #onClose: () => void;
  readonly #listeners = new Listeners<RowsEvent>();
  readonly #markedViews = new WeakMap<RecordView, RecordView>();
  #status = initialStatus;
  /** The view that was asked for last; the rows shown are of the table's until its own are there. */
  #view: ViewQuery;
  /** The rows that are shown. */
  #table: RowTable;
  /** The table that an alignment is reading. */
  #next: RowTable | null = null;
  #aligning: Promise<void> | null = null;
  #alignments = 0;
  /** How often rights or model may have changed so far. */
  #rightsChanges = 0;
  /** Why the rows are being read, or were last: their user asked for it, all are to be renewed, or some are displaced. */
  #reason: "asked" | "renewed" | "displaced" = "asked";
  #visible: Span = { start: 0, end: RUN_ROWS };
  /** The records that look different since the last event. */
  #dirty = new Set<string>();
  #stopClock: () => void = () => {};
  #isClosed = false;
  #isHeld = false;

  constructor(source: RowSource, view: ViewQuery, onClose: () => void) {
    this.#source = source;
    this.#view = view;
    this.#onClose = onClose;
    this.#own = new OwnRows(source);
    this.#loader = new RowLoader(source, this.#own);
    this.#table = this.#newTable(view);
    this.#probe = new RowProbe(source, () => this.#table, {
      onFound: (found, { rows, unknown }) => {
        for (const id of rows) this.#setMark(id, found.has(id) ? null : "gone");
        admit(this.#table, unknown, found, this.status.rowCount, source.view);
        this.#count();
      },
      onCounted: (page) => this.#applyTotal(page),
    });
    this.realign();
    this.#followClock();
  }

  // For a screen

  /** The view that was asked for last. The rows of the one before are shown until its own are there. */
  get view(): ViewQuery {
    return this.#view;
  }

  /** The view whose rows are shown. */
  get shownView(): ViewQuery {
    return this.#table.view;
  }

  /** How the server orders texts. */
  get textOrder(): TextOrder {
    return this.#source.context().textOrder;
  }

  get status(): RowListStatus {
    return this.#status;
  }

  /** The rows [start, end), from what is loaded or from the server; rejects with a `Refusal`. */
  async getRows(start: number, end: number): Promise<LoadedRows> {
    while (this.#aligning && !this.#isClosed) await this.#aligning;
    if (this.#isClosed) throw closed("view");
    const table = this.#table;
    table.use(start, end);
    for (;;) {
      const until = Math.min(end, this.status.rowCount);
      const missing = table.missing(start, until);
      if (!missing) break;
      const loaded = await this.#loader.load(table, missing);
      if (this.#isClosed) throw closed("view");
      if (table !== this.#table) return this.getRows(start, end);
      this.#applyPage(loaded);
      if (!loaded || table.missing(missing.start, missing.end)) break;
    }
    evict(table, this.#visible, (id) => !this.#own.isOccupied(id) && !this.#hasPendingEdit(id));
    return this.#rows(start, end);
  }

  #rows(start: number, end: number): LoadedRows {
    const rows: RecordView[] = [];
    for (let row = start; row < end; row++) {
      const record = this.at(row);
      if (!record) break;
      rows.push(record);
    }
    return { rows, rowCount: this.status.rowCount };
  }

  /** A record as its row shows it, if it is cached: the same object as long as neither record nor mark changes. */
  get(record: string): RecordView | undefined {
    const view = this.#source.view(record);
    const mark = this.#table.marks.get(record) ?? null;
    if (!view || view.mark === mark || view.mark === "deleted") return view;
    const known = this.#markedViews.get(view);
    if (known?.mark === mark) return known;
    const made = { ...view, mark };
    this.#markedViews.set(view, made);
    return made;
  }

  /** The record in a row, if that is loaded. */
  at(row: number): RecordView | undefined {
    const id = this.#table.at(row);
    return id === undefined ? undefined : this.get(id);
  }

  /** The rows of [start, end) that are loaded, from the top. */
  loadedRows(start: number, end: number): number[] {
    return this.#table.loaded(start, end);
  }

  /** The row of a record; -1 if it has none, or none that is loaded. */
  indexOf(record: string): number {
    return this.#table.indexOf(record);
  }

  /** Whether a record that is cached belongs to the view, wherever its row is; null where only the server knows. */
  belongs(id: string): boolean | null {
    const record = this.#source.view(id);
    if (!record || record.mark === "deleted") return false;
    return this.#table.evaluator.matches(record);
  }

  /** My own new records since the last alignment, newest first: to be pinned above the rows, as far as none was placed in a row. */
  get created(): readonly RecordView[] {
    return this.#own.above.flatMap((id) => this.#source.view(id) ?? []);
  }

  /** Whether a record is one of my own new ones since the last alignment, above the rows or placed in one. */
  isCreated(record: string): boolean {
    return this.#own.isCreated(record);
  }

  /** The row id of a record. It stays the same when a new record is given another id. */
  rowId(record: string): string {
    return this.#own.rowId(record);
  }

  /** Shows a record that I am creating in this row; for null above the rows, as without this call. */
  placeCreated(record: string, row: number | null): void {
    const added = placeCreated(this.#table, this.#own, record, row);
    if (added !== null) this.#addRows(added);
  }

  /**
   * While held, rows move only where their user asks for it: new records stay above the rows, however many there are and also if they are
   * deleted, and an alignment that nobody has asked for has no effect.
   */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (isHeld || this.#isClosed) return;
    const gone = this.#own.above.filter((id) => this.#source.view(id)?.mark === "deleted");
    for (const id of gone) {
      this.#dirty.add(id);
      this.#own.removeIfGone(id);
    }
    if (gone.length > 0) this.#emitRows([]);
    this.#realignCreated();
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /**
   * The record that has the focus, or null for none, is never evicted and keeps its place above the rows. While the focus is anywhere in the
   * rows (`isInUse`), none of them moves, comes or goes although all are read anew (`alignInPlace`).
   */
  setCurrent(record: string | null, isInUse = record !== null): void {
    this.#own.current = record;
    this.#own.isInUse = isInUse;
  }

  /** A record whose editor is open is never evicted. */
  beginEdit(record: string): void {
    this.#own.beginEdit(record);
  }

  endEdit(record: string): void {
    this.#own.endEdit(record);
  }

  /** The visible rows: read first after a resync, never evicted. */
  setVisible(start: number, end: number): void {
    this.#visible = { start, end };
    this.#table.use(start, end);
  }

  /** Another filter, order or search; answers by a `reset`. */
  setView(view: ViewQuery): void {
    this.#view = view;
    this.realign();
  }

  /** Puts displaced rows where they belong and lets waiting ones in; answers by a `reset`. If nobody `isAsked` for it, it has no effect on rows that are held by then. */
  realign({ isAsked = true } = {}): void {
    this.#reason = isAsked ? "asked" : "displaced";
    if (this.status.phase === "refused") this.#update({ phase: "loading", refusal: null });
    void this.#align();
  }

  /** Whether the view is being read anew. A caller that realigns again and again has to wait for that: each call begins it from the start. */
  get isAligning(): boolean {
    return this.#aligning !== null;
  }

  /** At most once per tick. */
  onRows(callback: (event: RowsEvent) => void): () => void {
    return this.#listeners.add(callback);
  }

  /** Whether it was closed. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopClock();
    this.#probe.stop();
    this.#listeners.clear();
    this.#table.close();
    this.#own.removeAll();
    this.#onClose();
  }

  // For the follower of the table

  /** A change of the stream, before the tick: matters here for records without a row. */
  onChanges(changes: readonly WireChange[]): void {
    const table = this.#table;
    for (const change of changes) {
      const { record, kind, set } = change;
      if (this.#next && !this.#next.has(record)) this.#next.waiting.applyEarly(change);
      if (this.#own.isCreated(record) || this.#source.isMyCreate(record)) {
        this.#probe.recount({ isSoon: kind === "insert" });
      } else if (table.has(record)) {
        // Rows are evaluated with the user's pending edits, so the server's count changes at another time.
        if (kind !== "update" || table.evaluator.mayAffect(Object.keys(set))) this.#probe.recount();
      } else {
        const more = table.waiting.applyChange(change);
        if (more === null) this.#probe.request();
        else if (more !== 0) this.#adjustTotal(more);
        else if (kind === "update" && !table.waiting.has(record)) this.#applyMove(change);
      }
    }
  }

  /** A record that moves among the loaded rows from where none are waits like one that comes into the view. */
  #applyMove(change: WireChange): void {
    const table = this.#table;
    const { record: id, set } = change;
    const isIn = hasMovedIn(table, change, this.status.rowCount, this.#source.view);
    if (isIn === true) table.waiting.add({ id, values: set });
    else if (isIn === null) {
      table.waiting.addMoved(id);
      this.#probe.requestMoved();
    }
  }

  /** Once per tick: evaluates the touched records and notifies the screen. */
  tick({ records, flashes }: Touched): void {
    const discarded = endBegun(this.#table, this.#own, records, this.#source.view);
    if (discarded > 0) this.#addRows(-discarded);
    for (const id of records) this.#touch(id);
    this.#mark(records);
    this.#count();
    this.#realignCreated();
    this.#emitRows(flashes);
  }

  /** A new record that was discarded goes, and while rows may move one that was deleted, too. */
  #touch(id: string): void {
    const isCreated = this.#own.isCreated(id);
    if (isCreated || this.#table.has(id)) this.#dirty.add(id);
    if (isCreated && (!this.#isHeld || !this.#source.view(id))) this.#own.removeIfGone(id);
  }

  /** A record that I create is shown at once, above the rows. */
  addCreated(id: string): void {
    if (!this.#table.has(id) && this.#own.add(id)) this.#dirty.add(id);
  }

  /** The server has given a new record another id. */
  renameCreated(from: string, to: string): void {
    this.#table.rename(from, to);
    this.#own.rename(from, to);
  }

  /**
   * Reads the visible rows anew and only then lets go of the old ones. Resolves when they are there. Under a user who is at work in them rows
   * neither move, nor come or go: those that belong elsewhere by now, or nowhere, are marked.
   */
  reload(): Promise<void> {
    if (!this.isAligning || this.#reason !== "asked") this.#reason = "renewed";
    this.#update({ phase: "resyncing", refusal: null });
    return this.#align();
  }

  /** Rows that were refused may be readable now. */
  retryRefused(): void {
    if (this.status.phase === "refused" && !this.isAligning) void this.#align();
  }

  /** What was refused is read again, also where that answer is still on its way (`TableSubscriber.onRightsChanged` says why). */
  onRightsChanged(): void {
    this.#rightsChanges += 1;
    this.retryRefused();
  }

  // Alignment

  /** A table without rows, which will take in the new records that the server has. */
  #newTable(view: ViewQuery): RowTable {
    const { table, context, serverNow, cache } = this.#source;
    const { stored } = this.#own;
    const leaving = stored.filter((id) => !this.#own.isOccupied(id));
    const evaluator = new ViewEvaluator(table, view, context, serverNow);
    return new RowTable(cache, view, evaluator, { stored, leaving });
  }

  /** Resolves when the rows are there, or an alignment asked for later has taken its place. */
  #align(): Promise<void> {
    const next = this.#newTable(this.#view);
    this.#next = next;
    this.#alignments += 1;
    const mine = this.#alignments;
    const isLatest = () => mine === this.#alignments && !this.#isClosed;
    const asked = this.#visibleRuns;
    const asOf = this.#rightsChanges;
    const aligning = this.#loader
      .loadFirst(next, asked)
      .then((loaded) => {
        if (isLatest()) this.#onAligned(next, loaded, asked);
        if (this.#table !== next) next.close();
      })
      .catch((error: unknown) => {
        if (this.#table !== next) next.close();
        if (!isLatest()) return undefined;
        if (error instanceof Refusal && asOf !== this.#rightsChanges) return this.#align();
        return this.#fail(error);
      })
      .finally(() => {
        if (!isLatest()) return;
        this.#aligning = null;
        this.#next = null;
      });
    this.#aligning = aligning;
    return aligning;
  }

  get #visibleRuns(): Span {
    const start = Math.floor(this.#visible.start / RUN_ROWS) * RUN_ROWS;
    const end = Math.ceil(this.#visible.end / RUN_ROWS) * RUN_ROWS;
    return { start, end: Math.max(start + RUN_ROWS, end) };
  }

  #onAligned(next: RowTable, loaded: Loaded | null, asked: Span): void {
    if (loaded && this.#mustStay(next)) this.#replaceInPlace(next, loaded, asked);
    else if (!this.#isHeld || this.#reason !== "displaced") this.#replace(next, loaded);
  }

  /** Whether the rows are read anew without their user asking for it, and these are at work in them. */
  #mustStay(next: RowTable): boolean {
    const isAtWork = this.#reason === "renewed" && this.#own.isInUse && this.#table.size > 0;
    // Where they were refused there are none on the screen.
    return isAtWork && this.status.rowCount > 0 && deepEqual(this.#table.view, next.view);
  }

  #replace(next: RowTable, loaded: Loaded | null): void {
    const before = this.#table;
    const stored = align(before, next, this.#own, loaded?.page.total ?? 0);
    this.#table = next;
    before.close();
    this.#applyPage(loaded, stored.length);
    this.#mark([...this.#own.edited, ...stored]);
    this.#afterAlignment(next);
    this.#reset();
  }

  #replaceInPlace(next: RowTable, { page }: Loaded, asked: Span): void {
    const before = this.#table;
    const { cache } = this.#source;
    const mustRead = alignInPlace(before, next, this.#own, {
      asked,
      rowCount: this.status.rowCount,
      valuesOf: (id) => (cache.get(id)?.deleted === false ? cache.get(id)?.values : undefined),
    });
    this.#table = next;
    before.close();
    // The others are about to be read again.
    this.#mark([...next.ids()].filter((id) => cache.get(id)?.stale !== true));
    const { total, totalExact, estimate } = page;
    this.#update({ total, totalExact, estimate, phase: "ready", refusal: null });
    if (page.seq !== this.#source.position()) this.#probe.recount();
    this.#afterAlignment(next);
    if (mustRead) this.#reset();
    else this.#emitRows([]);
  }

  #afterAlignment({ waiting }: RowTable): void {
    if (waiting.hasUnknown) this.#probe.request();
    this.#count();
  }

  #fail(error: unknown): void {
    if (!(error instanceof Refusal)) throw error;
    const empty = { rowCount: 0, total: 0, waiting: 0 };
    this.#update({ phase: "refused", refusal: error, ...empty });
    this.#reset();
  }

  /** Gives ordinary rows to new records without focus when more are above the rows than allowed. */
  #realignCreated(): void {
    if (this.#isHeld || this.#isClosed || this.isAligning) return;
    const unoccupied = this.#own.storedAbove.filter((id) => !this.#own.isOccupied(id));
    if (unoccupied.length > PINNED_MAX_RECORDS) this.realign({ isAsked: false });
  }

  // Marks and numbers

  /** Evaluates rows that are newer than the page, among them `added` ones that it may not count, and takes its counts. */
  #applyPage(loaded: Loaded | null, added = 0): void {
    if (!loaded) return;
    const { page, placed, end } = loaded;
    const { cache } = this.#source;
    const isNewer = (id: string) =>
      (cache.get(id)?.asOf ?? 0) > page.seq || this.#hasPendingEdit(id);
    this.#mark(placed.filter(isNewer));
    if (page.seq !== this.#source.position()) this.#probe.recount();
    const { total, totalExact, estimate } = page;
    const apart = this.#table.waiting.count + this.#own.storedAbove.length - added;
    const counted = { total: estimate ?? total, totalExact, end };
    const rowCount = countRows(this.#table, counted, apart);
    this.#update({ rowCount, total, totalExact, estimate, phase: "ready", refusal: null });
  }

  /** Time has passed: rows may have left the view, and others may have come into it, without any change. */
  #followClock(): void {
    this.#stopClock = this.#source.clock.after(CLOCK_EVERY_MS, () => {
      this.evaluateByClock();
      this.#followClock();
    });
  }

  /** The time is another one: a while later, or by what the server has said of its clock. */
  evaluateByClock(): void {
    const { filter } = this.#table.view;
    if (!filter || !usesClock(filter)) return;
    this.#mark(this.#table.ids());
    this.#probe.recount();
    this.#count();
    this.#emitRows([]);
  }

  #mark(ids: Iterable<string>): void {
    const marked = mark(this.#table, ids, this.status.rowCount, this.#source.view);
    if (marked.unknown.length > 0) this.#probe.request(marked.unknown);
    this.#applyMarks(marked);
  }

  #setMark(id: string, mark: "gone" | null): void {
    const more = this.#table.setMark(id, mark);
    if (more !== null) this.#applyMarks({ changed: [id], more });
  }

  #applyMarks({ changed, more }: Pick<Marked, "changed" | "more">): void {
    for (const id of changed) this.#dirty.add(id);
    this.#adjustTotal(more);
  }

  /** So many records more belong to the view; the server's own count follows. */
  #adjustTotal(more: number): void {
    if (more === 0) return;
    this.#update({ total: Math.max(0, this.status.total + more) });
    this.#probe.recount();
  }

  /** More records than the rows go on for were counted in the view: they can be scrolled to. */
  extendTo(total: number): void {
    const apart = this.#table.waiting.count + this.#own.storedAbove.length;
    const rowCount = countRows(this.#table, { total, totalExact: true, end: null }, apart);
    if (!this.status.totalExact && rowCount > this.status.rowCount) this.#update({ rowCount });
  }

  /** The server has counted the view again. */
  #applyTotal({
    total,
    totalExact,
    estimate,
  }: Pick<Page, "total" | "totalExact" | "estimate">): void {
    this.#update({ total, totalExact, estimate });
    const { view, waiting, absent, begun } = this.#table;
    if (!totalExact || !view.filter || !usesClock(view.filter)) return;
    const above = this.#own.storedAbove.length;
    const known = this.status.rowCount - absent + above + waiting.listed;
    waiting.setUnlisted(total - known + begun.size);
    this.#count();
  }

  /** Publishes how many records wait and how many rows are displaced. */
  #count(): void {
    const { waiting, marks } = this.#table;
    this.#update({ waiting: waiting.count, displaced: marks.size });
  }

  /** Whether the screen shows more of a record than the server has, or nothing is known of it. */
  #hasPendingEdit(id: string): boolean {
    return this.#source.view(id)?.confirmed !== null;
  }

  // Notifications

  #addRows(count: number): void {
    this.#update({ rowCount: this.status.rowCount + count });
    this.#reset();
  }

  #update(some: Partial<RowListStatus>): void {
    const names = Object.keys(some) as (keyof RowListStatus)[];
    if (names.every((name) => this.#status[name] === some[name])) return;
    this.#status = { ...this.#status, ...some };
    this.#source.store.set(this.statusAtom, this.#status);
  }

  #emitRows(flashes: readonly Flash[]): void {
    if (this.#dirty.size === 0) return;
    const records = this.#dirty;
    this.#dirty = new Set();
    const shown = flashes.filter(({ record }) => records.has(record));
    this.#listeners.emit({ kind: "rows", records, flashes: shown });
  }

  #reset(): void {
    this.#listeners.emit({ kind: "reset" });
  }
}
