import type { Filter } from "../../../../shared/filter/filter.ts";
import type { PrimitiveAtom } from "../../state/atom-store.ts";
import type { RecordView } from "../../state/record-view.ts";
import type { WindowStatus } from "../../state/window-status.ts";
import type { Flash } from "../records/flash.ts";

/** What a view asks for, as the wire has it: `-` before a descending field. */
export interface ViewQuery {
  filter: Filter | null;
  sort: readonly string[];
  search: string;
  /** Time zone of `$today`; the browser's unless given. */
  zone?: string;
}

export interface WindowRows {
  rows: RecordView[];
  /** Rows to scroll over, as known now. */
  rowCount: number;
}

/**
 * `rows`: these records look different now - `node.setData(window.get(id))`. `reset`: order or
 * membership was read anew - ask for the rows again (`refreshInfiniteCache()`); rows that are the
 * same come back as the same objects.
 */
export type RowsEvent =
  | { kind: "rows"; records: ReadonlySet<string>; flashes: readonly Flash[] }
  | { kind: "reset" };

/** Rows a window holds at most; a grid's cache (block size × blocks) must be no larger than half. */
export const WINDOW_MAX_ROWS = 4_000;

/**
 * A view of a table as windows of rows. Rows never jump: after a change a record stays where it is,
 * marked, and new ones wait, until `realign()`. No record is in two rows.
 */
export interface RecordWindow {
  /** The rows [start, end), from what is held or from the server; rejects with a `Refusal`. */
  getRows(start: number, end: number): Promise<WindowRows>;
  /** A row as shown now, if it is held. */
  get(record: string): RecordView | undefined;
  at(index: number): RecordView | undefined;
  /** The rows of [start, end) that are held, from the top. */
  heldRows(start: number, end: number): number[];
  indexOf(record: string): number;
  /** Whether a record that is held belongs to the view, wherever its row is; null where only the server knows. */
  belongs(record: string): boolean | null;
  /** My own new records since the last alignment, newest first: to be pinned above the rows, as far as none was placed in a row. */
  readonly created: readonly RecordView[];
  /** Whether a record is one of my own new ones since the last alignment, above the rows or placed in one. */
  isCreated(record: string): boolean;
  /** The row id of a record. It stays the same when a new record is given another id. */
  rowId(record: string): string;
  /** Shows a record that I am creating in this row; for null above the rows, as without this call. */
  placeCreated(record: string, row: number | null): void;
  /**
   * While held, rows move only where their user asks for it: new records stay above the rows, however many there are and also if they are
   * deleted, and an alignment that nobody has asked for has no effect.
   */
  hold(isHeld: boolean): void;
  readonly isHeld: boolean;
  /**
   * The record that has the focus keeps its place above the rows; null for none. When all rows are read anew, none moves, comes or goes as
   * long as they are in use: the focus is in them, also on none of their records.
   */
  setCurrent(record: string | null, isInUse?: boolean): void;
  readonly status: WindowStatus;
  readonly statusAtom: PrimitiveAtom<WindowStatus>;
  /** The view that was asked for last. The rows of the one before are shown until its own are there. */
  readonly view: ViewQuery;
  /** The view whose rows are shown. */
  readonly shownView: ViewQuery;
  /** Another filter, order or search; answers by a `reset`. */
  setView(view: ViewQuery): void;
  /** The visible rows: read first after a resync, never evicted. */
  setVisible(start: number, end: number): void;
  /** A record whose editor is open is never evicted. */
  beginEdit(record: string): void;
  endEdit(record: string): void;
  /** Puts displaced rows where they belong and lets waiting ones in; answers by a `reset`. Without being asked, unless rows are held by then. */
  realign(options?: { isAsked: boolean }): void;
  /** Whether the view is being read anew. Who realigns again and again waits for that: each call begins it from the start. */
  readonly isAligning: boolean;
  /** At most once per tick. */
  onRows(callback: (event: RowsEvent) => void): () => void;
  /** Whether it is read no more. */
  readonly isClosed: boolean;
  close(): void;
}
