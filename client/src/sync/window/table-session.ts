import type { Position } from "../../../../shared/protocol/position.ts";
import type { RecordView } from "../../state/record-view.ts";
import type { TablePhase } from "../../state/table-state.ts";
import type { Flash } from "../records/flash.ts";
import type { RecordWindow, ViewQuery } from "./record-window.ts";

/** What one tick touched: confirmed values, overlay or marks. */
export interface Touched {
  records: ReadonlySet<string>;
  flashes: readonly Flash[];
  /** The fields that logged changes have set, and `id` if records came or went: of all visible records. */
  changed: ReadonlySet<string>;
}

/** Things that should stay at zero, or at least be rare; for tests, proofs and the curious. */
export interface SessionCounters {
  holes: number;
  duplicates: number;
  unreadable: number;
  resyncs: number;
}

/**
 * A table that this page follows. The subscription is shared by all openers and ends with the last
 * `close()`. `position` moves only through messages that continue it; a hole subscribes again.
 */
export interface TableSession {
  readonly table: string;
  readonly phase: TablePhase;
  readonly position: Position | null;
  readonly counters: Readonly<SessionCounters>;
  /** Opens a view of the table; it lives until its own `close()`. */
  openWindow(view: ViewQuery): RecordWindow;
  /** The record as shown, if it is held here. */
  get(record: string): RecordView | undefined;
  /**
   * Reads one record, if it may be seen, and keeps it current until `release`: for the record panel.
   * Null where there is none. `recordAtom(table, record)` follows it.
   */
  hold(record: string): Promise<RecordView | null>;
  /** Keeps a record that is held already, and keeps it current, until `release`. */
  retain(record: string): void;
  release(record: string): void;
  /** Calls back once per tick with what changed. */
  onTouched(callback: (touched: Touched) => void): () => void;
  close(): void;
}
