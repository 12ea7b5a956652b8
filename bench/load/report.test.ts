import { describe, expect, it } from "vitest";
import { interleave } from "./interleave.ts";
import { median, percentile } from "./percentile.ts";
import { verdictOf } from "./report.ts";

const finding = { what: "x", floor: 10, unit: "ms" };

describe("a bench", () => {
  it.each([
    ["meets a target on the right side of its ratio", 20, { most: 2 }, "met"],
    ["meets a lower bound", 10, { least: 1 }, "met"],
    ["misses a target within the noise", 24, { most: 2 }, "missed"],
    ["loses a target beyond the noise", 26, { most: 2 }, "lost"],
    ["loses a lower bound beyond the noise", 7, { least: 1 }, "lost"],
    ["loses a target without a value", Number.NaN, { most: 2 }, "lost"],
    ["misses, and does not lose, what was never reached", 90, { most: 2, notYet: true }, "missed"],
    ["has no verdict without a target", 90, null, "none"],
  ] as const)("%s", (_title, product, target, verdict) => {
    expect(verdictOf({ ...finding, product, target }).verdict).toBe(verdict);
  });

  it("runs its two kinds of rounds in turn and drops the first of each", async () => {
    const order: string[] = [];
    const run = (name: string) => async () => order.push(name);
    const { a, b } = await interleave(2, run("a"), run("b"));
    expect(order).toEqual(["a", "b", "a", "b", "a", "b"]);
    expect([a, b]).toEqual([
      [3, 5],
      [4, 6],
    ]);
  });

  it("finds the median and the tail", () => {
    expect(median([5, 1, 3])).toBe(3);
    expect(percentile([4, 1, 3, 2], 0.99)).toBe(4);
    expect(percentile([], 0.5)).toBeNaN();
  });
});
