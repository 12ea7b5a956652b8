import type { FeedState, LogChange, LogSpan } from "../store/log-change.ts";
import type { Bus } from "./bus/bus.ts";
import type { FeedLog } from "./feed-log.ts";
import { FEEDS_CHANNEL, type FeedsMessage } from "./feed-messages.ts";
import type { Log } from "./log.ts";
import { readNext } from "./read-next.ts";

export interface LeaderTermDeps {
  log: FeedLog;
  bus: Bus;
  logger: Log;
  limits: { RELAY_POLL_MS: number; REPLAY_MAX_CHANGES: number };
}

/** One feed as the leader has published it. */
interface Cursor extends FeedState {
  /** The change at the head, if it was published by this leader. */
  last?: LogChange | undefined;
  isReading: boolean;
  /** The log may hold more than was published. */
  mustReadAgain: boolean;
  /** Spans that committers have passed on and that are not processed yet. */
  handedOver: LogSpan[];
}

const RELAY_HEADS_INTERVAL_MS = 2_000;
/** After this many changes at once heads follow at once: a bus may leave out what is too large for it. */
const BULK_CHANGES = 100;
/** A leader that has not read the log for this long sends no heads. */
const SILENT_AFTER_MS = 3_000;

/**
 * The time during which this server leads. A wake-up becomes one read and one publication at once, without a
 * timer; wake-ups during a read are combined into one more. This server's own commits come with the wake-up
 * and are published directly if they continue what was published before. Otherwise the log is read, so that
 * nothing is left out or reordered. Heads name what was published, not what the log holds: a server behind
 * them has lost something.
 */
export class LeaderTerm {
  readonly #deps: LeaderTermDeps;
  readonly #cursors = new Map<string, Cursor>();
  readonly #timers: NodeJS.Timeout[];
  #ended = false;
  #polling = false;
  #isStoreUnavailable = false;
  #readAt = 0;

  constructor(deps: LeaderTermDeps) {
    this.#deps = deps;
    this.#timers = [
      setInterval(() => void this.#poll(), deps.limits.RELAY_POLL_MS),
      setInterval(() => this.#sendHeartbeat(), RELAY_HEADS_INTERVAL_MS),
    ];
    void this.#poll();
  }

  /** More was committed to a feed, null: to any; `span` contains it, if known. */
  wake(table: string | null, span: LogSpan | null = null): void {
    const cursor = table === null ? undefined : this.#cursors.get(table);
    if (!cursor) void this.#poll();
    else if (span) {
      cursor.handedOver.push(span);
      void this.#publishNext(cursor);
    } else this.#requestRead(cursor);
  }

  /** Nothing is published from here on, also not by a read in flight. */
  end(): void {
    this.#ended = true;
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** Finds changes without a hint: writes of other programs, new feeds, new epochs, and feeds whose table was removed. */
  async #poll(): Promise<void> {
    if (this.#polling || this.#ended) return;
    this.#polling = true;
    const { log } = this.#deps;
    const published = new Map([...this.#cursors].map(([table, { head }]) => [table, head]));
    try {
      const states = await log.readFeedStates();
      if (this.#ended) return;
      for (const { table, epoch, head } of states) {
        const isLost =
          this.#cursors.get(table)?.epoch === epoch && head < (published.get(table) ?? 0);
        // The next poll finds the epoch that this begins, and announces it to all servers.
        if (isLost) await log.abandonEpoch(table, epoch);
      }
      this.#readAt = performance.now();
      const tables = new Set(states.map(({ table }) => table));
      for (const table of published.keys()) if (!tables.has(table)) this.#cursors.delete(table);
      if (states.map((state) => this.#updateCursor(state)).some((isNew) => isNew))
        this.#publishHeads();
      this.#isStoreUnavailable = false;
    } catch (err) {
      if (!this.#isStoreUnavailable)
        this.#deps.logger.warn({ err }, "the relay can't read the log");
      this.#isStoreUnavailable = true;
    } finally {
      this.#polling = false;
    }
  }

  /** Whether the feed or its epoch is new; then it is followed from its current head. */
  #updateCursor(state: FeedState): boolean {
    const cursor = this.#cursors.get(state.table);
    if (cursor?.epoch !== state.epoch) {
      this.#cursors.set(state.table, {
        ...state,
        isReading: false,
        mustReadAgain: false,
        handedOver: [],
      });
      return true;
    }
    cursor.floor = state.floor;
    if (state.head > cursor.head) this.#requestRead(cursor);
    return false;
  }

  #requestRead(cursor: Cursor): void {
    cursor.mustReadAgain = true;
    void this.#publishNext(cursor);
  }

  /** Publishes the spans that were passed on, and reads the log as long as that may hold more. */
  async #publishNext(cursor: Cursor): Promise<void> {
    if (cursor.isReading) return;
    cursor.isReading = true;
    try {
      for (
        this.#publishHandedOver(cursor);
        cursor.mustReadAgain && !this.#ended;
        this.#publishHandedOver(cursor)
      ) {
        cursor.mustReadAgain = false;
        await this.#readNext(cursor);
      }
    } catch {
      // the store is unavailable: the poll reports it, and finds what is missing when it is back
    } finally {
      cursor.isReading = false;
    }
  }

  #publishHandedOver(cursor: Cursor): void {
    for (const span of cursor.handedOver.splice(0)) {
      const isSameEpoch = span.epoch === cursor.epoch;
      if (isSameEpoch && span.to <= cursor.head) continue;
      if (isSameEpoch && span.from === cursor.head && !this.#ended) this.#advance(cursor, span);
      else cursor.mustReadAgain = true;
    }
  }

  async #readNext(cursor: Cursor): Promise<void> {
    const { log, limits } = this.#deps;
    const { table, epoch, head: seq, last } = cursor;
    const place = { table, epoch, seq, last };
    const read = await readNext(log, place, limits.REPLAY_MAX_CHANGES);
    if (this.#ended || !read) return;
    const { head, ...span } = read;
    if (span.epoch !== cursor.epoch) {
      void this.#poll();
      return;
    }
    if (span.from > seq) this.#skipTo(cursor, span.from);
    if (span.changes.length === 0) return;
    if (span.to < head) cursor.mustReadAgain = true;
    this.#advance(cursor, span);
  }

  #advance(cursor: Cursor, span: LogSpan): void {
    cursor.head = span.to;
    cursor.last = span.changes.at(-1);
    this.#publish({ span });
    if (span.changes.length >= BULK_CHANGES) this.#publishHeads();
  }

  /** Publishes only that the feed has gone so far: each server skips what is too much for its screens by itself (P11). */
  #skipTo(cursor: Cursor, seq: number): void {
    cursor.head = seq;
    cursor.last = undefined;
    cursor.mustReadAgain = true;
    this.#publishHeads();
  }

  #sendHeartbeat(): void {
    if (performance.now() - this.#readAt < SILENT_AFTER_MS) this.#publishHeads();
  }

  #publishHeads(): void {
    const heads = [...this.#cursors.values()].map(({ table, epoch, head, floor }) => {
      return { table, epoch, head, floor };
    });
    this.#publish({ heads });
  }

  #publish(message: FeedsMessage): void {
    this.#deps.bus.publish(FEEDS_CHANNEL, message);
  }
}
