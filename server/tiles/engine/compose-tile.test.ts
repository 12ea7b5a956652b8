import { describe, expect, it } from "vitest";
import type { Json } from "../../../shared/filter/filter.ts";
import type { TilePlan } from "../plan/wallboard-plan.ts";
import { composeTile, type TileResults } from "./compose-tile.ts";
import type { TileResult } from "./live-query.ts";

const form = { op: "count", scale: 0, isWhole: true } as const;
const group = (n: number, bucket: number | null = null, key: Json = null) => ({
  ...{ key, bucket, n, filled: n, units: 0n, value: null },
});
const result = (groupValues: ReturnType<typeof group>[], buckets = 0): TileResult => ({
  kind: "figures",
  groupValues,
  bounds: buckets ? Array.from({ length: buckets + 1 }, (_, day) => day * 86_400_000) : null,
  others: null,
});
const line = (...counts: number[]) =>
  result(
    counts.map((n, bucket) => group(n, bucket)).filter(({ n }) => n > 0),
    counts.length,
  );
const compose = (kind: TilePlan["kind"], results: TileResults, more: Partial<TilePlan> = {}) =>
  composeTile(
    { id: "t", kind, thresholds: [], form, suppressBelow: 5, ...more },
    results,
    (_, key) => String(key),
  );
const points = ({ series }: ReturnType<typeof compose>) =>
  series?.map(({ points }) => points.map(({ value }) => value));
const total = (n: number) => result([group(n)]);

describe("T10 values of few records", () => {
  it("get no line of a trend, and no name", () => {
    const values = { flu: [6, 8], rare: [0, 1], mumps: [9, 0], cold: [30, 40] };
    const groups = Object.entries(values).flatMap(([key, counts]) =>
      counts.flatMap((n, bucket) => (n ? group(n, bucket, key) : [])),
    );
    const labels = { kind: "options", words: {} } as const;
    const frame = compose("trend", { total: total(94), series: result(groups, 2) }, { labels });
    // Without the smallest of the others, the total would reveal the one that is left out.
    expect(frame.series?.map(({ key }) => key)).toEqual(["cold", "flu"]);
    expect(points(frame)).toEqual([
      [30, 40],
      [6, 8],
    ]);
  });

  it("hide another point of their line, so that the total does not reveal them", () => {
    const hidden = compose("trend", { total: total(48), series: line(20, 1, 0, 12, 15) });
    expect(points(hidden)).toEqual([[20, null, 0, null, 15]]);
    const several = compose("trend", { total: total(26), series: line(20, 3, 3) });
    expect(points(several)).toEqual([[20, null, null]]);
    const outside = compose("trend", { total: total(49), series: line(20, 12, 15) });
    expect(points(outside)).toEqual([[20, null, 15]]);
  });

  it("are not revealed as the difference of two values", () => {
    const progress = (part: number, whole: number) =>
      compose("progress", { total: total(part), whole: total(whole) }).target;
    expect([progress(49, 50), progress(45, 50), progress(50, 50)]).toEqual([null, 50, 50]);
    const earlier = (n: number, ...counts: number[]) =>
      compose("number", {
        total: total(100),
        series: line(...counts),
        before: result([group(n, 0)], 2),
      }).before;
    expect([earlier(19, 50, 20, 30), earlier(15, 50, 20, 30)]).toEqual([null, 15]);
    expect(earlier(6, 50, 1, 12, 37)).toBe(null);
  });

  it("include the sum of many records of which few have a value", () => {
    const paid = (n: number, filled: number, key: Json = null) => ({
      ...group(n, null, key),
      filled,
      units: BigInt(filled * 100),
    });
    const sum = { form: { op: "sum", scale: 0, isWhole: true } } as const;
    const whole = (n: number, filled: number) => ({ total: result([paid(n, filled)]) });
    const alone = compose("number", whole(20, 1), sum);
    expect(alone).toEqual({ state: "suppressed" });
    expect(compose("number", whole(20, 5), sum)).toMatchObject({ state: "ok", value: 500 });
    expect(compose("number", whole(20, 0), sum)).toMatchObject({ state: "ok", value: null });
    const groups = result([paid(20, 1, "a"), paid(20, 7, "b"), paid(20, 9, "c")]);
    const frame = compose("breakdown", { ...whole(60, 17), groups }, sum);
    expect(frame.rows?.map(({ key, value }) => [key, value])).toEqual([["c", 900]]);
    expect(frame.rest).toEqual({ groups: 2, value: 800 });
  });

  it("are shown if the tile does not hide them", () => {
    const results = { total: total(36), series: line(20, 1, 0, 15) };
    expect(points(compose("trend", results, { suppressBelow: 0 }))).toEqual([[20, 1, 0, 15]]);
  });
});
