import { expect, it } from "vitest";
import { memoize } from "./memoize.ts";

it("makes each value once, and forgets all of them once it holds too many", () => {
  const made: string[] = [];
  const upper = memoize((text: string) => {
    made.push(text);
    return text.toUpperCase();
  }, 2);
  expect([upper("a"), upper("a"), upper("b"), upper("a")]).toEqual(["A", "A", "B", "A"]);
  expect(made).toEqual(["a", "b"]);
  expect([upper("c"), upper("a"), upper("a")]).toEqual(["C", "A", "A"]);
  expect(made).toEqual(["a", "b", "c", "a"]);
});

it("remembers no failure", () => {
  let attempts = 0;
  const make = memoize((text: string) => {
    attempts++;
    if (attempts === 1) throw new Error("not yet");
    return text;
  });
  expect(() => make("a")).toThrow("not yet");
  expect(make("a")).toBe("a");
});
