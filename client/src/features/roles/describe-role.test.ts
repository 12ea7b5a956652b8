import { expect, test } from "vitest";
import type { Model, Table } from "../../../../shared/model/model.ts";
import { describeRole } from "./describe-role.ts";

const incidents: Table = {
  name: "incidents",
  label: "Incidents",
  recordLabel: "incident",
  display: "title",
  stateField: "state",
  fields: [
    { name: "title", label: "Title", type: "text" },
    { name: "group", label: "Group", type: "text" },
    { name: "caller", label: "Caller", type: "text" },
    { name: "who", label: "Assignee", type: "person" },
    { name: "notes", label: "Notes", type: "longText" },
    { name: "state", label: "State", type: "select", options: [{ value: "a" }, { value: "b" }] },
  ],
  workflow: {
    states: [
      { value: "a", open: true, initial: true },
      { value: "b", open: false },
    ],
    transitions: [{ name: "close", label: "Close it", from: ["a"], to: "b" }],
  },
  columns: [],
  sort: [],
};
const groups: Table = { ...incidents, name: "groups", label: "Groups" };
const model: Model = { version: 1, tables: [incidents, groups] };

const say = (grants: Parameters<typeof describeRole>[0]["grants"]) =>
  describeRole({ grants }, model).map(({ label, sentences }) => `${label}: ${sentences.join(" ")}`);

test("describes rows, hidden fields, writable fields and transitions, each in a sentence", () => {
  expect(
    say({
      incidents: {
        read: {
          filter: { field: "group", op: "eq", value: "$me.group" },
          hide: ["caller", "notes"],
        },
        create: true,
        update: { filter: { field: "who", op: "eq", value: "$me" }, fields: ["title", "group"] },
        delete: false,
        transitions: ["close"],
        history: true,
        export: true,
      },
    }),
  ).toEqual([
    "Incidents: Sees records where Group is their own group, without Caller and Notes. Adds records. Changes Title and Group, where Assignee is themselves. Uses the transitions “Close it”. Sees their history. Exports them as files.",
  ]);
});

test("sums up the rights to records that have no limit", () => {
  const all = { read: true, create: true, update: true, delete: true } as const;
  expect(say({ "*": { ...all, transitions: true, comment: true } })).toEqual([
    "All tables: Sees, adds, edits and deletes all records. Uses every transition. Comments on records.",
  ]);
});

test("describes the grant on all other tables once, and nothing without the right to read", () => {
  expect(say({ "*": { read: true, history: true } })).toEqual([
    "All tables: Sees all records. Sees their history.",
  ]);
  expect(say({ groups: { create: true }, "*": { read: true } })).toEqual([
    "Groups: No access.",
    "All other tables: Sees all records.",
  ]);
  expect(say({ groups: { create: true } })).toEqual([]);
});

test("says nothing that the table of rights does not show", () => {
  const read = { hide: ["caller"] };
  expect(say({ groups: { read: true, createInAnyState: true } })).toEqual([
    "Groups: Sees all records.",
  ]);
  expect(say({ groups: { read, update: { fields: ["title", "caller"] } } })).toEqual([
    "Groups: Sees all records, without Caller. Changes Title.",
  ]);
  expect(say({ groups: { read, update: { fields: ["caller"] } } })).toEqual([
    "Groups: Sees all records, without Caller. Changes no field.",
  ]);
});
