import { expect, it } from "vitest";
import { checkModel } from "./check-model.ts";
import type { Table } from "./model.ts";
import type { Transition, Workflow } from "./workflow.ts";

const go: Transition = { name: "go", label: "Go", from: ["a"], to: "b" };
const workflow: Workflow = {
  states: [
    { value: "a", open: true, initial: true },
    { value: "b", open: false, locks: "all" },
  ],
  transitions: [go],
};
const table: Table = {
  name: "things",
  label: "Things",
  recordLabel: "thing",
  display: "title",
  stateField: "state",
  fields: [
    { name: "title", label: "Title", type: "text" },
    { name: "when", label: "When", type: "timestamp" },
    { name: "who", label: "Who", type: "person" },
    { name: "state", label: "State", type: "select", options: [{ value: "a" }, { value: "b" }] },
  ],
  columns: [],
  sort: [],
};

const places = (of: Table) =>
  checkModel({ version: 1, tables: [of] }).map(({ path }) => path.slice(2).join("."));
const withTransition = (changes: Partial<Transition>): Table => ({
  ...table,
  workflow: { ...workflow, transitions: [go, { ...go, name: "again", ...changes }] },
});

it("accepts a consistent workflow", () => {
  const sets = { when: "$now", who: "$me", title: "done" };
  const guard = { field: "who", op: "eq" as const, value: "$me" };
  expect(places(withTransition({ sets, guard, requires: ["title"] }))).toEqual([]);
});

it.each<[Partial<Transition>, string]>([
  [{ name: "go" }, "name"],
  [{ from: ["c"] }, "from.0"],
  [{ to: "c" }, "to"],
  [{ guard: { field: "gone", op: "isEmpty" } }, "guard"],
  [{ requires: ["gone"] }, "requires.0"],
  [{ requires: ["state"] }, "requires.0"],
  [{ sets: { when: "tomorrow" } }, "sets.when"],
  [{ sets: { title: "$now" } }, "sets.title"],
  [{ sets: { title: "$me" } }, "sets.title"],
])("reports the place where the transition with %j is wrong", (changes, place) => {
  expect(places(withTransition(changes))).toEqual([`workflow.transitions.1.${place}`]);
});

it("requires each state to be an option, once, and the default to be an initial one", () => {
  const states = [...workflow.states, { value: "c", open: true, locks: ["gone"] }];
  const fields = table.fields.map((f) => (f.name === "state" ? { ...f, default: "b" } : f));
  expect(places({ ...table, fields, workflow: { ...workflow, states } })).toEqual([
    "workflow.states.2.value",
    "workflow.states.2.locks.0",
    "workflow.states",
  ]);
});

it("requires a state field", () => {
  const { stateField: _, ...stateless } = table;
  expect(places({ ...stateless, workflow })).toEqual(["workflow"]);
});
