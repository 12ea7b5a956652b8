import { within } from "./store/in-time.ts";

interface Part {
  name: string;
  stop: () => unknown;
  leastMs: number;
}

/** What a part gets that is stopped after the time is up. */
export const LATE_MS = 200;

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
   * Stops all parts. One that takes longer than half of what is left of `timeoutMs` is left behind, so that those after it
   * have time too, and stays `unfinished` until it ends. After the last one was stopped, `onUnfinished` is called if there
   * are such parts, and the failures of parts are thrown.
   */
  async stop(timeoutMs: number, onUnfinished = () => {}): Promise<void> {
    const end = performance.now() + timeoutMs;
    const failures: unknown[] = [];
    for (const part of this.#parts.splice(0).reverse()) {
      const limitMs = Math.max((end - performance.now()) / 2, part.leastMs);
      const stopped = this.#stop(part).catch((error: unknown) => failures.push(error));
      await within(stopped, limitMs, undefined);
    }
    if (this.#unfinished.size > 0) onUnfinished();
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, "Several parts failed to stop");
  }

  /** Stops what was started before a failure, and throws that failure. `onFailure` gets those of stopping. */
  async stopAfter(
    cause: unknown,
    timeoutMs: number,
    onFailure: (error: unknown) => void,
  ): Promise<never> {
    await this.stop(timeoutMs).catch(onFailure);
    throw cause;
  }

  async #stop({ name, stop }: Part): Promise<void> {
    try {
      await stop();
    } finally {
      this.#unfinished.delete(name);
    }
  }
}
