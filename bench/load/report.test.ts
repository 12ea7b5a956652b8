import { describe, expect, it } from "vitest";
import { interleave } from "./interleave.ts";
import { median, percentile } from "./percentile.ts";
import { printFindings } from "./report.ts";

const finding = { what: "x", floor: 10, unit: "ms" };

describe("a bench", () => {
  it("counts a promise as missed on the wrong side of its ratio, or without a figure", () => {
    const slow = { ...finding, product: 21, target: { most: 2 } };
    const few = { ...finding, product: 9, target: { least: 1 } };
    const none = { ...finding, product: Number.NaN, target: { most: 2 } };
    expect(printFindings([slow, few, none])).toBe(3);
    const fine = { ...finding, product: 20, target: { most: 2 } };
    expect(printFindings([fine, { ...fine, target: { least: 1 } }])).toBe(0);
  });

  it("runs its two kinds of rounds in turn and throws the first of each away", async () => {
    const order: string[] = [];
    const run = (name: string) => async () => order.push(name);
    const { a, b } = await interleave(2, run("a"), run("b"));
    expect(order).toEqual(["a", "b", "a", "b", "a", "b"]);
    expect([a, b]).toEqual([
      [3, 5],
      [4, 6],
    ]);
  });

  it("finds the middle and the tail", () => {
    expect(median([5, 1, 3])).toBe(3);
    expect(percentile([4, 1, 3, 2], 0.99)).toBe(4);
    expect(percentile([], 0.5)).toBeNaN();
  });
});
