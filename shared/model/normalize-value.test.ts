import { expect, test } from "vitest";
import type { Field } from "./model.ts";
import { normalizeValue } from "./normalize-value.ts";

const amount: Field = { id: "f", name: "amount", label: "Amount", type: "decimal", scale: 2 };

test.each([
  ["1.5", "1.50"],
  ["007.1000", "7.10"],
  [0.1, "0.10"],
  ["-0.00", "0.00"],
  ["-0.5", "-0.50"],
  [`${"9".repeat(36)}.99`, `${"9".repeat(36)}.99`],
])("the decimal %s is stored as %s", (typed, stored) => {
  expect(normalizeValue(amount, typed)).toEqual({ ok: true, value: stored });
});

test.each([
  ["1.234", "scale"],
  ["1e3", "type"],
  [".5", "type"],
  [true, "type"],
  ["9".repeat(37), "length"],
  ["9".repeat(100_000), "length"],
])("a wrong decimal (case %#) is refused", (typed, rule) => {
  expect(normalizeValue(amount, typed)).toMatchObject({ problem: { rule } });
});

test("bounds are compared exactly, beyond the digits of a double", () => {
  const bounded = { ...amount, minimum: -1, maximum: 9_007_199_254_740_991 };
  expect(normalizeValue(bounded, "9007199254740991.00")).toMatchObject({ ok: true });
  expect(normalizeValue(bounded, "9007199254740991.01")).toMatchObject({
    problem: { rule: "maximum" },
  });
  expect(normalizeValue({ ...bounded, scale: 20 }, "-1.00000000000000000001")).toMatchObject({
    problem: { rule: "minimum" },
  });
});
