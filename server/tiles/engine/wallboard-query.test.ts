import { expect, it } from "vitest";
import type { Table } from "../../../shared/model/model.ts";
import type { LogChange } from "../../store/log-change.ts";
import { type MeasureQuery, queryKey } from "../plan/tile-query.ts";
import type { WallboardPlan } from "../plan/wallboard-plan.ts";
import { LiveQuery } from "./live-query.ts";
import { WallboardQuery } from "./wallboard-query.ts";

const DAY_MS = 86_400_000;
const start = Date.parse("2026-11-19T00:00:00Z");
const now = start + 2.5 * DAY_MS;

const table: Table = {
  name: "incidents",
  label: "Incidents",
  recordLabel: "incident",
  display: "title",
  fields: [
    { name: "title", label: "Title", type: "text" },
    { name: "opened_at", label: "Opened", type: "timestamp" },
  ],
  columns: ["title"],
  sort: [],
};
const measure = {
  ...{ kind: "figures", model: 1, table: "incidents", scope: null, filter: null, me: null },
  ...{ zone: "UTC", op: "count", field: null, percentile: 50, group: null, time: null },
} as const satisfies MeasureQuery;
const total: MeasureQuery = measure;
const series: MeasureQuery = {
  ...measure,
  time: { field: "opened_at", bucket: "day", count: 3 },
};

/** A trend of 10, 20 and 30 records of a wallboard that hides values of fewer than 5. */
function trend() {
  const form = { op: "count", scale: 0, isWhole: true } as const;
  const tile = { id: "t", kind: "trend", form, thresholds: [], suppressBelow: 5, total, series };
  const plan = { key: "k", wallboard: "w", version: 1, tiles: [tile], tables: ["incidents"] };
  const query = new WallboardQuery(plan as unknown as WallboardPlan, null);
  const live = (of: MeasureQuery, counts: number[], bounds: number[] | null) => {
    const one = new LiveQuery(queryKey(of), of, table, now);
    const rows = counts.map((n, bucket) => ({
      ...{ key: null, bucket: bounds && bucket, n, filled: n, sum: null, value: n },
    }));
    one.setReading({ now, bounds, others: null, rows, records: null, wakeAt: null, costMs: 1 });
    return one;
  };
  const all = {
    total: live(total, [60], null),
    series: live(
      series,
      [10, 20, 30],
      [0, 1, 2, 3].map((day) => start + day * DAY_MS),
    ),
  };
  const queries = new Map(Object.values(all).map((one) => [one.key, one]));
  /** Reads both in one snapshot. The changes since, which no reading knows, make them stale. */
  const readTogether = (at: number, counts: number[]) => {
    const reading = (n: number[], bounds: number[] | null) => ({
      ...{ now: at, bounds, others: null, records: null, wakeAt: null, costMs: 1 },
      rows: n.map((one, bucket) => ({
        ...{ key: null, bucket: bounds && bucket, n: one, filled: one, sum: null, value: one },
      })),
    });
    const days = [0, 1, 2, 3].map((day) => start + day * DAY_MS);
    const sum = counts.reduce((one, other) => one + other, 0);
    query.setReadings(
      new Map([
        [all.total.key, { live: all.total, reading: reading([sum], null) }],
        [all.series.key, { live: all.series, reading: reading(counts, days) }],
      ]),
    );
  };
  const compose = (at: number) => {
    const position = { incidents: { epoch: "e", seq: at } };
    query.compose(queries, { now: at, position }, String, () => undefined);
    const shown = query.last?.tiles.t;
    const points = shown?.series?.[0]?.points.map(({ value }) => value);
    return { state: shown?.state, points, asOf: shown?.asOf };
  };
  return { ...all, compose, readTogether, shown: () => query.last?.tiles.t };
}

const by = { kind: "user" as const, id: "u1", name: "Ann" };
const insert = (n: number): LogChange => {
  const after = { title: "New", opened_at: "2026-11-21T04:00:00Z" };
  const at = "2026-11-21T04:00:00Z";
  return { seq: n, record: `n${n}`, by, at, kind: "insert", before: null, after, entry: n };
};

it("T10 shows a tile as it was while its parts are of different positions, however long", () => {
  const { total, series, compose } = trend();
  const whole = { state: "ok", points: [10, 20, 30], asOf: undefined };
  expect(compose(now)).toEqual(whole);
  // The series is read too slowly to follow.
  total.apply(insert(1));
  series.isStale = true;
  const asOf = new Date(now).toISOString();
  expect(compose(now + 1_000)).toEqual({ ...whole, asOf });
  expect(compose(now + 60_000)).toEqual({ ...whole, asOf });
  expect(compose(now + 3_600_000)).toEqual({ ...whole, asOf });
  series.isStale = false;
  series.apply(insert(1));
  expect(compose(now + 3_601_000)).toEqual({ ...whole, points: [10, 20, 31] });
});

it("T10 shows parts that were read together, also if changes never leave them of one position", () => {
  const { total, series, compose, readTogether, shown } = trend();
  total.isStale = true;
  compose(now);
  expect(shown()).toEqual({ state: "waiting" });
  readTogether(now + 1_000, [10, 20, 31]);
  const asOf = (at: number) => new Date(at).toISOString();
  const first = { state: "ok", points: [10, 20, 31], asOf: asOf(now + 1_000) };
  expect(compose(now + 2_000)).toEqual(first);
  series.isStale = true;
  expect(compose(now + 60_000)).toEqual(first);
  readTogether(now + 61_000, [10, 21, 31]);
  expect(compose(now + 62_000)).toEqual({
    ...first,
    points: [10, 21, 31],
    asOf: asOf(now + 61_000),
  });
  for (const one of [total, series]) one.isStale = false;
  expect(compose(now + 63_000)).toEqual({ state: "ok", points: [10, 20, 30], asOf: undefined });
});

it("T10 shows no values of parts of different positions, if it never had any of one, or if one failed", () => {
  const { total, series, compose, shown } = trend();
  // An older total with a newer series: the few records from before its window would follow by subtraction.
  series.apply(insert(1));
  total.isStale = true;
  compose(now);
  expect(shown()).toEqual({ state: "waiting" });
  compose(now + 60_000);
  expect(shown()).toEqual({ state: "waiting" });
  total.isStale = false;
  total.apply(insert(1));
  expect(compose(now + 61_000)).toMatchObject({ state: "ok", points: [10, 20, 31] });
  total.isStale = true;
  total.hasFailed = true;
  series.apply(insert(2));
  compose(now + 62_000);
  expect(shown()).toEqual({ state: "failed" });
});

it("T7 continues an alert of another version only if it has the same bounds", () => {
  const evaluated = (threshold: object, at: number, before?: WallboardQuery) => {
    const form = { op: "count", scale: 0, isWhole: true } as const;
    const tile = { id: "t", kind: "number", form, thresholds: [threshold], total };
    const plan = { key: "k", wallboard: "w", version: 1, tiles: [tile], tables: ["incidents"] };
    const query = new WallboardQuery(plan as unknown as WallboardPlan, null);
    if (before) query.continueAlerts(before);
    const live = trend().total;
    const position = { incidents: { epoch: "e", seq: 1 } };
    query.compose(new Map([[live.key, live]]), { now: at, position }, String, () => undefined);
    return query;
  };
  const sinceOf = ({ last }: WallboardQuery) => last?.tiles.t?.alert?.since;
  const hot = { at: 10, word: "Hot", colour: "red" };
  const first = evaluated(hot, now);
  const later = now + DAY_MS;
  expect(sinceOf(first)).toBe(new Date(now).toISOString());
  // The server's clock was set back.
  const back = now - DAY_MS;
  expect(sinceOf(evaluated(hot, back, first))).toBe(new Date(back).toISOString());
  const another = { ...hot, colour: "orange", sound: true };
  expect(sinceOf(evaluated(another, later, first))).toBe(sinceOf(first));
  for (const more of [{ at: 50 }, { word: "Hotter" }, { hysteresis: 5 }]) {
    const begun = sinceOf(evaluated({ ...hot, ...more }, later, first));
    expect([more, begun]).toEqual([more, new Date(later).toISOString()]);
  }
});
