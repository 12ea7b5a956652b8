import { afterEach, describe, expect, it, vi } from "vitest";
import type { Json } from "../../../../../shared/filter/filter.ts";
import type { FieldType } from "../../../../../shared/model/field-types.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { seriesOf } from "./fill-series.ts";

/** The next three values after these; null where they are repeated. */
function next(type: FieldType, values: Json[], more: Partial<Field> = {}): Json[] | null {
  const series = seriesOf({ name: "f", label: "F", type, ...more }, values);
  return series && [1, 2, 3].map(series);
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("a series", () => {
  it("of numbers goes on by the same step, with the digits of the field", () => {
    expect(next("integer", [1, 2])).toEqual([3, 4, 5]);
    expect(next("integer", [30, 20, 10])).toEqual([0, -10, -20]);
    expect(next("money", ["0.10", "0.30"], { scale: 2 })).toEqual(["0.50", "0.70", "0.90"]);
    expect(next("decimal", ["7", "7"])).toEqual(["7", "7", "7"]);
  });

  it("of days goes on by days, or by months where all are the same day of one", () => {
    expect(next("date", ["2026-12-29", "2026-12-30"])).toEqual([
      ...["2026-12-31", "2027-01-01", "2027-01-02"],
    ]);
    expect(next("date", ["2026-10-31", "2026-12-31"])).toEqual([
      ...["2027-02-28", "2027-04-30", "2027-06-30"],
    ]);
    expect(next("date", ["2025-06-01", "2026-06-01"])?.[0]).toBe("2027-06-01");
  });

  it("of times goes on at the same hour of the user, also when the clocks are changed", () => {
    // There, clocks are put back an hour in the night before 25 October.
    vi.stubEnv("TZ", "Europe/Lisbon");
    const at = (day: number, utcHour: number) =>
      new Date(Date.UTC(2026, 9, day, utcHour, 30)).toISOString();
    expect(new Date(at(24, 8)).getHours()).toBe(9);
    expect(next("timestamp", [at(23, 8), at(24, 8)])).toEqual([at(25, 9), at(26, 9), at(27, 9)]);
    // Of different hours, the same time passes between them.
    expect(next("timestamp", [at(24, 12), at(24, 20)])).toEqual([
      ...[at(25, 4), at(25, 12), at(25, 20)],
    ]);
  });

  it("goes backwards where its first value is the last one before", () => {
    expect(next("integer", [2, 1])).toEqual([0, -1, -2]);
    expect(next("date", ["2026-12-31", "2026-10-31"])).toEqual([
      ...["2026-08-31", "2026-06-30", "2026-04-30"],
    ]);
  });

  it("ends where its values are no values of the field", () => {
    expect(next("date", ["9999-12-29", "9999-12-30"])).toEqual(["9999-12-31", null, null]);
    expect(next("date", ["9999-08-31", "9999-10-31"])).toEqual(["9999-12-31", null, null]);
    expect(next("date", ["0001-01-03", "0001-01-02"])).toEqual(["0001-01-01", null, null]);
    expect(next("date", ["0001-01-01", "9999-12-31"])).toEqual([null, null, null]);
    const far = (time: string) => `9999-12-31T${time}:00Z`;
    expect(next("timestamp", [far("01:00"), far("23:00")])).toEqual([null, null, null]);
    const centuries = ["0001-01-01T00:00:00Z", "9999-01-01T05:00:00Z"];
    const series = seriesOf({ name: "f", label: "F", type: "timestamp" }, centuries);
    expect(series?.(1_000)).toBeNull();
    expect(next("integer", [1, 2], { maximum: 3 })).toEqual([3, null, null]);
    const most = Number.MAX_SAFE_INTEGER;
    expect(next("integer", [most - 2, most - 1])).toEqual([most, null, null]);
  });

  it("needs two values with the same steps between them; others are repeated", () => {
    expect(next("integer", [1])).toBeNull();
    expect(next("integer", [1, 2, 4])).toBeNull();
    expect(next("integer", [1, null])).toBeNull();
    expect(next("date", ["2026-01-01", null])).toBeNull();
    expect(next("date", ["2026-01-01", "2026-01-02", "2026-01-05"])).toBeNull();
    expect(next("text", ["1", "2"])).toBeNull();
    expect(next("select", ["1", "2"])).toBeNull();
  });
});
