import { expect, it } from "vitest";
import type { Json } from "../../filter/filter.ts";
import type { Table } from "../model.ts";
import { prefillOf } from "./prefill.ts";

const states = [
  { value: "New", open: true, initial: true },
  { value: "Closed", open: false },
];
const table: Table = {
  name: "tasks",
  label: "Tasks",
  recordLabel: "task",
  display: "title",
  fields: [
    { name: "title", label: "Title", type: "text" },
    { name: "who", label: "Who", type: "person" },
    { name: "day", label: "Day", type: "date" },
    { name: "at", label: "At", type: "timestamp" },
    { name: "done", label: "Done", type: "boolean" },
    { name: "secret", label: "Secret", type: "text" },
    { name: "twice", label: "Twice", type: "text", expression: "title" },
    {
      name: "state",
      label: "State",
      type: "select",
      options: [{ value: "New" }, { value: "Closed" }],
    },
  ],
  stateField: "state",
  workflow: { states, transitions: [] },
  columns: ["title"],
  sort: [],
};
const writable = ["title", "who", "day", "at", "done"];
const context = { me: { id: "u1", attributes: {} }, now: "2026-11-22T12:00:00Z" };
const prefill = (filter: Parameters<typeof prefillOf>[1]) =>
  prefillOf(table, filter, writable, context);
const is = (field: string, value: string | boolean) => ({ field, op: "eq" as const, value });

it("fills the values that every record of the view has", () => {
  const filter = { and: [is("who", "$me"), { and: [is("done", false)] }, is("state", "New")] };
  expect(prefill(filter)).toEqual({ who: "u1", done: false, state: "New" });
  expect(prefill({ field: "title", op: "in", value: ["One"] })).toEqual({ title: "One" });
});

it("fills the day and the time that a relative value means, in the zone of the view", () => {
  const inZone = (value: Json, zone: string) =>
    prefillOf(table, { field: "day", op: "eq", value }, writable, { ...context, zone });
  expect(inZone("$today", "UTC")).toEqual({ day: "2026-11-22" });
  expect(inZone("$today", "Pacific/Auckland")).toEqual({ day: "2026-11-23" });
  expect(inZone("$now", "Pacific/Auckland")).toEqual({ day: "2026-11-23" });
  expect(inZone({ ago: "2d" }, "UTC")).toEqual({ day: "2026-11-20" });
  expect(inZone({ ago: "-1d" }, "UTC")).toEqual({ day: "2026-11-23" });
  expect(prefill(is("at", "$now"))).toEqual({ at: "2026-11-22T12:00:00+00:00" });
  expect(prefill({ field: "at", op: "eq", value: { ago: "1h" } })).toEqual({
    at: "2026-11-22T11:00:00+00:00",
  });
  expect(prefill({ field: "day", op: "in", value: ["$today"] })).toEqual({ day: "2026-11-22" });
});

it("leaves choices to the user", () => {
  expect(prefill({ or: [is("title", "One"), is("title", "Two")] })).toEqual({});
  expect(prefill({ field: "title", op: "in", value: ["One", "Two"] })).toEqual({});
  expect(prefill({ not: is("title", "One") })).toEqual({});
  expect(prefill({ field: "title", op: "contains", value: "On" })).toEqual({});
  expect(prefill(null)).toEqual({});
});

it("fills nothing that the user may not write, and no state that is not initial", () => {
  expect(prefill({ and: [is("secret", "x"), is("twice", "x"), is("state", "Closed")] })).toEqual(
    {},
  );
});
