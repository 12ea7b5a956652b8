import { expect, it } from "vitest";
import { foldCase } from "../../../../../shared/filter/fold-case.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { cellContains } from "./match-cell.ts";
import { MatchList } from "./match-list.ts";

const columns = ["title", "note"];

function listOf(rows: Record<string, number>) {
  const list = new MatchList(
    (record) => rows[record] ?? -1,
    () => columns,
  );
  list.set("b", 1, ["note", "title"]);
  list.set("a", 0, ["note"]);
  list.set("c", 2, []);
  return list;
}

it("lists matches in the order of rows and columns", () => {
  const cells = listOf({}).all.map(({ record, field }) => `${record}.${field}`);
  expect(cells).toEqual(["a.note", "b.title", "b.note"]);
});

it("follows records that have moved, begin to match, or leave", () => {
  const rows = { a: 5, b: 1 };
  const list = listOf(rows);
  expect(list.all.map(({ record }) => record)).toEqual(["b", "b", "a"]);
  list.set("c", 2, ["title"]);
  list.remove("b");
  expect(list.all.map(({ record }) => record)).toEqual(["c", "a"]);
});

it("begins at the focused cell, or at the first match after the last one", () => {
  const list = listOf({});
  expect(list.firstFrom(0, 0)).toBe(0);
  expect(list.firstFrom(1, 1)).toBe(2);
  expect(list.firstFrom(2, 0)).toBe(0);
  list.remove("a");
  list.remove("b");
  expect(list.firstFrom(0, 0)).toBe(-1);
});

it("finds what a cell shows and what it copies, in any case", () => {
  const contains = (field: Partial<Field>, value: string | number | null, text: string) => {
    const whole: Field = { name: "f", label: "F", type: "text", ...field };
    return cellContains(whole, value, foldCase(text), () => "Ana Lopes");
  };
  expect(contains({}, "Café Zürich", "ZÜRICH")).toBe(true);
  expect(contains({}, "Cafe", "é")).toBe(false);
  expect(contains({ type: "integer" }, 1234, "1234")).toBe(true);
  expect(contains({ type: "integer" }, 1234, new Intl.NumberFormat().format(1234))).toBe(true);
  const options = [{ value: "p1", label: "Very urgent" }];
  expect(contains({ type: "select", options }, "p1", "urgent")).toBe(true);
  expect(contains({ type: "select", options }, "p1", "p1")).toBe(false);
  expect(contains({ type: "person" }, "u-1", "lopes")).toBe(true);
  expect(contains({}, null, "a")).toBe(false);
  expect(contains({}, "text", "")).toBe(false);
});
