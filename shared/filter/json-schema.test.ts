import { expect, it } from "vitest";
import { z } from "zod";
import { jsonSchema } from "./json-schema.ts";

it.each([
  ["null", null],
  ["a text", "text"],
  ["a number", -1.5],
  ["NaN", Number.NaN],
  ["infinity", Number.POSITIVE_INFINITY],
  ["true", true],
  ["undefined", undefined],
  ["a list", [1, ["text", null]]],
  ["a list with a hole", [1, [undefined]]],
  ["an object", { part: { of: [{}] } }],
  ["an object without prototype", Object.assign(Object.create(null), { part: 1 })],
  ["an object with an undefined part", { part: undefined }],
  ["bytes", new Uint8Array([1])],
  ["a date", new Date(0)],
  ["a function", () => null],
  ["a bigint", 1n],
])("accepts %s exactly if z.json() does", (_name, value) => {
  expect(jsonSchema.safeParse(value).success).toBe(z.json().safeParse(value).success);
});

it("returns the value as it is, and refuses an absent one", () => {
  const value = { list: [1, { text: "x" }] };
  expect(jsonSchema.parse(value)).toEqual(value);
  expect(z.object({ value: jsonSchema }).safeParse({}).success).toBe(false);
});
