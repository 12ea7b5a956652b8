import { expect, it } from "vitest";
import type { Field, Table } from "../../shared/model/model.ts";
import type { ActivityEntry } from "../../shared/protocol/records.ts";
import { inverseOps, RecordChanges } from "./inverse-ops.ts";

const field = (name: string): Field => ({ name, label: name, type: "text" });
const table: Table = {
  name: "things",
  label: "Things",
  recordLabel: "thing",
  display: "title",
  columns: [],
  sort: [],
  stateField: "state",
  workflow: {
    states: [
      { value: "open", open: true },
      { value: "closed", open: false, locks: ["note"] },
    ],
    transitions: [{ name: "reopen", label: "Reopen", from: ["closed"], to: "open" }],
  },
  fields: [field("title"), field("note"), field("place"), field("state")],
};
const change = (fields: ActivityEntry["fields"]): ActivityEntry => ({
  ...{ table: "things", record: "r1", seq: 5, kind: "update", at: "2026-11-22T10:00:00Z" },
  by: { kind: "user", id: "u1", name: "Ana" },
  fields,
});
const at = { op: "update", table: "things", record: "r1", version: "e.5" };
const context = { table, epoch: "e", isLast: true, unbrokenTo: 0, updatable: null };

it("puts what was edited since, what is locked and what the author may not write into ops of their own", () => {
  const cell = { before: "old", after: "new" };
  const changes = [change({ title: cell, note: cell, place: cell })];
  const set = (name: string) => ({ ...at, set: { [name]: "old" }, base: { [name]: "new" } });
  const current = { title: "new", note: "new", place: "new", state: "closed" };
  expect(
    inverseOps(new RecordChanges(table, changes), {
      ...context,
      current,
      updatable: ["title", "note"],
    }),
  ).toEqual([
    set("title"),
    { ...at, set: { note: "old", place: "old" }, base: { note: "new", place: "new" } },
  ]);
  const edited = { ...current, state: "open", note: "newer" };
  expect(
    inverseOps(new RecordChanges(table, changes), {
      ...context,
      current: edited,
      updatable: ["title", "note"],
    }),
  ).toEqual([set("title"), set("note"), set("place")]);
});

it("keeps locked fields beside a transition that leaves the state which locks them", () => {
  const changes = [
    change({ state: { before: "open", after: "closed" }, note: { before: "a", after: "b" } }),
  ];
  const current = { title: null, note: "b", place: null, state: "closed" };
  expect(inverseOps(new RecordChanges(table, changes), { ...context, current })).toEqual([
    {
      ...{ ...at, op: "transition", transition: "reopen", from: "closed" },
      ...{ set: { note: "a" }, base: { note: "b" } },
    },
  ]);
});
