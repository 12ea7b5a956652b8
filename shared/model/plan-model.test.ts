import { describe, expect, it } from "vitest";
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

  it("has none for a switch that is off and was never mentioned", () => {
    expect(plan({}, { required: false, immutable: false })).toEqual([]);
  });
});
