import { expect, it } from "vitest";
import { differingLines, differingWords } from "./differing-lines.ts";

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

it.each([
  ["Printer jams again", "Printer jams on floor 2", ["Printer jams ", "on floor 2", ""]],
  ["Printer jams", "Old printer jams", ["", "Old printer", " jams"]],
  ["one two three", "one three", ["one ", "", "three"]],
  ["same", "same", ["same", "", ""]],
])(
  "%s → %s: marks the words that differ, and loses nothing of the text",
  (before, after, parts) => {
    expect(differingWords(before, after)).toEqual(parts);
    expect(differingWords(before, after).join("")).toBe(after);
  },
);
