import { expect, it } from "vitest";
import { isShallow } from "./is-shallow.ts";

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { value };
  return value;
}

it("counts levels of arrays and objects alike", () => {
  expect(isShallow(nested(5), 5)).toBe(true);
  expect(isShallow(nested(6), 5)).toBe(false);
  expect(isShallow("text", 0)).toBe(true);
});

it("handles nesting that no recursion would survive", () => {
  expect(isShallow(nested(1_000_000), 100)).toBe(false);
});
