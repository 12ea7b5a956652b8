import { describe, expect, it } from "vitest";
import type { Field } from "../../../shared/model/model.ts";
import { stateCounts } from "./state-counts.ts";

const field: Field = {
  name: "state",
  label: "State",
  type: "select",
  options: [
    { value: "New", colour: "blue", open: true },
    { value: "Active", colour: "teal", open: true },
    { value: "Closed", label: "Done", colour: "gray" },
  ],
};

function row(key: string | null, value: number) {
  return { key, label: String(key), value };
}

describe("counts by state", () => {
  it("add up what is open, in the model's order and words", () => {
    const count = stateCounts(field, [row("Closed", 5), row("Active", 3), row("New", 2)]);
    expect(count).toMatchObject({ all: 10, open: 5 });
    expect(count.states.map(({ label }) => label)).toEqual(["New", "Active", "Done"]);
  });
  it("are open as the workflow says, where there is one, and unknown where nobody says", () => {
    const rows = [row("New", 2), row("Closed", 5)];
    const states = [
      { value: "New", open: false },
      { value: "Closed", open: true },
    ];
    expect(stateCounts(field, rows, { states, transitions: [] }).open).toBe(5);
    const plain = { ...field, options: [{ value: "New" }, { value: "Closed" }] };
    expect(stateCounts(plain, rows).open).toBeNull();
  });
  it("count records without a state, and leave out states that nobody is in", () => {
    const count = stateCounts(field, [row(null, 4), row("New", 1)]);
    expect(count).toMatchObject({ all: 5, open: 1 });
    expect(count.states).toHaveLength(1);
  });
});
