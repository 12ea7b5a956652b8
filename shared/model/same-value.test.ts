import { expect, it } from "vitest";
import type { Json, ValueKind } from "../filter/filter.ts";
import type { Field } from "./model.ts";
import { normalizeValue } from "./normalize-value.ts";
import { sameValue } from "./same-value.ts";

it.each([
  ["json", [], null, false],
  ["json", "", null, false],
  ["json", {}, null, false],
  ["json", [], "", false],
  ["json", { a: [1], b: 2 }, { b: 2, a: [1] }, true],
  ["json", null, null, true],
  ["list", [], null, true],
  ["list", ["a"], null, false],
  ["text", "", null, true],
  ["text", "a", null, false],
  ["decimal", "1.5", "1.50", true],
  ["decimal", "0", null, false],
  ["boolean", false, null, false],
] satisfies [ValueKind, Json, Json, boolean][])(
  "in %s, %j and %j are the same: %s",
  (kind, a, b, isSame) => {
    expect(sameValue(kind, a, b)).toBe(isSame);
    expect(sameValue(kind, b, a)).toBe(isSame);
  },
);

it("the empty text and the empty list are values of JSON, and a reserved key is one like others", () => {
  const json: Field = { name: "data", label: "Data", type: "json" };
  for (const text of ['""', "[]", "{}", '{"__proto__":{"a":1},"constructor":{}}']) {
    const value = JSON.parse(text) as Json;
    const normalized = normalizeValue(json, value);
    expect(normalized.ok && JSON.stringify(normalized.value)).toBe(text);
    expect(sameValue("json", value, JSON.parse(text) as Json)).toBe(true);
  }
  const [one, other] = ['{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'].map((text) =>
    JSON.parse(text),
  );
  expect(sameValue("json", one, other)).toBe(false);
  expect(sameValue("json", one, {})).toBe(false);
});
