import { expect, it } from "vitest";
import { countGroup } from "./count-group.ts";

const counted = [{ key: "L", label: "L", value: "L", values: [1_200] }];
const view = { counted, further: null, columns: [], isExact: true };

it("the count of a group is exact, an estimate, or missing where it was not counted", () => {
  expect(countGroup(view, "L")).toEqual({ count: "1,200", details: [] });
  expect(countGroup({ ...view, isExact: false }, "L")).toMatchObject({ count: "≈ 1,200" });
  // Its last record left since.
  expect(countGroup(view, "M")).toMatchObject({ count: "0" });
  const rows = [{ key: "M", label: "M", value: 3, values: [3] }];
  const further = { keys: ["M", "N"], rows, isExact: true };
  expect(countGroup({ ...view, isExact: false, further }, "M")).toMatchObject({ count: "3" });
  expect(countGroup({ ...view, further }, "N")).toMatchObject({ count: "0" });
  expect(countGroup({ ...view, further }, "P")).toMatchObject({ count: "…" });
  const changing = { ...further, isExact: false };
  expect(countGroup({ ...view, further: changing }, "M")).toMatchObject({ count: "≈ 3" });
});
