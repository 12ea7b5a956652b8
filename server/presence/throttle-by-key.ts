/** Runs work for each key at once, and again at a limited rate; the last request is never lost. */
export class ThrottleByKey {
  readonly #intervalMs: number;
  readonly #work: (key: string) => void;
  readonly #pausing = new Map<string, NodeJS.Timeout>();
  readonly #waiting = new Set<string>();

  constructor(timesPerSecond: number, work: (key: string) => void) {
    this.#intervalMs = 1_000 / timesPerSecond;
    this.#work = work;
  }

  request(key: string): void {
    if (this.#pausing.has(key)) this.#waiting.add(key);
    else this.#run(key);
  }

  stop(): void {
    for (const timer of this.#pausing.values()) clearTimeout(timer);
    this.#pausing.clear();
    this.#waiting.clear();
  }

  #run(key: string): void {
    const timer = setTimeout(() => {
      this.#pausing.delete(key);
      if (this.#waiting.delete(key)) this.#run(key);
    }, this.#intervalMs);
    this.#pausing.set(key, timer);
    this.#work(key);
  }
}
