import { expect, it } from "vitest";
import { countGroup } from "./count-group.ts";

const counted = [{ key: "L", label: "L", value: "L", values: [1_200] }];
const view = { counted, hasMore: false, columns: [], isExact: true };

it("the count of a group is exact, an estimate, or missing where it was not counted", () => {
  expect(countGroup(view, "L")).toEqual({ count: "1,200", details: [] });
  expect(countGroup({ ...view, isExact: false }, "L")).toMatchObject({ count: "≈ 1,200" });
  // Its last record left since.
  expect(countGroup(view, "M")).toMatchObject({ count: "0" });
  expect(countGroup({ ...view, hasMore: true }, "M")).toEqual({
    count: "–",
    note: expect.stringContaining("groups are counted"),
    details: [],
  });
});
