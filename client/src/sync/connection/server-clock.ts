/** Number of samples: with a head every 5 s, those of the last minute. */
const SAMPLES = 12;

/**
 * How far the server's clock is ahead of ours, from the time in each `heads`. A message can only be
 * late, so the largest difference of the last minute is the nearest to the truth.
 */
export class ServerClock {
  readonly #samples: number[] = [];

  /** Takes a server time (ISO 8601) heard at local time `localMs`; answers the offset in milliseconds. */
  addSample(serverTime: string, localMs: number): number {
    const serverMs = Date.parse(serverTime);
    if (!Number.isNaN(serverMs)) this.#samples.push(serverMs - localMs);
    if (this.#samples.length > SAMPLES) this.#samples.shift();
    return this.offsetMs;
  }

  get offsetMs(): number {
    return this.#samples.length === 0 ? 0 : Math.max(...this.#samples);
  }
}
