import { expect, it } from "vitest";
import type { Field } from "../../../../shared/model/model.ts";
import { averageText } from "./summary-text.ts";

const field = (more: Partial<Field>): Field =>
  ({ name: "f", label: "F", type: "decimal", ...more }) as Field;

it("an average reads like the values, with two more digits at most", () => {
  expect(averageText(field({ type: "integer" }), "2.333333")).toBe("2.33");
  expect(averageText(field({ type: "percent", scale: 1 }), "12.125")).toBe("12.125 %");
  expect(averageText(field({ type: "money", scale: 2, currency: "EUR" }), "1.5")).toBe("€1.50");
  expect(averageText(field({ type: "duration" }), "5400")).toBe("1h 30m");
});
