import { setTimeout as sleep } from "node:timers/promises";

/** A lock that at most one server of the installation holds, and loses with its connection (advisory-lock.ts). */
export interface LeaderLock {
  /** Null: another server holds it. Rejects while the store is unavailable. */
  tryAcquire(): Promise<Lease | null>;
}

export interface Lease {
  /** Resolves when the lock is gone without having been released. */
  readonly lost: Promise<void>;
  release(): Promise<void>;
}

/** How often a server that is not the leader tries to become it. */
const CANDIDATE_INTERVAL_MS = 400;

/** Leads whenever this server holds a lock, and is a candidate otherwise. */
export class Leadership {
  readonly #lock: LeaderLock;
  readonly #lead: () => () => void;
  readonly #stopping = new AbortController();
  #isLeader = false;
  #running: Promise<void> = Promise.resolve();

  /** `lead` is called when this server begins to lead, and what it returns when that ends. */
  constructor(lock: LeaderLock, lead: () => () => void) {
    this.#lock = lock;
    this.#lead = lead;
  }

  get isLeader(): boolean {
    return this.#isLeader;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const stopped = new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    while (!signal.aborted) {
      const lease = await this.#lock.tryAcquire().catch(() => null);
      if (lease) {
        this.#isLeader = true;
        const end = this.#lead();
        await Promise.race([lease.lost, stopped]);
        this.#isLeader = false;
        end();
        await lease.release().catch(() => undefined);
      }
      await sleep(CANDIDATE_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
