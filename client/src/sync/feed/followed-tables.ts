import type { WireChange } from "../../../../shared/protocol/feed.ts";
import type { Position } from "../../../../shared/protocol/position.ts";
import type { EditRef, RecordView } from "../../state/record-view.ts";
import type { TablePhase } from "../../state/table-state.ts";
import type { CoreParts } from "../core-parts.ts";
import { Overlay } from "../edits/overlay.ts";
import type { Touched } from "../records/flash.ts";
import type { RowList } from "../rows/row-list.ts";
import type { ViewQuery } from "../rows/view-query.ts";
import { type FollowerCounters, TableFollower } from "./table-follower.ts";

/** A table stays followed a little longer than it is shown, since users go back and forth. */
const LINGER_MS = 2_000;
const UNSUBSCRIBE_TIMEOUT_MS = 15_000;

interface Followed {
  follower: TableFollower;
  openers: number;
  cancelLinger: (() => void) | null;
}

/** The tables that this page follows, each once for all who opened it. */
export class FollowedTables {
  readonly #deps;
  readonly #tables = new Map<string, Followed>();
  readonly #overlays = new Map<string, Overlay>();
  #isStopped = false;

  constructor(
    deps: CoreParts & {
      isUp(): boolean;
      onProgress(): void;
      onSessionEnded(): void;
      onScopeChanged(table: string, visible: (record: string) => boolean): void;
      onAgreed(edit: EditRef, field: string): void;
      onRightsChanged(): void;
      /** Changes of a followed table, in the order of the log. */
      onChanges(table: string, changes: readonly WireChange[], epoch: string): void;
      /** Nobody shows the table any more. */
      onUnfollowed(table: string): void;
    },
  ) {
    this.#deps = deps;
  }

  get isCaughtUp(): boolean {
    return this.all().every(({ isCaughtUp }) => isCaughtUp);
  }

  all(): TableFollower[] {
    return [...this.#tables.values()].map(({ follower }) => follower);
  }

  get(table: string): TableFollower | undefined {
    return this.#tables.get(table)?.follower;
  }

  /** The user's own ops over a table, followed or not. */
  overlay(table: string): Overlay {
    const known = this.#overlays.get(table);
    if (known) return known;
    const made = new Overlay();
    this.#overlays.set(table, made);
    return made;
  }

  open(table: string): TableSession {
    const followed = this.#follow(table);
    followed.openers += 1;
    followed.cancelLinger?.();
    followed.cancelLinger = null;
    return new TableSession(followed.follower, () => this.#closeOne(table, followed));
  }

  stop(): void {
    this.#isStopped = true;
    for (const { follower, cancelLinger } of this.#tables.values()) {
      cancelLinger?.();
      follower.close();
    }
    this.#tables.clear();
  }

  #follow(table: string): Followed {
    const known = this.#tables.get(table);
    if (known) return known;
    const follower = new TableFollower({
      ...this.#deps,
      table,
      overlay: this.overlay(table),
      onScopeChanged: (visible) => this.#deps.onScopeChanged(table, visible),
    });
    const made: Followed = { follower, openers: 0, cancelLinger: null };
    this.#tables.set(table, made);
    if (this.#deps.isUp()) follower.onConnected();
    return made;
  }

  #closeOne(table: string, followed: Followed): void {
    followed.openers -= 1;
    if (followed.openers > 0 || this.#isStopped) return;
    const { clock, transport, isUp, onUnfollowed, onProgress } = this.#deps;
    followed.cancelLinger = clock.after(LINGER_MS, () => {
      this.#tables.delete(table);
      followed.follower.close();
      onUnfollowed(table);
      if (isUp()) transport.call("unsubscribe", { table }, UNSUBSCRIBE_TIMEOUT_MS).catch(() => {});
      onProgress();
    });
  }
}

/**
 * A table that this page follows, for one of those who opened it. They share the subscription, and it ends with the last `close()`.
 * `position` moves only through messages that continue it; a hole subscribes again.
 */
export class TableSession {
  readonly table: string;
  readonly counters: Readonly<FollowerCounters>;
  readonly #follower: TableFollower;
  readonly #onClose: () => void;
  #isClosed = false;

  constructor(follower: TableFollower, onClose: () => void) {
    this.table = follower.table;
    this.counters = follower.counters;
    this.#follower = follower;
    this.#onClose = onClose;
  }

  get phase(): TablePhase {
    return this.#follower.phase;
  }

  get position(): Position | null {
    return this.#follower.position;
  }

  /** Opens a view of the table; it lives until its own `close()`. */
  openRowList(view: ViewQuery): RowList {
    return this.#follower.openRowList(view);
  }

  /** The record as shown, if it is cached here. */
  get(record: string): RecordView | undefined {
    return this.#follower.get(record);
  }

  /**
   * Reads one record, if it may be seen, and keeps it current until `release`: for the record panel.
   * Null where there is none. `recordAtom(table, record)` follows it.
   */
  hold(record: string): Promise<RecordView | null> {
    return this.#follower.hold(record);
  }

  /** Keeps a record that is cached already, and keeps it current, until `release`. */
  retain(record: string): void {
    this.#follower.retain(record);
  }

  release(record: string): void {
    this.#follower.release(record);
  }

  /** Calls back once per tick with what changed. */
  onTouched(callback: (touched: Touched) => void): () => void {
    return this.#follower.onTouched(callback);
  }

  close(): void {
    if (!this.#isClosed) this.#onClose();
    this.#isClosed = true;
  }
}
