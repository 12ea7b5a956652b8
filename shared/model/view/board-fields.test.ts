import { expect, test } from "vitest";
import type { Field, Table } from "../model.ts";
import { boardFields } from "./board-fields.ts";

const select = (name: string, count = 2): Field => ({
  name,
  label: name,
  type: "select",
  options: Array.from({ length: count }, (_, at) => ({ value: `${at}` })),
});
const text: Field = { name: "title", label: "Title", type: "text" };
const tableOf = (...fields: Field[]) => ({ name: "t", fields }) as Table;
const namesOf = (table: Table) => boardFields(table).map(({ name }) => name);

test("groups a board by the fields with options, in the order of the fields", () => {
  expect(namesOf(tableOf(text, select("level"), select("kind")))).toEqual(["level", "kind"]);
  expect(namesOf(tableOf(text))).toEqual([]);
});

test("puts the state of a workflow first", () => {
  const workflow = { states: [{ value: "0", open: true }], transitions: [] };
  const table = { ...tableOf(select("level"), select("state")), stateField: "state", workflow };
  expect(namesOf(table)).toEqual(["state", "level"]);
});

test("has no board without options, or with more than fit beside each other", () => {
  expect(namesOf(tableOf(select("none", 0), select("many", 101)))).toEqual([]);
  expect(namesOf(tableOf(select("some", 100)))).toEqual(["some"]);
});
