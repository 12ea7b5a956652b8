import { expect, test } from "vitest";
import type { FieldType } from "./field-types.ts";
import type { Field, Table } from "./model.ts";
import { type RecordCard, recordCard } from "./record-card.ts";

const field = (name: string, type: FieldType, more: Partial<Field> = {}): Field => ({
  name,
  label: name,
  type,
  ...more,
});

const table = (display: string, fields: Field[], columns = fields.map(({ name }) => name)): Table =>
  ({ name: "t", label: "T", recordLabel: "record", display, fields, columns, sort: [] }) as Table;

const namesOf = ({ title, name, fields }: RecordCard) => [
  title?.name,
  name?.name,
  fields.map((one) => one.name),
];

const number = field("number", "text", { automatic: { prefix: "INC" } } as Partial<Field>);
const about = field("about", "text");
const state = field("state", "select");
const due = field("due", "date");

test("a record that is named by an assigned number is read by its first text", () => {
  expect(namesOf(recordCard(table("number", [state, number, about, due])))).toEqual([
    "about",
    "number",
    ["state", "due"],
  ]);
});

test("a record with a name of its own is read by it, and its first text is one of its fields", () => {
  const named = table("name", [about, field("name", "text"), state]);
  expect(namesOf(recordCard(named))).toEqual(["name", undefined, ["about", "state"]]);
});

test("a record without a text is read by its name, whatever type that is", () => {
  expect(namesOf(recordCard(table("due", [due, state])))).toEqual(["due", undefined, ["state"]]);
});

test("the columns of a view choose the fields and their order, not what a record is read by", () => {
  const all = table("number", [number, about, state, due]);
  expect(namesOf(recordCard(all, ["due", "number", "state"]))).toEqual([
    "about",
    "number",
    ["due", "state"],
  ]);
});

test("a record whose name may not be seen is read by its first text", () => {
  expect(namesOf(recordCard(table("", [about, state])))).toEqual(["about", undefined, ["state"]]);
});
