import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Refusal } from "../../shared/protocol/errors.ts";
import { createInProcessBus } from "../relay/bus/in-process-bus.ts";
import { silentLog } from "../relay/testing/silent-log.ts";
import { createRateLimits, RATES_CHANNEL, type RateLimits } from "./rate-limits.ts";

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

describe("a rate limit", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 * WINDOW_MS }));
  afterEach(() => void vi.useRealTimers());

  it("allows so many calls in a window, for each key separately, and returns the time to wait", () => {
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

  it("counts over all servers that receive each other's counts", () => {
    const bus = createInProcessBus(silentLog);
    const nodes = [1, 2, 3].map(() => createRateLimits(WINDOW_MS));
    for (const node of nodes) node.connect(bus);
    let through = 0;
    for (let turn = 0; turn < 20; turn += 1) {
      for (const node of nodes) through += passed(node, 10, 300);
      vi.advanceTimersByTime(200);
    }
    expect(through).toBeGreaterThanOrEqual(300);
    expect(through).toBeLessThanOrEqual(300 + nodes.length * 10);
  });

  it("still counts who has called most when more keys have called than are counted", () => {
    const rates = createRateLimits(WINDOW_MS);
    expect(passed(rates, 9, 10)).toBe(9);
    for (let key = 0; key < 120_000; key += 1) rates.take(`address ${key}`, 10);
    expect(passed(rates, 5, 10)).toBe(1);
    expect(rates.left("user ana", 10).calls).toBe(0);
  });

  it("accepts only counts of the current window from the bus", () => {
    const bus = createInProcessBus(silentLog);
    const rates = createRateLimits(WINDOW_MS);
    rates.connect(bus);
    for (const message of [null, 7, { node: "x" }, { node: "x", window: 1, counts: { a: "b" } }]) {
      expect(RATES_CHANNEL.schema.safeParse(message).success).toBe(false);
    }
    bus.publish(RATES_CHANNEL, { node: "x", window: 1, counts: { "user ana": 10 } });
    expect(passed(rates, 15, 10)).toBe(10);
  });
});
