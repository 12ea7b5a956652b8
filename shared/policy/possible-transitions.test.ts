import { expect, it } from "vitest";
import type { Table } from "../model/model.ts";
import { lockedFields } from "../model/state-of.ts";
import {
  missingFor,
  possibleTransitions,
  type TransitionAuthor,
  transitionOptions,
} from "./possible-transitions.ts";

const table: Table = {
  name: "jobs",
  label: "Jobs",
  recordLabel: "job",
  display: "title",
  stateField: "state",
  fields: [
    { name: "title", label: "Title", type: "text" },
    { name: "who", label: "Who", type: "person" },
    { name: "due", label: "Due", type: "timestamp" },
    { name: "state", label: "State", type: "select", options: [{ value: "a" }, { value: "b" }] },
  ],
  workflow: {
    states: [
      { value: "a", open: true, initial: true, locks: ["who"] },
      { value: "b", open: false, locks: "all" },
    ],
    transitions: [
      {
        name: "plain",
        label: "Plain",
        from: ["a"],
        to: "b",
        requires: ["title", "due"],
        sets: { due: "$now" },
      },
      { name: "boss", label: "Boss", from: ["a"], to: "b", roles: ["owner"] },
      {
        name: "own",
        label: "Own",
        from: ["a"],
        to: "b",
        guard: { field: "who", op: "eq", value: "$me" },
      },
      { name: "back", label: "Back", from: ["b"], to: "a" },
    ],
  },
  columns: [],
  sort: [],
};
const me: TransitionAuthor = {
  id: "me",
  role: "editor",
  attributes: {},
  transitions: true,
  zone: "UTC",
};
const at = (values: Record<string, string>) => ({ id: "1", values });
const names = (values: Record<string, string>, author: TransitionAuthor = me) =>
  possibleTransitions(table, at(values), author).map(({ name }) => name);

it("offers the transitions from the current state, and no others", () => {
  expect(names({ state: "a" })).toEqual(["plain"]);
  expect(names({ state: "b" })).toEqual(["back"]);
  expect(names({})).toEqual([]);
});

it("obeys role, grant and guard, and says in words which of them prevents it", () => {
  expect(names({ state: "a", who: "me" }, { ...me, role: "owner" })).toEqual([
    "plain",
    "boss",
    "own",
  ]);
  expect(names({ state: "a", who: "me" }, { ...me, transitions: ["own"] })).toEqual(["own"]);
  expect(names({ state: "a" }, { ...me, transitions: false })).toEqual([]);
  const messages = transitionOptions(table, at({ state: "a" }), me).map(({ obstacle }) => obstacle);
  expect(messages).toMatchObject([
    null,
    { why: "role", message: "Your role does not have the right to run “Boss”." },
    { why: "guard", message: "“Own” is possible only when Who is me." },
  ]);
});

it("reports required fields that are empty and not set by the transition itself", () => {
  expect(transitionOptions(table, at({ state: "a" }), me)[0]?.missing).toEqual(["title"]);
});

it("counts the empty list and text as values of a required JSON field", () => {
  const json: Table = { ...table, fields: [{ name: "data", label: "Data", type: "json" }] };
  const requiring = { name: "go", label: "Go", from: ["a"], to: "b", requires: ["data"] };
  for (const data of [[], ""]) expect(missingFor(json, requiring, { data })).toEqual([]);
  expect(missingFor(json, requiring, { data: null })).toEqual(["data"]);
  expect(missingFor(table, { ...requiring, requires: ["title"] }, { title: "" })).toEqual([
    "title",
  ]);
});

it("says nothing of a guard over a field that the author may not see", () => {
  const withoutState = { ...me, fields: ["title", "state"] };
  const own = transitionOptions(table, at({ state: "a" }), withoutState).at(-1);
  expect(own?.obstacle?.message).toBe("“Own” is not possible for this job.");
});

it("locks the fields of the current state, but never the state itself", () => {
  expect(lockedFields(table, { state: "a" })).toEqual(["who"]);
  expect(lockedFields(table, { state: "b" })).toEqual(["title", "who", "due"]);
  expect(lockedFields(table, {})).toEqual([]);
});

it("begins the days of a guard in the installation's zone", () => {
  const guard = { field: "due", op: "lt" as const, value: "$today" };
  const transitions = [{ name: "late", label: "Late", from: ["a"], to: "b", guard }];
  const dated = { ...table, workflow: { states: table.workflow?.states ?? [], transitions } };
  // Half past midnight in Lisbon's summer, half past eleven of the day before in UTC.
  const now = "2026-07-01T23:30:00Z";
  const record = { id: "r", values: { state: "a", due: "2026-07-01T22:00:00Z" } };
  const namesIn = (zone: string) =>
    possibleTransitions(dated, record, { ...me, zone }, now).map(({ name }) => name);
  expect(namesIn("Europe/Lisbon")).toEqual(["late"]);
  expect(namesIn("UTC")).toEqual([]);
});
