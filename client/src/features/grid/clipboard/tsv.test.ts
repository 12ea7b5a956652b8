import fc from "fast-check";
import { expect, test } from "vitest";
import { formatTsv, parseTsv } from "./tsv.ts";

test("a range from Excel ends in a line break that is not a row", () => {
  expect(parseTsv("a\tb\r\nc\td\r\n")).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
});

test("a quoted cell keeps its line breaks, tabs and doubled quotes", () => {
  expect(parseTsv('"two\nlines"\t"say ""hi"""\n1\t2')).toEqual([
    ["two\nlines", 'say "hi"'],
    ["1", "2"],
  ]);
});

test("quotes around a text that needs none are part of it", () => {
  expect(parseTsv('"here is a text"\tb\n""')).toEqual([['"here is a text"', "b"], ['""']]);
});

test("a quote that never closes is an ordinary character", () => {
  expect(parseTsv('"5 inch\tx')).toEqual([['"5 inch', "x"]]);
  expect(parseTsv('"a" b\tc')).toEqual([['"a" b', "c"]]);
});

test("empty cells stay in the text, also at the end of a row", () => {
  expect(parseTsv("a\t\t\n\tb\t")).toEqual([
    ["a", "", ""],
    ["", "b", ""],
  ]);
});

test("one plain value is one cell", () => {
  expect(parseTsv("hello")).toEqual([["hello"]]);
});

test("what is copied can be pasted back unchanged, whatever the texts hold", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", '"', "\t", "\n", "\r", " ", "é") });
  const rectangle = fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
    .chain(([width, height]) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
        minLength: height,
        maxLength: height,
      }),
    );
  fc.assert(
    fc.property(rectangle, (cells) => {
      expect(parseTsv(formatTsv(cells))).toEqual(cells);
    }),
  );
});
