import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { LeaderWork, type WorkSource } from "./leader-work.ts";

const SPACING_MS = 200;
/** Once a poll has found the table, it is woken this often, over several polls. */
const WAKES = 150;
const log = { warn: () => undefined };

/** Counts its steps; whatever came before one is done by it. */
class CountedSource implements WorkSource {
  readonly name = "a count";
  readonly parallel = 1;
  readonly spacingMs = SPACING_MS;
  steps = 0;
  readonly begun: number[] = [];
  pending = 0;
  done = 0;
  polls = 0;
  finds = 0;

  async find(tables: readonly string[] | null) {
    this.finds += 1;
    if (tables === null) this.polls += 1;
    return [{ id: "one", table: "busy", isDue: this.pending > 0 }];
  }

  async step() {
    this.steps += 1;
    this.begun.push(performance.now());
    this.done += this.pending;
    this.pending = 0;
    return { isMore: false, attempts: [] };
  }
}

it("does what comes within the spacing in one step, however often a table is changed", async () => {
  const source = new CountedSource();
  const work = new LeaderWork(source, () => true, log);
  await expect.poll(() => source.polls).toBeGreaterThan(0);
  const began = performance.now();
  for (let wakes = 0; wakes < WAKES; wakes++) {
    source.pending += 1;
    work.wake("busy");
    await sleep(10);
  }
  await expect.poll(() => source.done).toBe(WAKES);
  const spacings = (performance.now() - began) / SPACING_MS;
  // Polls begin none between, either. A busy machine may note the beginning of a step some milliseconds late.
  const gaps = source.begun.slice(1).map((at, index) => at - (source.begun[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(SPACING_MS * 0.75);
  expect(source.steps).toBeLessThan(WAKES / 3);
  expect(source.finds).toBeLessThanOrEqual(spacings + source.polls + 1);
  await work.stop();
});

it("does nothing where another server leads, nor for a table that makes no work", async () => {
  const source = new CountedSource();
  source.pending = 1;
  let isLeader = false;
  const work = new LeaderWork(source, () => isLeader, log);
  work.wake("busy");
  await sleep(0);
  expect(source.steps).toBe(0);
  isLeader = true;
  await expect.poll(() => source.done).toBe(1);
  await work.stop();
  expect(source.steps).toBe(1);
});
