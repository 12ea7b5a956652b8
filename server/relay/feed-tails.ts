import type { Limits } from "../../shared/limits.ts";
import { Listeners } from "../../shared/listeners.ts";
import type { Position } from "../../shared/protocol/position.ts";
import { every } from "../store/every.ts";
import type { FeedState, LogChange, LogSpan } from "../store/log-change.ts";
import type { Bus } from "./bus/bus.ts";
import type { FeedLog } from "./feed-log.ts";
import { FEEDS_CHANNEL, type FeedsMessage, HINT_CHANNEL } from "./feed-messages.ts";
import { FeedTail, type TailEvent } from "./feed-tail.ts";
import type { Log } from "./log.ts";

/** The relay sends heads every 2 s: a server without one for this long is cut off from it. */
const RELAY_SILENCE_MS = 3_000;
/** The log refuses to be read for this long: it is no passing failure, and screens must not say "Live" any more. */
const UNREADABLE_AFTER_MS = 1_000;
/**
 * Without a head or an answer of the log for this long, or with a known head not read, the data may be
 * outdated.
 */
const OUTDATED_AFTER_MS = 8_000;

/**
 * All feeds of this server. They come from the relay, by the bus. Where they may not, because the bus is degraded or the relay
 * silent, the log is polled, so that screens are updated without either, only more slowly. `degradedReason` says so to screens;
 * docs/ARCHITECTURE.md lists what else changes while the bus is degraded.
 */
export class FeedTails {
  readonly #deps;
  readonly #tails = new Map<string, FeedTail>();
  readonly #eventListeners: Listeners<TailEvent>;
  readonly #degradedListeners: Listeners<void>;
  readonly #undo: (() => void)[] = [];
  #receivedAt = performance.now();
  #readAt = performance.now();
  /** Since when each reading of the log has failed. */
  #failingSince: number | null = null;
  /** When this server last had everything that it knew of. */
  #completeAt = performance.now();
  #polling: Promise<void> | null = null;
  #outdated = false;

  constructor(deps: {
    log: FeedLog;
    bus: Bus;
    logger: Log;
    /** Of the marks that clients get (mark-of.ts). */
    markKey: Buffer;
    limits: Pick<
      Limits,
      "RING_MAX_CHANGES" | "RING_MAX_BYTES" | "RELAY_POLL_MS" | "REPLAY_MAX_CHANGES"
    >;
    outdatedAfterMs?: number;
  }) {
    this.#deps = deps;
    const onThrow = (err: unknown) => deps.logger.error({ err }, "a feed listener failed");
    this.#eventListeners = new Listeners(onThrow);
    this.#degradedListeners = new Listeners(onThrow);
  }

  /** Reads the heads of all feeds, and follows from there. */
  async start(): Promise<void> {
    const { bus, limits } = this.#deps;
    this.#undo.push(bus.subscribe(FEEDS_CHANNEL, (message) => this.#receive(message)));
    this.#undo.push(bus.subscribe(HINT_CHANNEL, (table) => this.#receiveHint(table)));
    this.#undo.push(
      bus.onState(() => {
        void this.poll();
        this.#degradedListeners.emit();
      }),
    );
    for (const state of await this.#deps.log.readFeedStates()) this.#applyState(state);
    this.#undo.push(
      every(limits.RELAY_POLL_MS, () => {
        if (this.#isCutOff()) void this.poll();
        this.#checkOutdated();
      }),
    );
  }

  stop(): void {
    for (const undo of this.#undo.splice(0)) undo();
  }

  /** Emits every change of every feed, once and in order. Returns a function that unsubscribes. */
  onEvent(listener: (event: TailEvent) => void): () => void {
    return this.#eventListeners.add(listener);
  }

  /**
   * Why what this server shows may be late (`bus`: others' messages don't arrive), or old for longer (`store`: it can't know the
   * current data).
   */
  degradedReason(): "bus" | "store" | null {
    if (this.#outdated) return "store";
    return this.#deps.bus.state() === "degraded" ? "bus" : null;
  }

  /** Called when the reason may have changed. */
  onDegradedChange(listener: () => void): () => void {
    return this.#degradedListeners.add(listener);
  }

  /**
   * Accepts what this server committed, before the leader publishes it, if it continues what is known. A gap is left to the
   * leader: it will publish what fills it.
   */
  acceptOwn(span: LogSpan): void {
    const tail = this.#tails.get(span.table);
    if (tail?.epoch === span.epoch && tail.seq === span.from) tail.accept(span);
  }

  get(table: string): FeedTail | undefined {
    return this.#tails.get(table);
  }

  /** What follows a position, from memory; null if that is of another epoch or does not reach back so far. */
  recent(table: string, { epoch, seq }: Position): LogChange[] | null {
    const tail = this.#tails.get(table);
    return tail?.epoch === epoch ? tail.recent(seq) : null;
  }

  /** The tail of a table that may have been created just now; undefined if it has no feed. */
  async find(table: string): Promise<FeedTail | undefined> {
    const known = this.#tails.get(table);
    if (known) return known;
    for (const state of await this.#deps.log.readFeedStates()) this.#applyState(state);
    return this.#tails.get(table);
  }

  /** Per table, the number of changes in the log that this server has not seen yet. */
  async lag(): Promise<Record<string, number>> {
    const states = await this.#deps.log.readFeedStates();
    const lagOf = (table: string, head: number) => head - (this.#tails.get(table)?.seq ?? head);
    return Object.fromEntries(states.map(({ table, head }) => [table, lagOf(table, head)]));
  }

  /** Compares every feed with the log and reads what is missing. */
  poll(): Promise<void> {
    this.#polling ??= this.#pollOnce().finally(() => {
      this.#polling = null;
    });
    return this.#polling;
  }

  /** The relay's messages may not arrive: this server reads the log itself. */
  #isCutOff(): boolean {
    const isRelaySilent = performance.now() - this.#receivedAt > RELAY_SILENCE_MS;
    return isRelaySilent || this.#failingSince !== null || this.#deps.bus.state() === "degraded";
  }

  #checkOutdated(): void {
    const now = performance.now();
    if (![...this.#tails.values()].some(({ isBehind }) => isBehind)) this.#completeAt = now;
    const knownAt = Math.min(this.#completeAt, Math.max(this.#receivedAt, this.#readAt));
    const isUnreadable = now - (this.#failingSince ?? now) > UNREADABLE_AFTER_MS;
    this.#setOutdated(
      isUnreadable || now - knownAt > (this.#deps.outdatedAfterMs ?? OUTDATED_AFTER_MS),
    );
  }

  #setOutdated(isOutdated: boolean): void {
    if (isOutdated === this.#outdated) return;
    this.#outdated = isOutdated;
    if (isOutdated) this.#deps.logger.warn("the change log can't be read");
    this.#degradedListeners.emit();
  }

  async #pollOnce(): Promise<void> {
    const { log } = this.#deps;
    const known = new Map(
      [...this.#tails].map(([table, { epoch, seq }]) => [table, { epoch, seq }]),
    );
    try {
      const states = await log.readFeedStates();
      for (const state of states) {
        const before = known.get(state.table);
        const isLost = before?.epoch === state.epoch && state.head < before.seq;
        if (isLost) await log.abandonEpoch(state.table, state.epoch);
        this.#applyState(state);
        if (isLost) void this.#tails.get(state.table)?.catchUp();
      }
      // Of tables that were removed. One that was made meanwhile was not known before.
      const tables = new Set(states.map(({ table }) => table));
      for (const table of known.keys()) if (!tables.has(table)) this.#tails.delete(table);
      this.#readAt = performance.now();
      this.#failingSince = null;
    } catch {
      // a lasting failure makes the server outdated; the next poll repairs a passing one
      this.#failingSince ??= performance.now();
    }
  }

  #receive(message: FeedsMessage): void {
    this.#receivedAt = performance.now();
    if ("heads" in message) {
      const isAhead = message.heads.some((state) => this.#isAheadOf(state));
      for (const state of message.heads) this.#applyState(state);
      // Either the leader will follow in a moment, or the log was reset under this server, or a table was removed: the log decides.
      if (isAhead || this.#tails.size > message.heads.length) void this.poll();
      return;
    }
    const tail = this.#tails.get(message.span.table);
    if (tail) tail.accept(message.span);
    else void this.poll();
  }

  #isAheadOf({ table, epoch, head }: FeedState): boolean {
    const tail = this.#tails.get(table);
    return tail !== undefined && tail.epoch === epoch && tail.seq > head;
  }

  /** Of this server's own commits: where the leader's message may not arrive, they are read at once. */
  #receiveHint(table: string): void {
    if (this.#isCutOff()) void this.#tails.get(table)?.catchUp();
  }

  #applyState(state: FeedState): void {
    const tail = this.#tails.get(state.table);
    if (tail) tail.acceptHead(state);
    else this.#tails.set(state.table, this.#create(state));
  }

  #create(state: FeedState): FeedTail {
    const { RING_MAX_CHANGES, RING_MAX_BYTES, REPLAY_MAX_CHANGES } = this.#deps.limits;
    return new FeedTail(state, {
      log: this.#deps.log,
      markKey: this.#deps.markKey,
      ring: { changes: RING_MAX_CHANGES, bytes: RING_MAX_BYTES },
      maxBehind: REPLAY_MAX_CHANGES,
      onEvent: (event) => this.#eventListeners.emit(event),
    });
  }
}
