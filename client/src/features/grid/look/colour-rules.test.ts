import { expect, it, onTestFinished, vi } from "vitest";
import type { Field, Table } from "../../../../../shared/model/model.ts";
import { clockOffsetAtom } from "../../../state/connection-state.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { store } from "../../../state/store.ts";
import type { GridController } from "../grid-controller.ts";
import { ColourRules } from "./colour-rules.ts";

const title: Field = { name: "title", label: "Title", type: "text" };
const pieces: Field = { name: "pieces", label: "Pieces", type: "integer" };
const due: Field = { name: "due_at", label: "Due", type: "timestamp" };
const day: Field = { name: "day", label: "Day", type: "date" };
const secret: Field = { name: "secret", label: "Secret", type: "text" };
const table: Table = {
  name: "t",
  label: "T",
  recordLabel: "t",
  display: "title",
  fields: [title, pieces, due, day, secret],
  columns: ["title", "pieces"],
  sort: [],
};

/** A grid of a user who may not see `secret`. */
const grid = {
  table,
  fields: new Map([title, pieces, due, day].map((field) => [field.name, field])),
  columns: ["title", "pieces"],
  core: { user: { id: "u", attributes: {} } },
  cells: { all: () => [] },
  rowList: { shownView: { zone: "Pacific/Auckland" } },
  labels: { labelOf: () => undefined },
} as unknown as GridController;

const record = (values: RecordView["values"], mark: RecordView["mark"] = null): RecordView => ({
  id: "r",
  values,
  confirmed: null,
  version: "e.1",
  cells: {},
  pending: null,
  problem: null,
  mark,
});

const many = { field: "pieces", op: "gt" as const, value: 5 };
const any = { field: "pieces", op: "gt" as const, value: 0 };

it("colours by the first rule that matches, and cells before rows", () => {
  const rules = new ColourRules(() => grid);
  rules.set([
    { filter: many, colour: "red", field: null },
    { filter: any, colour: "blue", field: null },
    { filter: many, colour: "green", field: "pieces" },
  ]);
  const colourOf = (value: number, field: string) =>
    rules.of(record({ pieces: value }), field)?.colour;
  expect(["title", "pieces"].map((field) => colourOf(9, field))).toEqual(["red", "green"]);
  expect(["title", "pieces"].map((field) => colourOf(2, field))).toEqual(["blue", "blue"]);
  expect(colourOf(0, "title")).toBeUndefined();
  expect(rules.of(record({ pieces: 9 }), "title")?.label).toContain("Pieces");
  expect(rules.of(record({}, "deleted"), "title")).toBeNull();
});

it("colours a record that has not changed by other rules", () => {
  const rules = new ColourRules(() => grid);
  const one = record({ pieces: 9 });
  for (const colour of ["red", "blue"] as const) {
    rules.set([{ filter: many, colour, field: null }]);
    expect(rules.ofRow(one)?.colour).toBe(colour);
  }
});

it("shows the sign of a row once, and that of a cell in it", () => {
  const rules = new ColourRules(() => grid);
  rules.set([{ filter: any, colour: "red", field: null }]);
  expect(rules.hasSign(record({ pieces: 1 }), "title")).toBe(true);
  expect(rules.hasSign(record({ pieces: 1 }), "pieces")).toBe(false);
  rules.set([{ filter: any, colour: "red", field: "pieces" }]);
  expect(rules.hasSign(record({ pieces: 1 }), "title")).toBe(false);
  expect(rules.hasSign(record({ pieces: 1 }), "pieces")).toBe(true);
});

it("ignores rules on fields that the user may not see", () => {
  const rules = new ColourRules(() => grid);
  const filter = { field: "secret", op: "isEmpty" as const, value: true };
  rules.set([
    { filter, colour: "red", field: null },
    { filter: { not: filter }, colour: "blue", field: null },
    { filter: any, colour: "green", field: "secret" },
  ]);
  expect(rules.of(record({ pieces: 9, secret: "x" }), "title")).toBeNull();
  expect(rules.of(record({ pieces: 9, secret: "x" }), "secret")).toBeNull();
});

it("takes today from the zone of the view", () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 18) });
  const rules = new ColourRules(() => grid);
  rules.set([{ filter: { field: "day", op: "eq", value: "$today" }, colour: "red", field: null }]);
  const days = ["2026-11-21", "2026-11-22"].map((one) => rules.ofRow(record({ day: one })));
  expect(days.map((found) => found?.colour)).toEqual([undefined, "red"]);
  rules.stop();
  vi.useRealTimers();
});

it("takes now from the clock of the server, also where that is found to differ later", () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 4) });
  onTestFinished(() => {
    vi.useRealTimers();
    store.set(clockOffsetAtom, 0);
  });
  const rules = new ColourRules(() => grid);
  const filter = { field: "due_at", op: "lt" as const, value: "$now" };
  store.set(clockOffsetAtom, 600_000);
  rules.set([{ filter, colour: "red", field: null }]);
  const colourOf = (dueAt: string) => rules.ofRow(record({ due_at: dueAt }))?.colour;
  expect(colourOf("2026-11-21T04:05:00Z")).toBe("red");
  store.set(clockOffsetAtom, 0);
  expect(colourOf("2026-11-21T04:05:00Z")).toBeUndefined();
  rules.stop();
});

it("colours by rules on the time as time passes, until they are stopped", () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 4) });
  const rules = new ColourRules(() => grid);
  const filter = { field: "due_at", op: "lt" as const, value: "$now" };
  rules.set([{ filter, colour: "red", field: null }]);
  const colourOf = (dueAt: string) => rules.of(record({ due_at: dueAt }), "title")?.colour;
  const [early, late] = ["2026-11-21T04:00:10Z", "2026-11-21T04:02:00Z"];
  expect([early, late].map(colourOf)).toEqual([undefined, undefined]);
  vi.advanceTimersByTime(60_000);
  expect([early, late].map(colourOf)).toEqual(["red", undefined]);
  rules.stop();
  vi.advanceTimersByTime(120_000);
  expect([early, late].map(colourOf)).toEqual(["red", undefined]);
  for (let times = 0; times < 2; times += 1) rules.set([{ filter, colour: "red", field: null }]);
  expect(vi.getTimerCount()).toBe(1);
  rules.stop();
  vi.useRealTimers();
});
