import { expect, test } from "vitest";
import type { Workflow } from "../../../../../shared/model/workflow.ts";
import { layOut, stateRanks } from "./layout.ts";

const states = (...values: string[]) => values.map((value) => ({ value, open: true }));
const transition = (from: string[], to: string) => ({
  name: `${from}>${to}`,
  label: "x",
  from,
  to,
});

const waiting = ["Awaiting User Info", "Awaiting Vendor", "Awaiting Evidence"];
const others = (of: string) => waiting.filter((one) => one !== of);

/** A workflow whose waiting states change into each other, and whose resolved records can be reopened. */
const supportWorkflow: Workflow = {
  states: states("New", "Active", ...waiting, "Resolved", "Closed"),
  transitions: [
    transition(["New", ...waiting], "Active"),
    transition(["New", "Active", ...others("Awaiting User Info")], "Awaiting User Info"),
    transition(["Active", ...others("Awaiting Vendor")], "Awaiting Vendor"),
    transition(["Active", ...others("Awaiting Evidence")], "Awaiting Evidence"),
    transition(["New", "Active", ...waiting], "Resolved"),
    transition(["Resolved"], "Active"),
    transition(["Resolved"], "Closed"),
  ],
};

test("places states from initial to final, and waiting states side by side", () => {
  const ranks = stateRanks(supportWorkflow);
  expect(ranks.get("New")).toBe(0);
  expect(ranks.get("Active")).toBe(ranks.get("Awaiting User Info"));
  expect(ranks.get("Awaiting Vendor")).toBe(ranks.get("Awaiting Evidence"));
  const [resolved = 0, closed = 0] = [ranks.get("Resolved"), ranks.get("Closed")];
  expect(closed).toBe(resolved + 1);
  expect(Math.max(...ranks.values())).toBe(closed);
});

test.each<[string, Workflow]>([
  ["a desk's", supportWorkflow],
  ["one without transitions", { states: states("a", "b"), transitions: [] }],
  [
    "a ring",
    {
      states: states("a", "b", "c"),
      transitions: [transition(["a"], "b"), transition(["b"], "c"), transition(["c"], "a")],
    },
  ],
  ["one that stays where it is", { states: states("a"), transitions: [transition(["a"], "a")] }],
  [
    "one that nothing reaches",
    {
      states: states("a", "b", "c"),
      transitions: [transition(["b"], "a"), transition(["c"], "c")],
    },
  ],
])("%s workflow is laid out with every part in the picture and none on another", (_, workflow) => {
  const plan = layOut(workflow, String);
  const boxes = [...plan.states.values(), ...plan.transitions.values()];
  for (const [index, box] of boxes.entries()) {
    expect(box.x - box.width / 2).toBeGreaterThanOrEqual(0);
    expect(box.y + box.height / 2).toBeLessThanOrEqual(plan.height);
    for (const other of boxes.slice(index + 1)) {
      const isBeside =
        Math.abs(box.x - other.x) * 2 >= box.width + other.width - 0.01 ||
        Math.abs(box.y - other.y) * 2 >= box.height + other.height - 0.01;
      expect(isBeside).toBe(true);
    }
  }
  // A lane goes down at its own transition's middle, beside every other box.
  for (const lane of plan.transitions.values()) {
    const crossed = boxes.filter(
      ({ x, y, width, height }) =>
        Math.abs(x - lane.x) < width / 2 && y + height / 2 > lane.y + lane.height / 2,
    );
    expect(crossed).toEqual([]);
  }
  const lines = workflow.transitions.reduce((sum, { from }) => sum + from.length + 1, 0);
  expect(plan.lines).toHaveLength(lines);
  expect(plan.lines.every(({ path }) => /^M[\d.]+ [\d.]+ /.test(path))).toBe(true);
});
