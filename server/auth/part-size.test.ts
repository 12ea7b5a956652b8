import { describe, expect, it } from "vitest";
import { nextPartSize } from "./part-size.ts";

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
