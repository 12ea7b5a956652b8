import { describe, expect, it } from "vitest";
import { englishText } from "../error-texts/explain.ts";
import { describeStep } from "./describe-step.ts";
import type { Field, Model } from "./model.ts";
import { planModel } from "./plan-model.ts";

const shipped: Field = { id: "f", name: "shipped", label: "Shipped", type: "boolean" };

function modelWith(field: Partial<Field>): Model {
  const table = { id: "t", name: "orders", label: "Orders", recordLabel: "order" };
  const rest = { display: "shipped", columns: ["shipped"], sort: [] };
  return { version: 1, tables: [{ ...table, ...rest, fields: [{ ...shipped, ...field }] }] };
}

const plan = (from: Partial<Field>, to: Partial<Field>) =>
  planModel(modelWith(from), modelWith(to));

describe("the plan from one model to the next", () => {
  it("has a step for a default of “no”", () => {
    expect(plan({}, { default: false })).toHaveLength(1);
    expect(plan({ default: false }, {})).toHaveLength(1);
  });

  it("has none for a switch that is off and was never set", () => {
    expect(plan({}, { required: false, immutable: false })).toEqual([]);
  });

  it("has a step for reordered tables, and none for one that was added at the end", () => {
    const [first] = modelWith({}).tables;
    if (!first) throw new Error("the model has no table");
    const second = { ...first, id: "u", name: "lines", label: "Lines" };
    const both = { version: 1, tables: [first, second] };
    const reordered = planModel(both, { version: 1, tables: [second, first] });
    expect(reordered.map((step) => englishText(describeStep(step)))).toEqual([
      "Order the tables: Lines, Orders.",
    ]);
    const added = planModel({ version: 1, tables: [first] }, both);
    expect(added.map(({ kind }) => kind)).toEqual(["addTable"]);
    const removed = planModel(both, { version: 1, tables: [second] });
    expect(removed.map(({ kind }) => kind)).toEqual(["removeTable"]);
  });

  it("names a renamed field once, and no references to it", () => {
    const table = (name: string) => ({
      id: "t",
      name: "orders",
      label: "Orders",
      recordLabel: "order",
      display: name,
      idFrom: name,
      stateField: name,
      columns: [name],
      sort: [`-${name}`],
      rules: [{ filter: { field: name, op: "isEmpty" as const, value: false }, message: "no" }],
      workflow: {
        states: [{ value: "New", open: true, locks: [name] }],
        transitions: [
          {
            name: "go",
            label: "Go",
            from: ["New"],
            to: "New",
            guard: { field: name, op: "eq" as const, value: "a" },
            requires: [name],
            sets: { [name]: "$now" },
          },
        ],
      },
      fields: [
        { id: "f", name, label: "Shipped", type: "text" as const },
        {
          id: "g",
          name: "g",
          label: "G",
          type: "text" as const,
          derive: { fields: [name], values: { a: "b" } },
        },
      ],
    });
    const model = (name: string) => ({ version: 1, tables: [table(name)] });
    const steps = planModel(model("before"), model("after"));
    expect(steps.map(({ kind }) => kind)).toEqual(["renameField"]);
  });

  it("has none for switches of options and states that are off and were never set", () => {
    const options = [{ value: "a", open: true }, { value: "b" }];
    const mentioned = [
      { value: "a", open: true },
      { value: "b", open: false },
    ];
    const select = { type: "select" as const };
    expect(plan({ ...select, options }, { ...select, options: mentioned })).toEqual([]);
    expect(
      plan({ ...select, options }, { ...select, options: [...options].reverse() }),
    ).toHaveLength(1);
  });
});
