const SAMPLE_EVERY_MS = 50;
const SAMPLES = 200;

/** The latest delays of this process in handling what it received, which are not counted as leaks. */
export class HandlingDelays {
  readonly #delays: number[] = [];
  readonly #sampling: NodeJS.Timeout;

  constructor() {
    let expected = performance.now() + SAMPLE_EVERY_MS;
    this.#sampling = setInterval(() => {
      this.#delays.push(performance.now() - expected);
      if (this.#delays.length > SAMPLES) this.#delays.shift();
      expected = performance.now() + SAMPLE_EVERY_MS;
    }, SAMPLE_EVERY_MS);
  }

  longest(): number {
    return Math.max(0, ...this.#delays);
  }

  stop(): void {
    clearInterval(this.#sampling);
  }
}
