import { randomUUID } from "node:crypto";
import { z } from "zod";
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
  /** Tells other servers and hears them. Returns the way to stop. */
  connect(exchange: Exchange): () => void;
}

/** What the bus offers, and all that is needed of it. */
interface Exchange {
  publish(channel: string, message: unknown): void;
  subscribe(channel: string, handler: (message: unknown) => void): () => void;
}

interface Count {
  own: number;
  told: number;
  others: number;
}

const CHANNEL = "rates";
const TELL_EVERY_MS = 200;
/** Who has not used a twentieth of the limit is not worth telling of. */
const WORTH_TELLING = 1 / 20;
const KEYS_MAX = 100_000;

const messageSchema = z.object({
  node: z.string(),
  window: z.number(),
  counts: z.record(z.string(), z.number().int().positive()),
});

/** Counts in windows of this length, which begin at the same moments on every server. */
export function createRateLimits(windowMs: number, now: () => number = Date.now): RateLimits {
  const node = randomUUID();
  let counts = new Map<string, Count>();
  let window = 0;
  let toTell = new Set<string>();

  const turn = (): void => {
    const present = Math.floor(now() / windowMs);
    if (present === window) return;
    window = present;
    counts = new Map();
    toTell = new Set();
  };

  const countOf = (key: string): Count => {
    if (counts.size >= KEYS_MAX) counts.clear();
    const known = counts.get(key) ?? { own: 0, told: 0, others: 0 };
    counts.set(key, known);
    return known;
  };

  const tell = (exchange: Exchange): void => {
    turn();
    const deltas = [...toTell].map((key): [string, number] => {
      const count = countOf(key);
      const delta = count.own - count.told;
      count.told = count.own;
      return [key, delta];
    });
    toTell.clear();
    const worth = deltas.filter(([, delta]) => delta > 0);
    if (worth.length === 0) return;
    exchange.publish(CHANNEL, { node, window, counts: Object.fromEntries(worth) });
  };

  const hear = (message: unknown): void => {
    const told = messageSchema.safeParse(message);
    turn();
    if (!told.success || told.data.node === node || told.data.window !== window) return;
    for (const [key, delta] of Object.entries(told.data.counts)) countOf(key).others += delta;
  };

  return {
    take(key, limit) {
      turn();
      const count = countOf(key);
      if (count.own + count.others >= limit) {
        const left = windowMs - (now() % windowMs);
        throw new Refusal("rate_limited", { retryAfter: Math.max(1, Math.ceil(left / 1_000)) });
      }
      count.own += 1;
      if (count.own >= limit * WORTH_TELLING) toTell.add(key);
    },
    connect(exchange) {
      const stop = exchange.subscribe(CHANNEL, hear);
      const timer = setInterval(() => tell(exchange), TELL_EVERY_MS);
      timer.unref();
      return () => {
        stop();
        clearInterval(timer);
      };
    },
  };
}
