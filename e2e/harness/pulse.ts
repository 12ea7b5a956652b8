/** How often a machine that is asked nothing difficult is asked again. */
const EVERY_MS = 20;
/** What is asked of the product may take as long as this many of the slowest trivial calls. */
const TRIVIAL_CALLS = 5;

/**
 * What a machine makes of "at once" while something is measured: something trivial is done over and
 * over beside it. A bound on time holds for the product where it also grants what the machine took
 * for nothing, so that a busy machine fails no test and a slow product does.
 */
export class Pulse {
  readonly #beating: Promise<void>;
  #going = true;
  #slowestMs = 0;

  /** `trivial`: what can't take long for any reason of the product's, such as `GET /healthz`. */
  constructor(trivial: () => Promise<unknown>) {
    this.#beating = this.#beat(trivial);
  }

  /** Ends it, and tells how many milliseconds `limitMs` is on this machine at this time. */
  async allowing(limitMs: number): Promise<number> {
    this.#going = false;
    await this.#beating;
    return limitMs + TRIVIAL_CALLS * this.#slowestMs;
  }

  async #beat(trivial: () => Promise<unknown>): Promise<void> {
    while (this.#going) {
      const began = performance.now();
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
      await trivial();
      this.#slowestMs = Math.max(this.#slowestMs, performance.now() - began - EVERY_MS);
    }
  }
}
