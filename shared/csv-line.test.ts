import fc from "fast-check";
import { expect, it } from "vitest";
import { rejectedLine, withFormula, withoutFormula } from "./csv-line.ts";

/** What a program sees that splits a line by another sign, and knows no quotes within a cell. */
const parts = (text: string) => text.split(/[;\t|]/);

it.each(["=1+1", "a;=1+1", "a\t@sum", "a|-1", ";+1", "'a;=1", "a;'=1", "'=1", "\t=1"])(
  "leaves %j no part that a spreadsheet runs, and reads it as it was",
  (text) => {
    const written = withoutFormula(text);
    for (const part of parts(written)) expect(part).not.toMatch(/^[=+\-@]/);
    expect(withFormula(written)).toBe(text);
  },
);

it("reads every text as it was written, and leaves texts without formulas alone", () => {
  const signs = fc.string({ unit: fc.constantFrom(..."'=;|\t-a +@") });
  fc.assert(
    fc.property(signs, (text) => {
      expect(withFormula(withoutFormula(text))).toBe(text);
    }),
  );
  for (const text of ["it's", "'a'", "a;b", "a; -5", "x|'-y"]) expect(withFormula(text)).toBe(text);
  for (const text of ["it's", "a;b", "a; -5"]) expect(withoutFormula(text)).toBe(text);
});

it("writes a rejected row whose cells are read as those of the file were", () => {
  expect(rejectedLine(["=2+3", "'=2+3", "a;=1", "7"])).toBe("'=2+3,'=2+3,\"'a;'=1\",7\r\n");
});
