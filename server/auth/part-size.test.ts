import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { LongWork, nextPartSize, REST_MAX_MS } from "./part-size.ts";

describe("nextPartSize", () => {
  const bounds = { most: 200, least: 10, targetMs: 5 };
  const sizeAfter = (units: number, ms: number, isShared = true) =>
    nextPartSize(bounds, { units, ms, isShared });

  it("makes the next part as large as fits into the time, within the bounds, while others are active", () => {
    expect([
      sizeAfter(10, 1),
      sizeAfter(100, 20),
      sizeAfter(50, 500),
      sizeAfter(100, 0.01),
    ]).toEqual([50, 25, 10, 200]);
  });

  it("uses the largest part for who is alone", () => {
    expect(sizeAfter(10, 500, false)).toBe(200);
  });
});

describe("doPart", () => {
  const work = new LongWork();
  const timesOf = async (isShared: boolean) => {
    const started = performance.now();
    const { result, ms } = await work.doPart(
      "ann",
      () => isShared,
      () => sleep(20, "done"),
    );
    expect(result).toBe("done");
    return { part: ms, all: performance.now() - started };
  };

  it("rests after a part while others are active, at least as long as it took", async () => {
    const { part, all } = await timesOf(true);
    expect(all).toBeGreaterThanOrEqual(Math.min(2 * part, part + REST_MAX_MS));
  });

  it("rests longer while other work of the same user is under way", async () => {
    for (const { part, all } of await Promise.all([timesOf(true), timesOf(true)])) {
      expect(all).toBeGreaterThanOrEqual(Math.min(5 * part, part + REST_MAX_MS));
    }
  });
});
