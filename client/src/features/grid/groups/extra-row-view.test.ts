import { expect, it } from "vitest";
import type { Field } from "../../../../../shared/model/model.ts";
import { countGroup } from "./extra-row-view.ts";

const counted = [{ key: "L", label: "L", value: "L", values: [1_200] }];
const view = { counted, further: null, columns: [], isExact: true };

it("the count of a group is exact, an estimate, or missing where it was not counted", () => {
  expect(countGroup(view, "L")).toEqual({ count: "1,200", details: [] });
  expect(countGroup({ ...view, isExact: false }, "L")).toMatchObject({ count: "≈ 1,200" });
  // Its last record left since.
  expect(countGroup(view, "M")).toMatchObject({ count: "0" });
  // It has appeared since the groups were counted.
  const waiting = {
    count: "–",
    note: "Not counted yet: it is new since the last count.",
    details: [],
  };
  expect(countGroup({ ...view, isExact: false }, "M")).toEqual(waiting);
  const rows = [{ key: "M", label: "M", value: 3, values: [3] }];
  const further = { keys: ["M", "N"], rows, isExact: true };
  expect(countGroup({ ...view, isExact: false, further }, "M")).toMatchObject({ count: "3" });
  expect(countGroup({ ...view, further }, "N")).toMatchObject({ count: "0" });
  expect(countGroup({ ...view, further }, "P")).toMatchObject({ count: "…" });
  const changing = { ...further, isExact: false };
  expect(countGroup({ ...view, further: changing }, "M")).toMatchObject({ count: "≈ 3" });
  expect(countGroup({ ...view, further: changing }, "N")).toEqual(waiting);
});

it("the summaries of a group are those of the columns, in their order, as far as they are counted", () => {
  const cost: Field = { name: "cost", label: "Cost", type: "integer" };
  const urgent: Field = { name: "urgent", label: "Urgent", type: "boolean" };
  const columns = [
    { column: cost, op: "sum" as const },
    { column: urgent, op: "checked" as const },
  ];
  const rows = [{ key: "L", label: "L", value: 4, values: [4, 1_200, 1] }];
  const both = ["Cost: Sum 1,200", "Urgent: Checked 25%"];
  expect(countGroup({ ...view, counted: rows, columns }, "L").details).toEqual(both);
  const older = [{ key: "L", label: "L", value: 4, values: [4, 1_200] }];
  expect(countGroup({ ...view, counted: older, columns }, "L").details).toEqual([both[0]]);
});
