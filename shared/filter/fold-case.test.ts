import { describe, expect, test } from "vitest";
import { caseVariants, foldCase } from "./fold-case.ts";

function everyCharacter(): string[] {
  const all: string[] = [];
  for (let code = 0; code <= 0x1ffff; code++) {
    if (code === 0xd800) code = 0xe000;
    all.push(String.fromCodePoint(code));
  }
  return all;
}

describe("F6 folding", () => {
  test.each([
    ["STRASSE", "strasse"],
    ["Straẞe", "straße"],
    ["ÉTÉ", "été"],
    ["ΣΊΣΥΦΟΣ", "σίσυφοσ"],
    ["σίσυφος", "σίσυφοσ"],
    ["Жук", "жук"],
    ["\u{10400}", "\u{10428}"],
    ["µ", "μ"],
  ])("makes %s and its other cases equal", (text, folded) => {
    expect(foldCase(text)).toBe(folded);
  });

  test("never turns another letter into an ASCII letter", () => {
    for (const character of ["İ", "ı", "ſ", "\u212a"]) expect(foldCase(character)).toBe(character);
    const outside = everyCharacter().slice(0x80);
    expect(outside.filter((character) => foldCase(character) <= "\x7f")).toEqual([]);
  });

  test("is idempotent, and maps each code point to one", () => {
    const wrong = everyCharacter().filter((character) => {
      const folded = foldCase(character);
      return foldCase(folded) !== folded || [...folded].length !== 1;
    });
    expect(wrong).toEqual([]);
  });

  test("needs no variants for ASCII, and all that fold to a letter for others", () => {
    expect(caseVariants("new 100%")).toEqual({ from: "", to: "" });
    expect(caseVariants("éé")).toEqual({ from: "É", to: "é" });
    expect(caseVariants("σ")).toEqual({ from: "Σς", to: "σσ" });
  });
});
