import { setTimeout as sleep } from "node:timers/promises";
import type { LogSpan } from "../store/log-change.ts";
import { HINT_CHANNEL } from "./feed-messages.ts";
import type { LeaderLock, Lease } from "./leader-lock.ts";
import { LeaderTerm, type LeaderTermDeps } from "./leader-term.ts";

export interface RelayDeps extends LeaderTermDeps {
  lock: LeaderLock;
  /** Called for tables that other programs wrote to; returns a function that unsubscribes. */
  listen?: (wake: (table: string) => void) => () => void;
}

/** How often a server that is not the leader tries to become it. */
const CANDIDATE_INTERVAL_MS = 400;

/**
 * Only the leader reads the log and publishes it, so that commits cost one read and not one per server. This
 * saves work and is not needed for correctness: two leaders publish the same, and a server without any leader
 * reads the log by itself (feed-tails.ts).
 */
export class Relay {
  readonly #deps: RelayDeps;
  readonly #stopping = new AbortController();
  readonly #undo: (() => void)[] = [];
  #term: LeaderTerm | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(deps: RelayDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { bus, listen } = this.#deps;
    const wake = (table: string) => this.#term?.wake(table);
    this.#undo.push(bus.subscribe(HINT_CHANNEL, wake));
    if (listen) this.#undo.push(listen(wake));
    this.#running = this.#run();
  }

  /**
   * Hints to the leader that something was committed to this table. If this server is the leader, it need not
   * read again what was read with the commit (`span`).
   */
  hint(table: string, span: LogSpan | null = null): void {
    if (this.#term) this.#term.wake(table, span);
    else this.#deps.bus.publish(HINT_CHANNEL, table);
  }

  isLeader(): boolean {
    return this.#term !== null;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const undo of this.#undo.splice(0)) undo();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const lease = await this.#deps.lock.tryAcquire().catch(() => null);
      if (lease) await this.#lead(lease);
      await sleep(CANDIDATE_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #lead(lease: Lease): Promise<void> {
    const { signal } = this.#stopping;
    this.#term = new LeaderTerm(this.#deps);
    this.#deps.logger.info("this node leads the relay");
    const stopped = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    await Promise.race([lease.lost, stopped]);
    this.#term.end();
    this.#term = null;
    this.#deps.logger.info("this node leads the relay no more");
    await lease.release().catch(() => undefined);
  }
}
