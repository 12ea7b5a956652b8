import { expect, test } from "vitest";
import type { Table } from "../../../../../shared/model/model.ts";
import { parseLayout, placeColumns } from "./column-layout.ts";

const table: Table = {
  name: "incidents",
  label: "Incidents",
  recordLabel: "incident",
  display: "number",
  fields: [
    { name: "number", label: "Number", type: "text", width: 120 },
    { name: "title", label: "Title", type: "text" },
    { name: "notes", label: "Notes", type: "longText" },
  ],
  columns: ["title", "number"],
  sort: [],
};
const all = ["number", "title", "notes"];

test("without a kept layout the model's columns come first, the others wait hidden", () => {
  expect(placeColumns(table, all, null)).toEqual([
    { field: "title", hidden: false, pinned: true, width: undefined },
    { field: "number", hidden: false, pinned: false, width: 120 },
    { field: "notes", hidden: true, pinned: false, width: undefined },
  ]);
});

test("a kept layout decides order, width and what is hidden", () => {
  const layout = {
    order: ["notes", "number", "title"],
    hidden: ["title"],
    pinned: ["notes"],
    widths: { number: 90 },
  };
  expect(placeColumns(table, all, layout)).toEqual([
    { field: "notes", hidden: false, pinned: true, width: undefined },
    { field: "number", hidden: false, pinned: false, width: 90 },
    { field: "title", hidden: true, pinned: false, width: undefined },
  ]);
});

test("columns that left the model or may not be seen are dropped, new ones come last", () => {
  const layout = { order: ["gone", "number"], hidden: [], pinned: [], widths: {} };
  expect(placeColumns(table, ["number", "title"], layout).map((c) => c.field)).toEqual([
    "number",
    "title",
  ]);
});

test("a text that is not a layout is none", () => {
  expect(parseLayout(null)).toBeNull();
  expect(parseLayout("{")).toBeNull();
  expect(parseLayout('{"order":[1],"hidden":[],"pinned":[]}')).toBeNull();
  expect(parseLayout('{"order":["a"],"hidden":[],"pinned":[],"widths":{"a":"x","b":3}}')).toEqual({
    order: ["a"],
    hidden: [],
    pinned: [],
    widths: { b: 3 },
  });
});
