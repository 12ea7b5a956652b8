import { randomUUID } from "node:crypto";
import { z } from "zod";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { BusChannel, MessageBus } from "../messaging/bus-channel.ts";

/**
 * Limits how often a user or an address may call, over all servers. Each server counts by itself and
 * publishes its counts of frequent callers a few times a second. So no call waits for another machine, and
 * what exceeds the limit is what fits into that interval. While the bus is unavailable each server counts alone.
 * Sign-in attempts are counted exactly, in the database.
 */
export type RateLimits = ReturnType<typeof createRateLimits>;

interface Count {
  own: number;
  published: number;
  others: number;
}

const PUBLISH_INTERVAL_MS = 200;
/** Callers below a twentieth of the limit are not published. */
const PUBLISH_THRESHOLD = 1 / 20;
/** Callers that are counted in a window: about 10 MB. */
const KEYS_MAX = 100_000;

const messageSchema = z.object({
  node: z.string(),
  window: z.int(),
  counts: z.record(z.string(), z.int().positive()),
});
type CountsMessage = z.infer<typeof messageSchema>;

export const RATES_CHANNEL: BusChannel<CountsMessage> = { name: "rates", schema: messageSchema };

/** The counts of the current window; each window begins empty. */
class Counts {
  readonly #windowMs: number;
  readonly #now: () => number;
  #counts = new Map<string, Count>();
  #toPublish = new Set<string>();
  #window = 0;

  constructor(windowMs: number, now: () => number) {
    this.#windowMs = windowMs;
    this.#now = now;
  }

  /** The number of the window, on which all servers agree. */
  currentWindow(): number {
    const present = Math.floor(this.#now() / this.#windowMs);
    if (present !== this.#window) {
      this.#window = present;
      this.#counts = new Map();
      this.#toPublish = new Set();
    }
    return present;
  }

  of(key: string): Count {
    const known = this.#counts.get(key);
    if (known) return known;
    if (this.#counts.size >= KEYS_MAX) this.#dropRarest();
    const count = { own: 0, published: 0, others: 0 };
    this.#counts.set(key, count);
    return count;
  }

  /** Drops at least half of the keys, those with the fewest calls: nobody's own count begins anew because many others call. */
  #dropRarest(): void {
    for (let calls = 1; this.#counts.size > KEYS_MAX / 2; calls *= 2) {
      for (const [key, { own, others }] of this.#counts) {
        if (own + others <= calls) this.#counts.delete(key);
      }
    }
  }

  /** Whether it is published. */
  markForPublishing(key: string): void {
    this.#toPublish.add(key);
  }

  /** The unpublished counts since the last call. */
  deltas(): Record<string, number> {
    const deltas = [...this.#toPublish].map((key): [string, number] => {
      const count = this.of(key);
      const delta = count.own - count.published;
      count.published = count.own;
      return [key, delta];
    });
    this.#toPublish.clear();
    return Object.fromEntries(deltas.filter(([, delta]) => delta > 0));
  }

  /** Seconds until the next window. */
  secondsLeft(): number {
    const leftMs = this.#windowMs - (this.#now() % this.#windowMs);
    return Math.max(1, Math.ceil(leftMs / 1_000));
  }
}

/** Counts in windows of this length, which begin at the same moments on every server. */
export function createRateLimits(windowMs: number, now: () => number = Date.now) {
  const node = randomUUID();
  const counts = new Counts(windowMs, now);
  /** Does nothing without other servers. */
  let publishSoon = () => {};

  const publishDeltas = (bus: MessageBus): void => {
    const window = counts.currentWindow();
    const deltas = counts.deltas();
    if (Object.keys(deltas).length > 0)
      bus.publish(RATES_CHANNEL, { node, window, counts: deltas });
  };

  const receive = (published: CountsMessage): void => {
    if (published.node === node || published.window !== counts.currentWindow()) return;
    for (const [key, delta] of Object.entries(published.counts)) counts.of(key).others += delta;
  };

  return {
    /** Counts a call; refuses it beyond the limit, with the time to wait. */
    take(key: string, limit: number): void {
      counts.currentWindow();
      const count = counts.of(key);
      if (count.own + count.others >= limit) {
        throw new Refusal("rate_limited", { retryAfter: counts.secondsLeft() });
      }
      count.own += 1;
      if (count.own < limit * PUBLISH_THRESHOLD) return;
      counts.markForPublishing(key);
      publishSoon();
    },
    /** How many calls are left in the current window, and the seconds until the next one. */
    left(key: string, limit: number): { calls: number; seconds: number } {
      counts.currentWindow();
      const { own, others } = counts.of(key);
      return { calls: Math.max(0, limit - own - others), seconds: counts.secondsLeft() };
    },
    /** Exchanges counts with the other servers. Returns a function that stops it. */
    connect(bus: MessageBus): () => void {
      const stop = bus.subscribe(RATES_CHANNEL, receive);
      let timer: NodeJS.Timeout | undefined;
      publishSoon = () => {
        timer ??= setTimeout(() => {
          timer = undefined;
          publishDeltas(bus);
        }, PUBLISH_INTERVAL_MS).unref();
      };
      return () => {
        stop();
        publishSoon = () => {};
        clearTimeout(timer);
      };
    },
  };
}
