import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Refusal } from "../../shared/protocol/errors.ts";
import { createRateLimits, type RateLimits } from "./rate-limits.ts";

const WINDOW_MS = 10_000;

function passed(rates: RateLimits, calls: number, limit: number, key = "user ana"): number {
  let through = 0;
  for (let call = 0; call < calls; call += 1) {
    try {
      rates.take(key, limit);
      through += 1;
    } catch (error) {
      expect(error).toBeInstanceOf(Refusal);
    }
  }
  return through;
}

/** A bus in one process: everybody hears everything, also themselves. */
function buildExchange() {
  const handlers = new Set<(message: unknown) => void>();
  return {
    publish: (_: string, message: unknown) => {
      for (const handler of handlers) handler(structuredClone(message));
    },
    subscribe: (_: string, handler: (message: unknown) => void) => {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
  };
}

describe("a rate limit", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 * WINDOW_MS }));
  afterEach(() => void vi.useRealTimers());

  it("lets so many calls through in a window, for each key by itself, and says when to come back", () => {
    const rates = createRateLimits(WINDOW_MS);
    expect(passed(rates, 15, 10)).toBe(10);
    expect(passed(rates, 15, 10, "user bob")).toBe(10);
    vi.advanceTimersByTime(3_500);
    try {
      rates.take("user ana", 10);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: "rate_limited", detail: { retryAfter: 7 } });
    }
    vi.advanceTimersByTime(6_500);
    expect(passed(rates, 15, 10)).toBe(10);
  });

  it("holds over all servers that hear each other", () => {
    const exchange = buildExchange();
    const nodes = [1, 2, 3].map(() => createRateLimits(WINDOW_MS));
    for (const node of nodes) node.connect(exchange);
    let through = 0;
    for (let turn = 0; turn < 20; turn += 1) {
      for (const node of nodes) through += passed(node, 10, 300);
      vi.advanceTimersByTime(200);
    }
    expect(through).toBeGreaterThanOrEqual(300);
    expect(through).toBeLessThanOrEqual(300 + nodes.length * 10);
  });

  it("is not moved by nonsense on the bus, nor by what was counted in another window", () => {
    const exchange = buildExchange();
    const rates = createRateLimits(WINDOW_MS);
    rates.connect(exchange);
    for (const message of [null, 7, { node: "x" }, { node: "x", window: 1, counts: { a: "b" } }]) {
      exchange.publish("rates", message);
    }
    exchange.publish("rates", { node: "x", window: 1, counts: { "user ana": 10 } });
    expect(passed(rates, 15, 10)).toBe(10);
  });
});
