import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { allowedMs, MachineLag } from "./machine-lag.ts";

const LIMIT_MS = 1_000;
const BUSY_PER_CORE = 3;

it("allows more time where a computation has to share its core", async () => {
  const busy = Array.from({ length: BUSY_PER_CORE * availableParallelism() }, () => {
    return new Worker("for (;;);", { eval: true });
  });
  try {
    await Promise.all(busy.map((one) => new Promise((resolve) => one.once("online", resolve))));
    const lag = new MachineLag();
    await sleep(300);
    expect(await lag.allowing(LIMIT_MS)).toBeGreaterThan(2 * LIMIT_MS);
  } finally {
    await Promise.all(busy.map((one) => one.terminate()));
  }
});

it("allows no more for a single slow part among others", () => {
  const [even, oneSlow] = [Array(21).fill(1.5), [...Array(20).fill(1.5), 40]];
  expect(allowedMs(LIMIT_MS, 0, oneSlow)).toBe(allowedMs(LIMIT_MS, 0, even));
  expect(allowedMs(LIMIT_MS, 0, even)).toBe(1.5 * LIMIT_MS);
});
