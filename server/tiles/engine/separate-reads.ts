import type { FeedState, LogChange } from "../../store/log-change.ts";
import type { EvaluatorDeps } from "./evaluator-deps.ts";
import type { CollectedChanges } from "./feed-cursor.ts";
import type { Feeds } from "./feeds.ts";
import type { LiveQuery } from "./live-query.ts";
import { readRound } from "./read-round.ts";
import type { Reading } from "./read-tile-query.ts";

/** The purpose of a reading: a result, or a comparison with the updated result. */
type Purpose = "answer" | "comparison";

interface Job {
  live: LiveQuery[];
  purpose: Purpose;
  timeoutMs: number;
}

/** A finished reading, with all that is needed to advance it to the feeds' current positions. */
export interface Arrival {
  live: LiveQuery;
  purpose: Purpose;
  reading: Reading;
  /** The feed's head in the snapshot. */
  head: FeedState;
  collected: CollectedChanges;
}

const AT_ONCE = 2;

/**
 * Readings outside the rounds: of queries without a result yet, of slow ones, and of comparisons. The rounds
 * don't wait for them. Changes meanwhile are collected, so that a reading can be advanced when it arrives.
 */
export class SeparateReads {
  readonly #deps;
  readonly #waiting: Job[] = [];
  #running: Promise<void>[] = [];
  #arrived: Arrival[] = [];

  constructor(
    deps: Pick<EvaluatorDeps, "database" | "metrics"> & {
      feeds: Feeds;
      onFailure: (live: LiveQuery, purpose: Purpose, error: unknown) => void;
      /** Something has arrived, or has failed. */
      onDone: () => void;
    },
  ) {
    this.#deps = deps;
  }

  /** Reads these queries in one snapshot when it is their turn. */
  start(live: LiveQuery[], purpose: Purpose, timeoutMs: number): void {
    if (live.length === 0) return;
    for (const one of live) one.isReadSeparately = true;
    this.#waiting.push({ live, purpose, timeoutMs });
    this.#next();
  }

  get hasArrivals(): boolean {
    return this.#arrived.length > 0;
  }

  removeArrivals(): Arrival[] {
    const arrived = this.#arrived;
    this.#arrived = [];
    return arrived;
  }

  /** Starts no more and waits for pending readings. */
  async stop(): Promise<void> {
    this.#waiting.length = 0;
    await Promise.all(this.#running);
  }

  #next(): void {
    while (this.#running.length < AT_ONCE) {
      const job = this.#waiting.shift();
      if (!job) return;
      const running = this.#read(job).finally(() => {
        this.#running = this.#running.filter((one) => one !== running);
        this.#next();
        this.#deps.onDone();
      });
      this.#running.push(running);
    }
  }

  async #read({ live, purpose, timeoutMs }: Job): Promise<void> {
    const { feeds, onFailure } = this.#deps;
    const needed = live.filter(({ wallboardQueries }) => wallboardQueries.size > 0);
    const collected = new Map(
      needed.flatMap(({ table }) => {
        const cursor = feeds.get(table.name);
        return cursor ? [[table.name, cursor.collect()] as const] : [];
      }),
    );
    const fail = (one: LiveQuery, error: unknown) => onFailure(one, purpose, error);
    try {
      const { readings, heads } = await readRound(this.#deps, needed, Date.now(), timeoutMs, fail);
      for (const [one, reading] of readings) {
        const head = heads.find(({ table }) => table === one.table.name);
        const changes = collected.get(one.table.name);
        if (head && changes) {
          this.#arrived.push({ live: one, purpose, reading, head, collected: changes });
        }
      }
    } catch (error) {
      for (const one of needed) fail(one, error);
    } finally {
      const arrived = new Set(this.#arrived.map((one) => one.live));
      for (const one of live) one.isReadSeparately = arrived.has(one);
      for (const [table, changes] of collected) {
        if (!this.#arrived.some((one) => one.collected === changes)) {
          feeds.get(table)?.stopCollecting(changes);
        }
      }
    }
  }
}

/** What was applied of a feed since a reading saw it; null if that is unknown. */
export function changesSince({ collected, head }: Arrival): LogChange[] | null {
  if (collected.isInvalid) return null;
  return collected.changes.filter(({ seq }) => seq > head.head);
}
