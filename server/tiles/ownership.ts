import { setTimeout as sleep } from "node:timers/promises";

/** A lock that at most one server of the installation holds, and loses with its connection. */
export interface OwnerLock {
  tryAcquire(): Promise<{ readonly lost: Promise<void>; release(): Promise<void> } | null>;
}

const CANDIDATE_INTERVAL_MS = 400;

/**
 * Whether this server evaluates the tiles for all. This saves work and is not needed for correctness: a
 * server that hears nothing of the owner evaluates its own boards (live-boards.ts).
 */
export class Ownership {
  readonly #lock: OwnerLock;
  readonly #onOwner: () => void;
  readonly #stopping = new AbortController();
  #isOwner = false;
  #running: Promise<void> = Promise.resolve();

  constructor(lock: OwnerLock, onOwner: () => void) {
    this.#lock = lock;
    this.#onOwner = onOwner;
  }

  get isOwner(): boolean {
    return this.#isOwner;
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
        this.#isOwner = true;
        this.#onOwner();
        await Promise.race([lease.lost, stopped]);
        this.#isOwner = false;
        await lease.release().catch(() => undefined);
      }
      await sleep(CANDIDATE_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
