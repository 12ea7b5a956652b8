import type { Position } from "../../shared/protocol/position.ts";
import type { FeedState, LogChange, LogSpan } from "../store/log-change.ts";
import { changeBytes } from "./change-bytes.ts";
import { type FeedLog, SPAN_MAX_CHANGES } from "./feed-log.ts";
import { FeedRing, type RingBounds } from "./feed-ring.ts";
import { markOf } from "./mark-of.ts";
import { readNext } from "./read-next.ts";

/**
 * An event of a tail: more of its feed, or a position that does not follow from the former one by changes. If it `continues`
 * the former, as another epoch or further on (P11), positions still mean the same and nothing that was sent has become wrong.
 */
export type TailEvent =
  | { kind: "changes"; tail: FeedTail; changes: LogChange[] }
  | { kind: "reset"; tail: FeedTail; continues: boolean };

/**
 * One server's view of one feed. It advances by spans that the relay publishes as long as they continue its
 * position; at a gap, another epoch or a head beyond its own it reads the log itself. It emits every change
 * once, in order, and never one of another epoch, or behind changes that it skipped, without a reset before.
 */
export class FeedTail {
  readonly table: string;
  readonly #deps;
  #epoch: string;
  #floor: number;
  #ring: FeedRing;
  /** How far the current epoch is known to continue former ones. */
  #formerEpochs = new Map<string, number>();
  /** All scopes send the mark of the newest change. */
  #lastMark: { change: LogChange; mark: string } | null = null;
  #isBehind = false;
  #reading: Promise<void> | null = null;
  #loadingEarlier: Promise<void> = Promise.resolve();

  constructor(
    state: FeedState,
    deps: {
      log: FeedLog;
      ring: RingBounds;
      /** With more changes to read than this, it goes on at the head. */
      maxBehind: number;
      markKey: Buffer;
      onEvent: (event: TailEvent) => void;
    },
  ) {
    this.table = state.table;
    this.#deps = deps;
    this.#epoch = state.epoch;
    this.#floor = state.floor;
    this.#ring = this.#beginRing(state.head);
  }

  /** Holds nothing but, in a moment, the change at the position where it begins. */
  #beginRing(head: number): FeedRing {
    this.loadEarlier(head).catch(() => undefined);
    return new FeedRing(head, this.#deps.ring);
  }

  get epoch(): string {
    return this.#epoch;
  }

  get seq(): number {
    return this.#ring.seq;
  }

  /** A span from the bus: known changes are dropped, a gap is filled from the log. */
  accept(span: LogSpan): void {
    if (span.epoch !== this.#epoch || !this.#append(span)) this.#fallBehind();
  }

  /** A head from the bus or the log: one beyond ours means that something was missed. */
  acceptHead(state: FeedState): void {
    if (state.epoch !== this.#epoch) {
      this.#fallBehind();
      return;
    }
    this.#floor = state.floor;
    this.#isBehind = state.head > this.seq;
    if (this.#isBehind) this.#fallBehind();
  }

  /** The feed has more than this server has read, or may have it: the log could not be read. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Reads the log to its current end. Concurrent calls share one reading. */
  catchUp(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** A position as one of the current epoch; null if it belongs to another history. */
  async translate<P extends Position>(position: P): Promise<P | null> {
    if (position.epoch === this.#epoch) return position;
    // A position from another server may be of an epoch that this one has not heard of yet.
    await this.catchUp();
    if (position.epoch === this.#epoch) return position;
    const { epoch } = this;
    return (await this.#isFormerPosition(position)) ? { ...position, epoch } : null;
  }

  /** Many clients that return after a restart read the log once, for the farthest of them. */
  async #isFormerPosition({ epoch, seq }: Position): Promise<boolean> {
    const formerEpochs = this.#formerEpochs;
    if (seq <= (formerEpochs.get(epoch) ?? -1)) return true;
    const holds = await this.#deps.log.holds(this.table, { epoch, seq });
    if (holds) formerEpochs.set(epoch, Math.max(seq, formerEpochs.get(epoch) ?? -1));
    return holds;
  }

  /** The mark of a position without waiting; undefined if the ring does not hold its change. */
  markAt(seq: number): string | undefined {
    const change = this.#ring.at(seq);
    if (!change) return undefined;
    if (this.#lastMark?.change !== change) {
      this.#lastMark = { change, mark: markOf(change, this.#deps.markKey) };
    }
    return this.#lastMark.mark;
  }

  /** Whether a client's position is one of this history, by its mark. Before the log begins there is nothing to compare. */
  agrees({ seq, mark }: { seq: number; mark?: string | undefined }): boolean {
    return mark === undefined || seq <= this.#floor || mark === this.markAt(seq);
  }

  /** Whether the ring holds everything after a position, and the change there. */
  reaches(seq: number): boolean {
    const { start } = this.#ring;
    return start < seq || (start === seq && seq <= this.#floor);
  }

  /** Everything in (after, seq] without waiting; null if the ring does not reach back that far. */
  recent(after: number): LogChange[] | null {
    return this.#ring.since(after);
  }

  /**
   * Reads the log backwards into the ring, so that it `reaches(after)`. Callers are queued: of a thousand
   * screens that return after a restart the first one pays and the others find it there. Rejects if the log can't be read.
   */
  loadEarlier(after: number): Promise<void> {
    const loading = this.#loadingEarlier.then(() => this.#extend(after));
    this.#loadingEarlier = loading.catch(() => undefined);
    return loading;
  }

  #fallBehind(): void {
    this.#isBehind = true;
    void this.catchUp();
  }

  /** Reading failed: the next head, span or poll tries again. */
  async #read(): Promise<void> {
    try {
      while (await this.#readOnce());
      this.#isBehind = false;
    } catch {
      // the store is unavailable; the poll reports it
      this.#isBehind = true;
    }
  }

  /** One piece of the log; whether there may be more. */
  async #readOnce(): Promise<boolean> {
    const { log, maxBehind } = this.#deps;
    const { table, epoch, seq } = this;
    const place = { table, epoch, seq, last: this.#ring.at(seq) };
    const span = await readNext(log, place, maxBehind);
    if (!span) return false;
    if (span.epoch !== this.#epoch || !isDense(span)) return this.#restartAtHead();
    if (span.from > seq) return this.#skipTo(span.from);
    if (!this.#append(span)) return true;
    return span.changes.length > 0 && span.to < span.head;
  }

  async #extend(after: number): Promise<void> {
    const ring = this.#ring;
    if (after < this.#floor || this.reaches(after)) return;
    const found: LogChange[] = [];
    let bytes = 0;
    for (let from = Math.max(after - 1, this.#floor); from < ring.start; ) {
      const span = await this.#deps.log.readSpan(this.table, from, SPAN_MAX_CHANGES);
      if (!span || span.epoch !== this.#epoch || !isDense(span) || ring !== this.#ring) return;
      if (span.changes.length === 0) return;
      from = span.to;
      for (const change of span.changes) {
        found.push(change);
        bytes += changeBytes(change);
      }
      // More than the ring may hold is not replayed: the client reads what it shows again.
      if (bytes > this.#deps.ring.bytes) return;
    }
    ring.prepend(found);
  }

  /** Another epoch, or a log that was pruned past us: only the current end can be used. */
  async #restartAtHead(): Promise<boolean> {
    const states = await this.#deps.log.readFeedStates();
    const state = states.find(({ table }) => table === this.table);
    if (!state) return false;
    const here = { epoch: this.#epoch, seq: this.seq };
    const continues = state.epoch !== here.epoch && (await this.#deps.log.holds(this.table, here));
    this.#epoch = state.epoch;
    this.#floor = state.floor;
    this.#formerEpochs = new Map();
    if (!continues) this.#ring = this.#beginRing(state.head);
    this.#deps.onEvent({ kind: "reset", tail: this, continues });
    return true;
  }

  /** The changes before `seq` are too many for any screen. */
  #skipTo(seq: number): boolean {
    if (seq > this.seq) {
      this.#ring = this.#beginRing(seq);
      this.#deps.onEvent({ kind: "reset", tail: this, continues: true });
    }
    return true;
  }

  #append(span: LogSpan): boolean {
    const changes = this.#ring.append(span);
    if (!changes) return false;
    if (changes.length > 0) this.#deps.onEvent({ kind: "changes", tail: this, changes });
    return true;
  }
}

/** A pruned log may begin later than the requested position: a gap like any other. */
function isDense({ from, to, changes }: LogSpan): boolean {
  return to === from + changes.length && (changes.length === 0 || changes[0]?.seq === from + 1);
}
