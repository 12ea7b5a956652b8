import { expect, it } from "vitest";
import { quote } from "../../../../shared/error-texts/explain.ts";
import type { Field, Table } from "../../../../shared/model/model.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import type { TransitionOption } from "../../../../shared/policy/possible-transitions.ts";
import { type BoardRules, type Dragged, evaluateDrop, nextColumn } from "./evaluate-drop.ts";

const state: Field = { name: "state", label: "State", type: "select" };
const level: Field = { name: "level", label: "Level", type: "select" };
const table = { label: "Jobs", recordLabel: "job", fields: [state, level] } as unknown as Table;
const abilities = { update: ["level"] } as unknown as TableAbilities;
const byState: BoardRules = {
  table,
  abilities,
  grouping: { field: state, isState: true, values: ["a", "b", "c", "d"] },
};
const byLevel: BoardRules = {
  table,
  abilities,
  grouping: { field: level, isState: false, values: ["low", "high", null] },
};
const option = (name: string, to: string, why: string | null = null): TransitionOption => ({
  transition: { name, label: name, from: ["a"], to },
  obstacle: why === null ? null : { why: "guard", ...quote(why) },
  missing: [],
});
const card = (overrides: object = {}): Dragged => ({
  view: {
    id: "1",
    values: { state: "a", level: "low" },
    cells: {},
    pending: null,
    mark: null,
    ...overrides,
  } as unknown as Dragged["view"],
  transitions: [
    option("go", "b"),
    option("also", "b", "Not yet."),
    option("end", "c", "Too early."),
  ],
});

it("runs the transitions to the state of the column", () => {
  expect(evaluateDrop(card(), "b", byState)).toMatchObject({ kind: "move", transitions: [{}, {}] });
});

it("does nothing on the card's own column", () => {
  expect(evaluateDrop(card(), "a", byState)).toEqual({ kind: "stay" });
  expect(evaluateDrop(card(), "low", byLevel)).toEqual({ kind: "stay" });
});

it("returns the reason why a column rejects the card", () => {
  expect(evaluateDrop(card(), "c", byState)).toEqual({ kind: "refused", reason: "Too early." });
  const none = { kind: "refused", reason: "You can't move straight from a to d." };
  expect(evaluateDrop(card(), "d", byState)).toEqual(none);
});

it("edits any other field, and clears it unless it is required", () => {
  expect(evaluateDrop(card(), "high", byLevel)).toEqual({ kind: "edit" });
  expect(evaluateDrop(card(), null, byLevel)).toEqual({ kind: "edit" });
  const required = { ...byLevel.grouping, field: { ...level, required: true } };
  const refused = { kind: "refused", reason: "Level is required." };
  expect(evaluateDrop(card(), null, { ...byLevel, grouping: required })).toEqual(refused);
});

it("refuses an edit with the reason of the cell", () => {
  const noRight = { ...byLevel, abilities: { update: [] as string[] } as TableAbilities };
  const why = "Your role can't change Level of Jobs.";
  expect(evaluateDrop(card(), "high", noRight)).toEqual({ kind: "refused", reason: why });
});

it("rejects an edit of a field with a conflict", () => {
  const drop = evaluateDrop(card({ cells: { level: { kind: "conflict" } } }), "high", byLevel);
  expect(drop).toMatchObject({
    kind: "refused",
    reason: expect.stringMatching(/both changed Level/),
  });
});

it("finds the nearest column that accepts the card on one side, or the next one, or none", () => {
  expect(nextColumn(card(), 1, byState)).toBe("b");
  expect(nextColumn(card({ values: { state: "b" } }), 1, byState)).toBe("c");
  expect(nextColumn(card({ values: { level: "high" } }), -1, byLevel)).toBe("low");
  expect(nextColumn(card(), -1, byState)).toBeUndefined();
});

it("refuses a draft, which the server does not have yet", () => {
  const reason = "Fill in the draft before you move it.";
  expect(evaluateDrop(card({ pending: "draft" }), "b", byState)).toEqual({
    kind: "refused",
    reason,
  });
});
