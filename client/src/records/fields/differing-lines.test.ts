import { expect, it } from "vitest";
import { differingLines } from "./differing-lines.ts";

const text = (lines: string) => [...lines].join("\n");

it.each([
  ["abc", "abcd", "", "d", 3, 0],
  ["abc", "xabc", "", "x", 0, 3],
  ["abc", "axc", "b", "x", 1, 1],
  ["abbc", "abc", "b", "", 2, 1],
  ["aa", "aaa", "", "a", 2, 0],
  ["abc", "xyz", "abc", "xyz", 0, 0],
])("%s → %s", (before, after, gone, added, above, below) => {
  expect(differingLines(text(before), text(after))).toEqual({
    before: [...gone],
    after: [...added],
    above,
    below,
  });
});
