import { expect, it } from "vitest";
import { neighbourIn, recordTrailOf, trailState } from "./record-trail.ts";

it("steps through a list of records over several tables, each of them once", () => {
  const [a, b, c] = ["a", "b", "c"].map((record) => ({ table: "things", record }));
  const other = { table: "others", record: "a" };
  if (!a || !b || !c) throw new Error();
  const { trail } = trailState([a, other, b, a, c]);
  expect(recordTrailOf({ trail })).toEqual([a, other, b, c]);
  expect(neighbourIn(trail, a, 1)).toEqual(other);
  expect(neighbourIn(trail, b, -1)).toEqual(other);
  expect(neighbourIn(trail, c, 1)).toBeNull();
  expect(neighbourIn(trail, { table: "things", record: "z" }, 1)).toBeNull();
  expect(recordTrailOf(null)).toBeNull();
});
