import { expect, test } from "vitest";
import type { Field, Table } from "../../../../shared/model/model.ts";
import {
  columnFilter,
  columnLabel,
  columnOf,
  type Grouping,
  groupingOf,
  groupName,
} from "./grouping.ts";

const state: Field = { name: "state", label: "State", type: "select", options: [{ value: "x" }] };
const level: Field = {
  name: "level",
  label: "Level",
  type: "select",
  options: [{ value: "high", label: "High" }, { value: "low" }],
};
const plain = { name: "jobs", fields: [level, state] } as unknown as Table;
const workflow = { states: [{ value: "New", open: true }], transitions: [] };
const workflowTable: Table = { ...plain, stateField: "state", workflow };
const byLevel = groupingOf(plain, "level") as Grouping;

test("by state the columns are those of the workflow, else the options and what has none of them", () => {
  expect(groupingOf(workflowTable, null)).toMatchObject({ isState: true, values: ["New"] });
  const values = ["high", "low", null];
  expect(groupingOf(workflowTable, "level")).toMatchObject({
    field: level,
    isState: false,
    values,
  });
});

test("uses the table's first grouping if the view's is impossible", () => {
  expect(groupingOf(workflowTable, "gone")?.field).toBe(state);
  expect(groupingOf(plain, "gone")?.field).toBe(level);
  expect(groupingOf({ ...plain, fields: [] }, null)).toBeNull();
});

test("leaves the default grouping out of the address", () => {
  expect(groupName(workflowTable, level, null)).toBe("level");
  expect(groupName(workflowTable, state, "level")).toBeNull();
  expect(groupName(workflowTable, state, "gone")).toBe("gone");
  expect(groupName(workflowTable, state, "state")).toBe("state");
});

test("a record is in the column of its option, or in the column without one", () => {
  expect(columnOf(byLevel, { level: "low" })).toBe("low");
  expect(columnOf(byLevel, { level: null })).toBeNull();
  expect(columnOf(byLevel, { level: "" })).toBeNull();
  expect(["high", "low", null].map((value) => columnLabel(level, value))).toEqual([
    "High",
    "low",
    "No value",
  ]);
});

test("a column asks for its own records among those of the view", () => {
  const own = { field: "level", op: "eq", value: "low" } as const;
  expect(columnFilter(null, byLevel, "low")).toEqual(own);
  const none = { field: "level", op: "isEmpty", value: true } as const;
  expect(columnFilter(own, byLevel, null)).toEqual({ and: [none, own] });
});
