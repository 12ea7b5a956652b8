import { expect, test } from "vitest";
import type { Table } from "../../../../shared/model/model.ts";
import { arrangementOf, parseArrangement, placeColumns } from "./column-layout.ts";

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

test("without an arrangement the model's columns come first, the others wait hidden", () => {
  expect(placeColumns(table, all, [])).toMatchObject([
    { field: "title", hidden: false, pinned: true, width: 180 },
    { field: "number", hidden: false, pinned: false, width: 128 },
    { field: "notes", hidden: true, pinned: false, width: 280 },
  ]);
});

const arranged = [
  { field: "notes", pinned: true },
  { field: "number", width: 90 },
  { field: "title", hidden: true },
];

test("an arrangement decides order, width and what is hidden", () => {
  expect(placeColumns(table, all, arranged)).toMatchObject([
    { field: "notes", hidden: false, pinned: true, width: 280 },
    { field: "number", hidden: false, pinned: false, width: 90 },
    { field: "title", hidden: true, pinned: false, width: 180 },
  ]);
});

test("serialises an arrangement without default widths", () => {
  expect(arrangementOf(placeColumns(table, all, arranged), table)).toEqual(arranged);
  expect(arrangementOf(placeColumns(table, all, []), table)).toEqual([
    { field: "title", pinned: true },
    { field: "number" },
    { field: "notes", hidden: true },
  ]);
});

test("a summary that no longer fits the type of its field is none", () => {
  const summed = placeColumns(table, all, [
    { field: "title", summary: "sum" },
    { field: "number", summary: "distinct" },
  ]);
  expect(summed.map(({ summary }) => summary)).toEqual([null, "distinct", null]);
});

test("columns that left the model or may not be seen are dropped, new ones come last", () => {
  const stored = [{ field: "gone" }, { field: "number" }];
  expect(placeColumns(table, ["number", "title"], stored).map(({ field }) => field)).toEqual([
    "number",
    "title",
  ]);
});

test("a text that is not an arrangement is none", () => {
  expect(parseArrangement(null)).toBeNull();
  expect(parseArrangement("{")).toBeNull();
  expect(parseArrangement('{"order":["a"]}')).toBeNull();
  expect(parseArrangement('[{"field":"a","width":"x"}]')).toBeNull();
  expect(parseArrangement('[{"field":"a","width":90}]')).toEqual([{ field: "a", width: 90 }]);
});
