import { expect, it } from "vitest";
import type { MeasureForm } from "../plan/wallboard-plan.ts";
import { joinGroupValues, measureValue } from "./group-values.ts";
import { Tally } from "./tally.ts";

const rule = {
  matches: null,
  sums: "cost",
  scale: 2,
  extreme: null,
  counts: null,
  group: "state",
  time: null,
};

/** What tiles show of groups whose sums Postgres wrote so: of each, and of all together. */
function shown(sums: string[], op: MeasureForm["op"]) {
  const rows = sums.map((sum, key) => ({ key, bucket: null, n: 2, filled: 2, sum, value: null }));
  const values = new Tally(rule, rows).groupValues();
  const form = { op, scale: 2, isWhole: false } as MeasureForm;
  return [...values, joinGroupValues(values)].map((one) => measureValue(one, form));
}

it("a sum is what Postgres says, also where it is NaN, infinite, or has more digits than the field", () => {
  expect(shown(["1.50", "2.125"], "sum")).toEqual(["1.50", "2.125", "3.625"]);
  expect(shown(["1.50", "2.125"], "avg")).toEqual(["0.75", "1.0625", "0.90625"]);
  expect(shown(["1.50", "NaN"], "sum")).toEqual(["1.50", "NaN", "NaN"]);
  expect(shown(["NaN", "1.50"], "avg")).toEqual(["NaN", "0.75", "NaN"]);
  expect(shown(["Infinity", "-Infinity"], "sum")).toEqual(["Infinity", "-Infinity", "NaN"]);
});
