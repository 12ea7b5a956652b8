import { setTimeout as sleep } from "node:timers/promises";

interface Part {
  name: string;
  stop: () => unknown;
  leastMs: number;
}

/** What a part gets that is stopped after the time is up. */
const LATE_MS = 200;

/** The parts of a server that were started. They are stopped in the opposite order, within a time. */
export class StartedParts {
  readonly #parts: Part[] = [];
  readonly #unfinished = new Set<string>();

  /**
   * Adds a part. Its name appears in the log if `stop` does not end in time; `leastMs` is the time that it has even if
   * the others have used up all of it.
   */
  defer(name: string, stop: () => unknown, leastMs: number = LATE_MS): void {
    this.#parts.push({ name, stop, leastMs });
    this.#unfinished.add(name);
  }

  /** The parts that have not been stopped yet, in the order of stopping. */
  get unfinished(): string[] {
    return [...this.#unfinished].reverse();
  }

  /**
   * Stops all parts. One that takes longer than what is left of `timeoutMs` is left behind, and stays `unfinished` until
   * it ends. Throws the failures of parts after the last one was stopped.
   */
  async stop(timeoutMs: number): Promise<void> {
    const end = performance.now() + timeoutMs;
    const failures: unknown[] = [];
    for (const part of this.#parts.splice(0).reverse()) {
      const limitMs = Math.max(end - performance.now(), part.leastMs);
      const late = new AbortController();
      const stopped = this.#stop(part).catch((error: unknown) => failures.push(error));
      const given = sleep(limitMs, undefined, { signal: late.signal }).catch(() => undefined);
      await Promise.race([stopped, given]);
      late.abort();
    }
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, "Several parts failed to stop");
  }

  async #stop({ name, stop }: Part): Promise<void> {
    try {
      await stop();
    } finally {
      this.#unfinished.delete(name);
    }
  }
}
