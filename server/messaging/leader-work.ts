import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";

/** How often a server looks for work that is due. */
const POLL_MS = 1_000;
/** Changes of a busy table within this time are one step. */
const WAKE_DELAY_MS = 25;

/** One thing that may have work: a webhook, the mail, the inbox of a table. */
interface WorkItem {
  id: string;
  /** The table whose changes make work for it; null: it has none. */
  table: string | null;
  isDue: boolean;
}

/** What is done in steps by one server for all. */
export interface WorkSource {
  /** For the log: "a webhook". */
  readonly name: string;
  /** Of each item, how many attempts are in flight at the same time. */
  readonly parallel: number;
  /** Between the beginnings of two steps of an item with a table: what changes meanwhile is one step. */
  readonly spacingMs?: number;
  /** The items, of these tables or of all. */
  find(tables: readonly string[] | null): Promise<readonly WorkItem[]>;
  /**
   * Does the next part of an item's work, and begins at most `free` attempts, which never reject. Whether another step is to follow at
   * once; one follows each attempt anyway.
   */
  step(id: string, free: number): Promise<{ isMore: boolean; attempts: readonly Promise<void>[] }>;
}

interface Running {
  inFlight: Set<Promise<void>>;
  steps: Promise<void> | null;
  mustRunAgain: boolean;
}

/**
 * Has the leader do the work of a source: when a table was changed, and at every poll. A second server at the same work, during a change
 * of leaders, must be harmless: a step moves positions by comparing them, and claims attempts in the database.
 */
export class LeaderWork {
  readonly #source: WorkSource;
  readonly #isLeader: () => boolean;
  readonly #log: Pick<Logger, "warn">;
  readonly #running = new Map<string, Running>();
  /** Of tables, when a step was begun last. */
  readonly #beganAt = new Map<string, number>();
  readonly #stopping = new AbortController();
  readonly #polling: Promise<void>;
  /** Those that make work, as of the last poll: an edit of another one costs no query. */
  #tables = new Set<string>();
  readonly #woken = new Set<string>();
  #wakeTimer: NodeJS.Timeout | null = null;
  #wakeAt = Infinity;

  constructor(source: WorkSource, isLeader: () => boolean, log: Pick<Logger, "warn">) {
    this.#source = source;
    this.#isLeader = isLeader;
    this.#log = log;
    this.#polling = this.#poll().catch(() => undefined);
  }

  /** The feed of a table has grown. */
  wake(table: string): void {
    if (this.#tables.has(table)) this.#wakeIn(table, WAKE_DELAY_MS);
  }

  /** Looks for the work of a table after a delay, or when a step of it may begin again. */
  #wakeIn(table: string, delayMs: number): void {
    this.#woken.add(table);
    this.#wakeTimerAt(Math.max(performance.now() + delayMs, this.#mayBeginAt(table)));
  }

  #wakeTimerAt(at: number): void {
    if (at >= this.#wakeAt || this.#stopping.signal.aborted) return;
    if (this.#wakeTimer) clearTimeout(this.#wakeTimer);
    this.#wakeAt = at;
    this.#wakeTimer = setTimeout(
      () => void this.#runDue(this.#takeWoken()),
      Math.max(0, at - performance.now()),
    );
  }

  #mayBeginAt(table: string): number {
    return (this.#beganAt.get(table) ?? -Infinity) + (this.#source.spacingMs ?? 0);
  }

  /** The woken tables of which a step may begin; the timer is set for the others. */
  #takeWoken(): string[] {
    if (this.#wakeTimer) clearTimeout(this.#wakeTimer);
    this.#wakeTimer = null;
    this.#wakeAt = Infinity;
    const now = performance.now();
    const ready = [...this.#woken].filter((table) => this.#mayBeginAt(table) <= now);
    for (const table of ready) this.#woken.delete(table);
    for (const table of this.#woken) this.#wakeTimerAt(this.#mayBeginAt(table));
    return ready;
  }

  /** Ends after the attempts in flight. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#takeWoken();
    await this.#polling;
    await Promise.all([...this.#running.values()].map(({ steps }) => steps));
    await Promise.all([...this.#running.values()].flatMap(({ inFlight }) => [...inFlight]));
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopping;
    for (; !signal.aborted; await sleep(POLL_MS, undefined, { signal })) {
      // What was woken is found with the rest.
      this.#takeWoken();
      await this.#runDue(null);
    }
  }

  async #runDue(tables: readonly string[] | null): Promise<void> {
    if (this.#stopping.signal.aborted || !this.#isLeader() || tables?.length === 0) return;
    try {
      const found = await this.#source.find(tables);
      if (tables === null) this.#tables = new Set(found.flatMap(({ table }) => table ?? []));
      for (const { id, table } of found.filter(({ isDue }) => isDue)) this.#begin(id, table);
    } catch (err) {
      this.#log.warn({ err }, `what is due can't be read: ${this.#source.name}`);
    }
  }

  #begin(id: string, table: string | null): void {
    const now = performance.now();
    if (table !== null && this.#mayBeginAt(table) > now) {
      this.#wakeIn(table, 0);
      return;
    }
    if (table !== null && this.#source.spacingMs) this.#beganAt.set(table, now);
    this.#run(id);
  }

  #run(id: string): void {
    const running = this.#runningOf(id);
    running.mustRunAgain = true;
    running.steps ??= this.#runSteps(id, running)
      .catch((err: unknown) => this.#log.warn({ err, id }, `${this.#source.name} was not served`))
      .finally(() => {
        running.steps = null;
        if (running.inFlight.size === 0) this.#running.delete(id);
      });
  }

  #runningOf(id: string): Running {
    const known = this.#running.get(id);
    if (known) return known;
    const running: Running = { inFlight: new Set(), steps: null, mustRunAgain: false };
    this.#running.set(id, running);
    return running;
  }

  async #runSteps(id: string, running: Running): Promise<void> {
    const { parallel } = this.#source;
    while (running.mustRunAgain && !this.#stopping.signal.aborted && this.#isLeader()) {
      running.mustRunAgain = false;
      const { isMore, attempts } = await this.#source.step(id, parallel - running.inFlight.size);
      if (isMore) running.mustRunAgain = true;
      for (const attempt of attempts) {
        running.inFlight.add(attempt);
        void attempt.finally(() => {
          running.inFlight.delete(attempt);
          this.#run(id);
        });
      }
    }
  }
}
