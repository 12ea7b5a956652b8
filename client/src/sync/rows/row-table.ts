import type { WireChange } from "../../../../shared/protocol/feed.ts";
import type { RecordMark } from "../../state/record-view.ts";
import type { RecordCache } from "../records/record-cache.ts";
import type { ViewEvaluator, ViewQuery, ViewRecord } from "./view-query.ts";

/** Rows are read and evicted in runs of this many. */
export const RUN_ROWS = 100;
/** Waiting records remembered with their values; of more, only the number is known. */
const REMEMBERED_MAX_RECORDS = 2_000;
/** Records asked about at once. */
export const PROBE_MAX_RECORDS = 200;

/** Rows [start, end). */
export interface Span {
  start: number;
  end: number;
}

const noIds: ReadonlySet<string> = new Set();

/**
 * One order of one view: which record is in which row, and what is known beside the rows. Sparse, because only parts of a view are
 * loaded, and without duplicates, because pages read at different times over a moving order overlap. It is replaced as a whole when
 * the view is aligned. Each record with a row is retained in the cache. `arrange-rows.ts` decides which records get rows, stay and go.
 */
export class RowTable {
  readonly view: ViewQuery;
  readonly evaluator: ViewEvaluator;
  /** Why a row is not the place of its record in the view. */
  readonly marks = new Map<string, RecordMark>();
  /** The user's new records that the server does not have: they are where they began, whatever the order says. */
  readonly begun = new Set<string>();
  readonly waiting: WaitingRecords;
  /** The sort fields of records in the rows that the server's order gave them. */
  readonly #sortTexts = new Map<string, string>();
  /** The user's new records that the server had when this was begun. */
  readonly stored: readonly string[];
  /** Those of them that leave the place above the rows and get rows. */
  leaving: readonly string[];
  readonly #cache: Pick<RecordCache, "retain" | "release">;
  readonly #ids = new Map<number, string>();
  readonly #indices = new Map<string, number>();
  readonly #used = new Map<number, number>();
  #inOrder: [row: number, id: string][] | null = null;
  #uses = 0;
  #isClosed = false;

  constructor(
    cache: Pick<RecordCache, "retain" | "release">,
    view: ViewQuery,
    evaluator: ViewEvaluator,
    { stored = [], leaving = [] }: { stored?: readonly string[]; leaving?: readonly string[] } = {},
  ) {
    this.#cache = cache;
    this.view = view;
    this.evaluator = evaluator;
    this.waiting = new WaitingRecords(evaluator);
    this.stored = stored;
    this.leaving = leaving;
  }

  get size(): number {
    return this.#ids.size;
  }

  /** One past the last row that is loaded. */
  get end(): number {
    let end = 0;
    for (const row of this.#ids.keys()) end = Math.max(end, row + 1);
    return end;
  }

  /** How many rows show a record that is none of the view's any more. */
  get absent(): number {
    return [...this.marks.values()].filter(isAbsent).length;
  }

  at(row: number): string | undefined {
    return this.#ids.get(row);
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

  /** The loaded rows, from the top. */
  rows(): [row: number, id: string][] {
    return [...this.#ids].sort(([a], [b]) => a - b);
  }

  /** The loaded rows that are in order, from the top. */
  get inOrder(): readonly [row: number, id: string][] {
    this.#inOrder ??= this.rows().filter(([, id]) => !this.marks.has(id) && !this.begun.has(id));
    return this.#inOrder;
  }

  /** Nothing once the table is closed: a page for it may still be under way. */
  set(row: number, id: string): void {
    if (this.#isClosed) return;
    this.#cache.retain(id);
    this.#put(row, id);
  }

  /** The server's order has the record, with these values, in its row. */
  notePlace(record: ViewRecord): void {
    if (this.has(record.id)) this.#sortTexts.set(record.id, this.evaluator.sortText(record));
  }

  /** The record keeps the row that it had in another table of the same view. */
  keepPlace(other: RowTable, id: string): void {
    const text = other.#sortTexts.get(id);
    if (text === undefined) this.#sortTexts.delete(id);
    else this.#sortTexts.set(id, text);
  }

  /**
   * Whether the server's order had the record in its row, and its sort fields are the same: then it is still before and behind those
   * that are equal in them. Null: the row was never one of that order, as that of a new record.
   */
  isPlaced(record: ViewRecord): boolean | null {
    const text = this.#sortTexts.get(record.id);
    return text === undefined ? null : text === this.evaluator.sortText(record);
  }

  #put(row: number, id: string): void {
    this.#inOrder = null;
    this.#ids.set(row, id);
    this.#indices.set(id, row);
  }

  /** Gives the table these rows in place of its own. */
  replaceRows(rows: ReadonlyMap<number, string>): void {
    for (const id of rows.values()) this.#cache.retain(id);
    this.clear([...this.#ids.keys()]);
    for (const [row, id] of rows) this.#put(row, id);
  }

  /** Inserts the record at a row; the rows from there on move down by one. */
  insert(row: number, id: string): void {
    const later = [...this.#ids].filter(([at]) => at >= row);
    for (const [at] of later) this.#ids.delete(at);
    this.set(row, id);
    for (const [at, other] of later) this.#put(at + 1, other);
  }

  /** Inserts a record below the row that it is below in another table, and not below the last of `count` rows. */
  insertLike(other: RowTable, id: string, count: number): void {
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

  /** Takes a record out; the rows below it move up by one. */
  remove(id: string): void {
    const index = this.indexOf(id);
    if (index < 0) return;
    this.clear([index]);
    for (const [at, other] of this.rows()) {
      if (at < index) continue;
      this.#ids.delete(at);
      this.#put(at - 1, other);
    }
  }

  /** A record that was begun here has another id, in the same row. */
  rename(from: string, to: string): void {
    if (!this.begun.has(from) || this.has(to)) return;
    const row = this.indexOf(from);
    this.#cache.retain(to);
    this.clear([row]);
    this.#put(row, to);
    this.begun.add(to);
  }

  /** Empties rows. */
  clear(rows: Iterable<number>): void {
    this.#inOrder = null;
    for (const row of rows) {
      const id = this.#ids.get(row);
      if (id === undefined) continue;
      this.#ids.delete(row);
      this.#indices.delete(id);
      this.marks.delete(id);
      this.begun.delete(id);
      this.#sortTexts.delete(id);
      this.#cache.release(id);
    }
  }

  /** Lets go of all records: another table shows the view, or none. */
  close(): void {
    this.#isClosed = true;
    this.clear([...this.#ids.keys()]);
  }

  /** Returns how many records more belong to the view by that; null if the mark is the same. */
  setMark(id: string, mark: RecordMark | null): number | null {
    const before = this.marks.get(id) ?? null;
    if (before === mark) return null;
    this.#inOrder = null;
    if (mark) this.marks.set(id, mark);
    else this.marks.delete(id);
    return Number(!isAbsent(mark)) - Number(!isAbsent(before));
  }

  /** The loaded rows of [start, end), from the top. As cheap as these are few, however many rows that is. */
  loaded(start: number, end: number): number[] {
    const isWithin = (row: number) => row >= start && row < end;
    if (end - start > this.size)
      return [...this.#ids.keys()].filter(isWithin).sort((a, b) => a - b);
    const rows: number[] = [];
    for (let row = start; row < end; row += 1) if (this.#ids.has(row)) rows.push(row);
    return rows;
  }

  /** The first run of rows in [start, end) that are not loaded; null if all are. */
  missing(start: number, end: number): Span | null {
    let from = start;
    while (from < end && this.#ids.has(from)) from += 1;
    if (from >= end) return null;
    let to = from;
    while (to < end && !this.#ids.has(to)) to += 1;
    return { start: from, end: to };
  }

  /** The loaded record nearest to a row that is in order. */
  nearestInOrder(
    row: number,
    step: 1 | -1,
    reach: number,
    except: ReadonlySet<string> = noIds,
  ): string | undefined {
    for (let hop = 1; hop <= reach; hop++) {
      const id = this.#ids.get(row + step * hop);
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

/** Whether a row with this mark is none of the view's records any more. */
function isAbsent(mark: RecordMark | null): boolean {
  return mark === "gone" || mark === "deleted";
}

/**
 * The records of a view that have no row: those that belong there now ("3 new ↑"), and those that only the server can evaluate.
 */
class WaitingRecords {
  readonly #evaluator: ViewEvaluator;
  readonly #waiting = new Map<string, ViewRecord>();
  /** By id, whether they may have come into the view; the others have moved within it, if they belong to it. */
  readonly #unknown = new Map<string, boolean>();
  #unlisted = 0;

  constructor(evaluator: ViewEvaluator) {
    this.#evaluator = evaluator;
  }

  get count(): number {
    return this.#waiting.size + this.#unlisted;
  }

  has(id: string): boolean {
    return this.#waiting.has(id);
  }

  all(): Iterable<ViewRecord> {
    return this.#waiting.values();
  }

  /**
   * Applies a change of a record that has no row. Returns the change of the view's total; null if only
   * the server knows.
   */
  applyChange(change: WireChange): number | null {
    const { record: id, kind, set } = change;
    if (kind === "delete") return this.remove(id) ? -1 : null;
    const known = this.#waiting.get(id);
    if (kind === "insert") return this.#evaluate({ id, values: set });
    if (known) return this.#evaluate({ id, values: { ...known.values, ...set } });
    if (!this.#evaluator.mayAffect(Object.keys(set))) return 0;
    this.#addUnknown(id, true);
    return null;
  }

  /** A record may have moved from rows that are not loaded to among those that are. */
  addMoved(id: string): void {
    this.#addUnknown(id, false);
  }

  /** Applies a change of a record that may be on the page that is being read, or may not be there yet. */
  applyEarly({ record, kind, set }: WireChange): void {
    const fields = Object.keys(set);
    if (kind === "insert" || this.#evaluator.mayAffect(fields)) this.#addUnknown(record, true);
    else if (this.#evaluator.mayMove(fields)) this.#addUnknown(record, false);
  }

  #evaluate(record: ViewRecord): number | null {
    const matches = this.#evaluator.matches(record);
    if (matches === null) {
      this.#addUnknown(record.id, true);
      return null;
    }
    if (!matches) return this.remove(record.id) ? -1 : 0;
    return this.add(record) ? 1 : 0;
  }

  /** Number of further records by the server's count; their ids are unknown. */
  setUnlisted(count: number): void {
    this.#unlisted = Math.max(0, count);
  }

  get listed(): number {
    return this.#waiting.size;
  }

  /** Whether the record belongs here is to be asked. Of many at once the last are not: only the total has them, until an alignment. */
  #addUnknown(id: string, isEntering: boolean): void {
    const known = this.#unknown.get(id);
    if (known === undefined && this.#unknown.size >= PROBE_MAX_RECORDS) return;
    this.#unknown.set(id, isEntering || known === true);
  }

  /** A record belongs to the view and has no row; false if that was known. */
  add(record: ViewRecord): boolean {
    const isNew = !this.#waiting.has(record.id);
    if (!isNew || this.#waiting.size < REMEMBERED_MAX_RECORDS) this.#waiting.set(record.id, record);
    else this.#unlisted += 1;
    return isNew;
  }

  remove(id: string): boolean {
    this.#unknown.delete(id);
    return this.#waiting.delete(id);
  }

  /** The records to ask the server about, and whether they may have come into the view; they count as asked. */
  takeUnknown(): ReadonlyMap<string, boolean> {
    const unknown = new Map(this.#unknown);
    this.#unknown.clear();
    return unknown;
  }

  get hasUnknown(): boolean {
    return this.#unknown.size > 0;
  }
}
