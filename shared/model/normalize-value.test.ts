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

const text: Field = { id: "t", name: "code", label: "Code", type: "text" };

test.each([
  [" c1 ", "c1"],
  ["c1\u00a0", "c1"],
  ["two\r\n  lines\n", "two lines"],
  ["two\u2028lines", "two lines"],
  ["two  spaces", "two  spaces"],
  ["e\u0301", "\u00e9"],
  [" \n ", null],
])("the short text %j is stored as %j", (written, stored) => {
  expect(normalizeValue(text, written)).toEqual({ ok: true, value: stored });
});

test("a text of several lines is stored as it is, and an address without the spaces around it", () => {
  const notes = " two \r\n lines ";
  expect(normalizeValue({ ...text, type: "longText" }, notes)).toEqual({ ok: true, value: notes });
  const mail = normalizeValue({ ...text, type: "email" }, " a@example.org\n");
  expect(mail).toEqual({ ok: true, value: "a@example.org" });
});

test("long spaces are read in a time that grows with their length", () => {
  const long = `a${" ".repeat(1_000_000)}b`;
  expect(normalizeValue(text, long)).toMatchObject({ problem: { rule: "length" } });
});
