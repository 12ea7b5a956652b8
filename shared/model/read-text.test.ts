import fc from "fast-check";
import { expect, it } from "vitest";
import type { Field } from "./model.ts";
import { readBoolean, readDuration, readOptions, readPhone, writeOptions } from "./read-text.ts";

const options: NonNullable<Field["options"]> = [
  { value: "Red, dark" },
  { value: "Red" },
  { value: "dark" },
  { value: "Blue;light" },
  { value: "[x]" },
  { value: "=plain" },
  { value: "-5" },
  { value: "l", label: "Large\nand wide" },
];
const values = (text: string) => readOptions({ options }, text).map((item) => item.value);

it.each([
  ["Red, dark", ["Red, dark"]],
  ["red, DARK; =plain", ["Red, dark", "=plain"]],
  ["dark, Red", ["dark", "Red"]],
  ["-5\nBlue;light,,", ["-5", "Blue;light"]],
  ["[x]", ["[x]"]],
  ['["Red","dark"]', ["Red", "dark"]],
  ["Large\nand wide, Red", ["l", "Red"]],
  ["Red, green", ["Red", undefined]],
  [" ; ,\n", []],
])("reads the options of %j, of which some contain the signs that separate them", (text, read) => {
  expect(values(text)).toEqual(read);
});

it("reads every list of options as it was written, by each separator", () => {
  const lists = fc.uniqueArray(fc.constantFrom(...options), { minLength: 1 });
  fc.assert(
    fc.property(lists, fc.constantFrom(";", ", "), (list, separator) => {
      const items = list.map(({ value, label = value }) => ({ value, text: label }));
      expect(values(writeOptions({ options }, items, separator))).toEqual(
        list.map(({ value }) => value),
      );
    }),
  );
});

it("reads a long text that names no option in a time that grows with its length", () => {
  const items = Array.from({ length: 20_000 }, (_, n) => `item ${n}`);
  expect(readOptions({ options }, items.join(","))).toHaveLength(20_000);
});

it("reads yes and no in several languages, and nothing that an object has by itself", () => {
  expect(["ja", " X ", "TRUE", "sí", "1", "✓"].map(readBoolean)).toEqual(Array(6).fill(true));
  expect(["nein", "-", "False", "non", "0", "off"].map(readBoolean)).toEqual(Array(6).fill(false));
  for (const text of ["", "maybe", "constructor", "__proto__", "2"])
    expect(readBoolean(text)).toBeNull();
});

it("reads a duration by the decimal sign of the text", () => {
  expect(readDuration("1,5h", ",")).toBe(5_400);
  expect(readDuration("1:30", ".")).toBe(5_400);
  expect(readDuration("soon", ".")).toBeNull();
});

it("takes linear time over spaces in a duration and in a telephone number", () => {
  const spaces = " ".repeat(100_000);
  expect(readDuration(`1d${spaces}2h`, ".")).toBe(93_600);
  expect(readDuration(`1d${spaces}x`, ".")).toBeNull();
  expect(readPhone(`+49${spaces}x`)).toBe(`+49${spaces}x`);
});
