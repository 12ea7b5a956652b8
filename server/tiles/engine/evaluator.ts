import { every } from "../../store/every.ts";
import { isTimedOut } from "../../store/is-unavailable.ts";
import type { LogChange } from "../../store/log-change.ts";
import type { EvaluatorDeps } from "./evaluator-deps.ts";
import { type FeedCursor, FeedReset, type TailEvent } from "./feed-cursor.ts";
import { Feeds } from "./feeds.ts";
import { Labels } from "./labels.ts";
import type { LiveQuery } from "./live-query.ts";
import { delayTogether, partsBeside, storeTogether } from "./parts-together.ts";
import { QueryRegistry } from "./query-registry.ts";
import { readRound } from "./read-round.ts";
import { type Reading, TooManyGroups } from "./read-tile-query.ts";
import { type Arrival, changesSince, SeparateReads } from "./separate-reads.ts";
import { WallboardQueries } from "./wallboard-queries.ts";

/** Changes that arrive together are processed together, also when idle. */
const GATHER_MS = 15;
/** Tiles take at most a quarter of the time of the database and of this process: the ratio of rest to work. */
const PAUSE_PER_COST = 3;
/** However busy the machine, the longest pause between rounds, so that a display does not visibly lag. */
const PAUSE_MAX_MS = 250;
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 30_000;
const CLOCK_CHECK_MS = 250;
const VERIFY_AT_ONCE = 3;
/** What the readings of one round take together, by what they took before. Results that cost none don't wait for more than that. */
const ROUND_READS_MS = 100;
/** A slower query is read outside the rounds. */
const ROUND_TIMEOUT_MS = 250;

/**
 * Evaluates wallboards, each distinct query once, and updates the results in rounds.
 *
 * The hard part is that all values of a frame are to be of one instant, though some are updated from changes as they arrive and others are
 * read from the database, which is further on by then. Adding up a count of now and a percentile of a second ago would show parts that
 * exceed their whole. So all results of this server have one position, and only a round moves it:
 *
 * 1. Whatever is stale and fast is read in one snapshot (read-round.ts), which also shows the heads of the feeds.
 * 2. The round waits until the feeds have brought exactly these heads (`Feeds.reach`).
 * 3. From there on nothing is awaited: updated results are advanced to the heads by the changes (live-query.ts), read ones are stored,
 *    frames are composed (wallboard-queries.ts). If a feed has begun another history meanwhile, nothing of it happens (`requireHistory`).
 *
 * A round reads for about ROUND_READS_MS: where more is stale, the rest is read by the next ones in turn, so that a hundred wallboards that must be queried don't
 * hold up those that need not be.
 *
 * A round without stale results advances to where the feeds are, and asks the database nothing. There are at most
 * TILE_REFRESHES_PER_SECOND of them, and each is followed by a pause of three times its cost.
 *
 * - **What a round must not wait for is read beside it** (separate-reads.ts): queries without a result yet, slow ones, comparisons. The
 *   changes of that time are collected, by which a reading is advanced when it arrives.
 * - **What can't be updated exactly makes a result stale, never wrong**: a percentile of too many values, a number that is none, a removed largest value, too many records
 *   that left the first ten (tally.ts, top-records.ts).
 * - **The clock changes results without a write.** A query knows when the next record will cross a moving bound of its filter, or its day ends,
 *   and is due then (`#watchClock`). Until that moment no record crosses by itself, so changes are evaluated at the instant of the round.
 * - **An update is not trusted for ever**: now and then each result is compared with a reading at the same position (`#compare`). A difference
 *   is logged, counted and corrected.
 *
 * Which server evaluates, and who is sent the frames: live/live-wallboards.ts. Why: docs/adr/0016-tile-engine.md.
 */
export class Evaluator {
  readonly #deps: EvaluatorDeps;
  readonly wallboards: WallboardQueries;
  readonly #registry: QueryRegistry;
  readonly #feeds: Feeds;
  readonly #labels: Labels;
  readonly #separate: SeparateReads;
  readonly #undo: (() => void)[] = [];
  #timer: NodeJS.Timeout | null = null;
  #pausedUntil = 0;
  #round: Promise<void> | null = null;
  #stopped = false;

  constructor(deps: EvaluatorDeps) {
    this.#deps = deps;
    this.#registry = new QueryRegistry(deps.model, deps.limits.TILES_VERIFY_INTERVAL_MS);
    this.#feeds = new Feeds(deps);
    this.#labels = new Labels(deps.database, deps.model);
    const parts = { registry: this.#registry, feeds: this.#feeds, labels: this.#labels };
    this.wallboards = new WallboardQueries(deps, parts, () => this.#request());
    this.#separate = new SeparateReads({
      ...deps,
      feeds: this.#feeds,
      onFailure: (live, purpose, error) => this.#failSeparate(live, purpose, error),
      onDone: () => this.#request(),
    });
  }

  start(): void {
    this.#undo.push(this.#deps.tails.onEvent((event) => this.#onTailEvent(event)));
    this.#undo.push(every(CLOCK_CHECK_MS, () => this.#watchClock()));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const undo of this.#undo.splice(0)) undo();
    if (this.#timer) clearTimeout(this.#timer);
    await this.#round;
    await this.#separate.stop();
  }

  /** Reads what the feeds may have missed, and continues from there. */
  async catchUp(): Promise<void> {
    await this.#feeds.catchUp();
    this.#request();
  }

  #onTailEvent(event: TailEvent): void {
    const { table } = event.tail;
    if (event.kind === "reset") this.#labels.clear();
    const isNamed = event.kind === "reset" || this.#labels.forget(table, event.changes);
    const cursor = this.#feeds.get(table);
    if (cursor && event.kind === "changes") cursor.note(event.changes);
    if (cursor && event.kind === "reset") {
      cursor.reset();
      for (const live of this.#registry.of(table)) live.isStale = true;
    }
    const isReordered = this.#registry.markOrderedByLabelsOf(table);
    if (isNamed) this.wallboards.refresh();
    else if (cursor || isReordered) this.#request();
  }

  /** What the clock alone changes: bounds, buckets, silence, and what is to be retried or compared again. */
  #watchClock(): void {
    const now = Date.now();
    const isDue = this.#registry.checkClock(now);
    if (this.wallboards.checkClock(now, now - CLOCK_CHECK_MS) || isDue) this.#request();
  }

  #request(): void {
    if (this.#timer || this.#round || this.#stopped || this.wallboards.isEmpty) return;
    const wait = Math.max(GATHER_MS, this.#pausedUntil - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#round = this.#run().finally(() => {
        this.#round = null;
        if (this.#isBehind()) this.#request();
      });
    }, wait);
  }

  #isBehind(): boolean {
    return (
      this.#feeds.isWaiting || this.#separate.hasArrivals || this.#registry.isAnyDue(Date.now())
    );
  }

  async #run(): Promise<void> {
    const started = performance.now();
    this.#pausedUntil = started + 1_000 / this.#deps.limits.TILE_REFRESHES_PER_SECOND;
    try {
      await this.#feeds.follow([...this.#registry.tables]);
      await this.#evaluate();
      this.wallboards.publishFrames();
    } catch (error) {
      if (!(error instanceof FeedReset)) {
        this.#deps.log.warn({ err: error }, "a round of tiles failed");
      }
      this.#pausedUntil = performance.now() + RETRY_FIRST_MS;
    }
    const ended = performance.now();
    const pauseMs = Math.min((ended - started) * PAUSE_PER_COST, PAUSE_MAX_MS);
    this.#pausedUntil = Math.max(this.#pausedUntil, ended + pauseMs);
    this.#deps.metrics.rounds += 1;
    this.#deps.metrics.seconds += (ended - started) / 1_000;
  }

  async #evaluate(): Promise<void> {
    const arrivals = this.#separate.removeArrivals();
    storeTogether(arrivals);
    for (const arrival of arrivals) await this.#storeArrival(arrival);
    const now = Date.now();
    this.#registry.beginRound(now, this.#feeds.all());
    const due = this.#startSeparate(now);
    if (due.length === 0) {
      for (const cursor of this.#feeds.all()) this.#advance(cursor, cursor.tail.seq);
      return;
    }
    const { readings, heads } = await readRound(
      this.#deps,
      due,
      now,
      this.#roundTimeoutMs,
      (live, error) => this.#failInRound(live, error),
    );
    const recent = due.filter(({ query }) => query.kind === "recent");
    await this.#feeds.reach(heads);
    // not before the feeds have reached them: what a tail has not heard of yet would be left out
    const found = recent.map((live) => this.#feeds.readRecentChanges(live.table.name, heads));
    const recentChanges = await Promise.all(found);
    // Nothing is awaited from here on: results and feeds advance together, or not at all.
    this.#feeds.requireHistory(heads);
    for (const { table, head } of heads) {
      const cursor = this.#feeds.get(table);
      if (cursor) this.#advance(cursor, head);
    }
    for (const [live, reading] of readings) this.#store(live, reading);
    for (const [index, live] of recent.entries()) {
      live.setChanges(recentChanges[index] ?? [], now);
      this.#dirty(live);
    }
  }

  /** Starts separate readings; returns the rest for the round, which is fast as far as is known. */
  #startSeparate(now: number): LiveQuery[] {
    const due = this.#registry.due(now).filter(({ table }) => this.#feeds.get(table.name));
    const inRound = due.filter(
      ({ query, hasResult, isSlow }) => query.kind === "recent" || (hasResult && !isSlow),
    );
    const separate = due.filter((live) => !inRound.includes(live));
    const timeoutMs = this.#deps.limits.TILE_QUERY_TIMEOUT_MS;
    const quick = separate.filter(({ isSlow }) => !isSlow);
    this.#separate.start(quick, "answer", this.#roundTimeoutMs);
    for (const live of separate) {
      if (!live.isSlow) continue;
      const parts = [live, ...partsBeside(live, this.#registry.all)];
      if (parts.some(({ isReadSeparately }) => isReadSeparately)) continue;
      this.#separate.start(parts, "answer", timeoutMs);
    }
    this.#separate.start(this.#registry.toVerify(now, VERIFY_AT_ONCE), "comparison", timeoutMs);
    return this.#someOf(inRound);
  }

  /**
   * As many as a round has time for, those that were read longest ago first; the others wait for the next one. What is composed of one
   * position is read together.
   */
  #someOf(due: readonly LiveQuery[]): LiveQuery[] {
    const chosen = new Set<LiveQuery>();
    let costMs = 0;
    for (const live of due.toSorted((a, b) => a.readAt - b.readAt)) {
      if (chosen.has(live) || costMs >= ROUND_READS_MS) continue;
      const parts = partsBeside(live, this.#registry.all).filter((part) => due.includes(part));
      for (const one of [live, ...parts]) {
        chosen.add(one);
        costMs += one.query.kind === "recent" ? 0 : one.costMs;
      }
    }
    return [...chosen];
  }

  get #roundTimeoutMs(): number {
    return Math.min(ROUND_TIMEOUT_MS, this.#deps.limits.TILE_QUERY_TIMEOUT_MS);
  }

  /** Advances a separate reading to the feeds' positions, and stores it. */
  async #storeArrival(arrival: Arrival): Promise<void> {
    const { live, purpose, reading, head, collected } = arrival;
    live.isReadSeparately = false;
    const cursor = this.#feeds.get(head.table);
    try {
      if (!cursor || live.wallboardQueries.size === 0) return;
      await cursor.reach(head.epoch, head.head);
      if (cursor.position < head.head) this.#advance(cursor, head.head);
      const later = changesSince(arrival);
      if (!later) return;
      if (purpose === "comparison") this.#compare(live, reading, later);
      else this.#storeAdvanced(live, reading, later);
    } catch (error) {
      if (!(error instanceof FeedReset)) throw error;
    } finally {
      cursor?.stopCollecting(collected);
    }
  }

  #storeAdvanced(live: LiveQuery, reading: Reading, later: readonly LogChange[]): void {
    live.isSlow = reading.costMs > this.#roundTimeoutMs / 2;
    this.#store(live, reading);
    for (const change of later) live.apply(change);
  }

  /** What can't be determined now is compared at the next opportunity. */
  #compare(live: LiveQuery, reading: Reading, later: readonly LogChange[]): void {
    const now = Date.now();
    const isSame = live.isSameAs(reading, later, now);
    live.verifiedAt = now;
    if (isSame === null) return;
    this.#deps.metrics.verified += 1;
    if (isSame) return;
    this.#deps.metrics.mismatches += 1;
    const { query } = live;
    this.#deps.log.error(
      { question: query },
      "a tile updated from changes differs from the database",
    );
    this.#storeAdvanced(live, reading, later);
  }

  /** A query that takes too long for a round is read separately from then on; that is not a failure. */
  #failInRound(live: LiveQuery, error: unknown): void {
    if (isTimedOut(error) && this.#roundTimeoutMs < this.#deps.limits.TILE_QUERY_TIMEOUT_MS) {
      live.isSlow = true;
    } else this.#fail(live, error);
  }

  #failSeparate(live: LiveQuery, purpose: "answer" | "comparison", error: unknown): void {
    if (purpose === "comparison") live.verifiedAt = Date.now();
    else if (live.isSlow) this.#fail(live, error);
    else this.#failInRound(live, error);
  }

  #fail(live: LiveQuery, error: unknown): void {
    live.hasFailed = true;
    live.hasTooManyGroups = error instanceof TooManyGroups;
    live.failures += 1;
    const pause = Math.min(RETRY_FIRST_MS * 2 ** (live.failures - 1), RETRY_MAX_MS);
    live.notBefore = Date.now() + pause;
    live.isStale = true;
    this.#dirty(live);
    this.#deps.metrics.failures += 1;
    if (live.failures === 1) {
      this.#deps.log.warn({ err: error, table: live.query.table }, "a tile can't be evaluated");
    }
  }

  #advance(cursor: FeedCursor, upTo: number): void {
    const changes = cursor.advanceTo(upTo);
    if (changes.length === 0) return;
    for (const live of this.#registry.of(cursor.tail.table)) {
      let isChanged = false;
      for (const change of changes) isChanged = live.apply(change) || isChanged;
      if (isChanged) this.#dirty(live);
    }
  }

  #store(live: LiveQuery, reading: Reading): void {
    // without subscribers: no change has been applied since
    if (live.wallboardQueries.size === 0) return;
    live.setReading(reading);
    live.notBefore = reading.now + reading.costMs * (1 + PAUSE_PER_COST);
    delayTogether([live, ...partsBeside(live, this.#registry.all)]);
    this.#dirty(live);
  }

  #dirty({ wallboardQueries }: LiveQuery): void {
    for (const wallboardQuery of wallboardQueries) wallboardQuery.isDirty = true;
  }
}
