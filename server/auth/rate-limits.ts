import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { BusChannel, MessageBus } from "../../shared/protocol/bus-channel.ts";
import { Refusal } from "../../shared/protocol/errors.ts";

/**
 * Bounds how often a person or an address may call, over all servers. Each counts by itself and tells
 * the others what it counted, a few times a second, of whoever calls often; so no call waits for
 * another machine, and what passes beyond the limit is what fits into that pause. While the
 * bus is away each server bounds alone. Sign-in attempts are counted exactly, in the database.
 */
export interface RateLimits {
  /** Counts a call; refuses it beyond the limit, and says when to come back. */
  take(key: string, limit: number): void;
  /** Exchanges counts with the other servers. Returns a function that stops it. */
  connect(bus: MessageBus): () => void;
}

interface Count {
  own: number;
  told: number;
  others: number;
}

const TELL_EVERY_MS = 200;
/** Who has not used a twentieth of the limit is not worth telling of. */
const WORTH_TELLING = 1 / 20;
const KEYS_MAX = 100_000;

const messageSchema = z.object({
  node: z.string(),
  window: z.int(),
  counts: z.record(z.string(), z.int().positive()),
});
type CountsMessage = z.infer<typeof messageSchema>;

export const RATES_CHANNEL: BusChannel<CountsMessage> = { name: "rates", schema: messageSchema };

/** What was counted in the present window; each begins with nothing. */
class Counts {
  readonly #windowMs: number;
  readonly #now: () => number;
  #counts = new Map<string, Count>();
  #toTell = new Set<string>();
  #window = 0;

  constructor(windowMs: number, now: () => number) {
    this.#windowMs = windowMs;
    this.#now = now;
  }

  /** Which window it is, by a number that all servers agree on. */
  turn(): number {
    const present = Math.floor(this.#now() / this.#windowMs);
    if (present !== this.#window) {
      this.#window = present;
      this.#counts = new Map();
      this.#toTell = new Set();
    }
    return present;
  }

  of(key: string): Count {
    if (this.#counts.size >= KEYS_MAX) this.#counts.clear();
    const known = this.#counts.get(key) ?? { own: 0, told: 0, others: 0 };
    this.#counts.set(key, known);
    return known;
  }

  /** Others are to hear of it. */
  noteToTell(key: string): void {
    this.#toTell.add(key);
  }

  /** What is new since it was last asked, of those of whom others are to hear. */
  news(): Record<string, number> {
    const deltas = [...this.#toTell].map((key): [string, number] => {
      const count = this.of(key);
      const delta = count.own - count.told;
      count.told = count.own;
      return [key, delta];
    });
    this.#toTell.clear();
    return Object.fromEntries(deltas.filter(([, delta]) => delta > 0));
  }

  /** Seconds until the next window. */
  left(): number {
    const leftMs = this.#windowMs - (this.#now() % this.#windowMs);
    return Math.max(1, Math.ceil(leftMs / 1_000));
  }
}

/** Counts in windows of this length, which begin at the same moments on every server. */
export function createRateLimits(windowMs: number, now: () => number = Date.now): RateLimits {
  const node = randomUUID();
  const counts = new Counts(windowMs, now);

  const tell = (bus: MessageBus): void => {
    const window = counts.turn();
    const news = counts.news();
    if (Object.keys(news).length > 0) bus.publish(RATES_CHANNEL, { node, window, counts: news });
  };

  const hear = (told: CountsMessage): void => {
    if (told.node === node || told.window !== counts.turn()) return;
    for (const [key, delta] of Object.entries(told.counts)) counts.of(key).others += delta;
  };

  return {
    take(key, limit) {
      counts.turn();
      const count = counts.of(key);
      if (count.own + count.others >= limit) {
        throw new Refusal("rate_limited", { retryAfter: counts.left() });
      }
      count.own += 1;
      if (count.own >= limit * WORTH_TELLING) counts.noteToTell(key);
    },
    connect(bus) {
      const stop = bus.subscribe(RATES_CHANNEL, hear);
      const timer = setInterval(() => tell(bus), TELL_EVERY_MS);
      timer.unref();
      return () => {
        stop();
        clearInterval(timer);
      };
    },
  };
}
