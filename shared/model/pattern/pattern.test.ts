import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchPattern, patternProblem } from "./pattern.ts";

const matches = (pattern: string, text: string) => matchPattern(pattern, text) === "match";

describe("patterns", () => {
  it.each([
    ["[A-Z]{2}-\\d{3,5}", ["AB-123", "AB-12345"], ["AB-12", "ab-123", "AB-123456", "xAB-123"]],
    ["^(cat|dog)s?$", ["cat", "dogs"], ["cats!", "catdog", ""]],
    ["a.c", ["abc", "a😀c"], ["a\nc", "ac"]],
    ["[^\\d\\s]+", ["abc", "-"], ["a1", "a b", ""]],
    ["\\p{L}+", ["Zoë", "Ωμέγα"], ["a1"]],
    ["[a\\-\\]]*", ["", "a-]"], ["b"]],
    ["(a*)*b", ["b", "aaab"], ["aaa"]],
    ["a{0}b?", ["", "b"], ["a"]],
    ["\\.\\*", [".*"], ["ab"]],
  ])("reads %s in the usual meaning", (pattern, fitting, others) => {
    expect(patternProblem(pattern)).toBeNull();
    expect(fitting.filter((text) => !matches(pattern, text))).toEqual([]);
    expect(others.filter((text) => matches(pattern, text))).toEqual([]);
  });

  it.each([
    "a**",
    "(",
    "a)",
    "[a",
    "*a",
    "a{2,1}",
    "a{x}",
    "(?=a)",
    "(?<n>a)",
    "\\1",
    "\\b",
    "\\p{No1}",
    "a\\",
  ])("refuses %s with a sentence", (pattern) =>
    expect(patternProblem(pattern)?.message).toMatch(/\.$/),
  );

  it("refuses what would grow too large, also by repeating repeats", () => {
    expect(patternProblem("(a{1000}){1000}")?.message).toMatch(/too large/);
  });

  it("takes time linear in the text where backtracking would never end", () => {
    expect(matchPattern("(a+)+(a+)+(a|a)*b", "a".repeat(5_000))).toBe("mismatch");
  });

  const large = "(a|b|c|d|.)*(.{0,900})x";

  it("refuses a pattern whose size times the length of a text is too large", () => {
    expect(patternProblem(large, 500)).toBeNull();
    expect(patternProblem(large, 50_000)?.message).toMatch(
      /too large for texts of up to 50000 characters/,
    );
  });

  it("accepts a large pattern for long texts if every match is short", () => {
    expect(patternProblem(".{1,900}", 50_000)).toBeNull();
    expect(matchPattern(".{1,900}", "a".repeat(50_000))).toBe("mismatch");
  });

  it("stops at a bound where a stored pattern is too large for a text", () => {
    expect(matchPattern(large, "a".repeat(2_500))).toBe("mismatch");
    expect(matchPattern(large, "a".repeat(50_000))).toBe("tooLong");
    expect(matchPattern(large, `${"a".repeat(500)}x`)).toBe("match");
  });

  it("agrees with the regular expressions of JavaScript", () => {
    const piece = fc.constantFrom("a", "b", "[ab]", "[^a]", ".", "(a|bc)", "(?:(?:ab)?)", "\\w");
    const repeated = fc.tuple(piece, fc.constantFrom("", "*", "+", "?", "{1,2}"));
    const pattern = fc.array(repeated, { maxLength: 5 }).map((parts) => parts.flat().join(""));
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
    const agrees = fc.property(pattern, text, (source, sample) => {
      const expected = new RegExp(`^(?:${source})$`, "u").test(sample);
      return matches(source, sample) === expected;
    });
    fc.assert(agrees, { numRuns: 2_000 });
  });
});
