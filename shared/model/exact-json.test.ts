import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactJsonText, isWellTagged, parseExactJson, tagInexactNumbers } from "./exact-json.ts";

describe("exact JSON", () => {
  it.each([
    ['{"id":9007199254740993}', { id: { $number: "9007199254740993" } }],
    ["[0.1234567890123456789,1e400]", [{ $number: "0.1234567890123456789" }, { $number: "1e400" }]],
    ['{"a":"9007199254740993"}', { a: "9007199254740993" }],
    ["[0.30000000000000004,9007199254740991,1e21]", [0.30000000000000004, 9007199254740991, 1e21]],
    ['{"$number":"1"}', { $$number: "1" }],
    ['{"a\\"1":{"$$number":[]}}', { 'a"1': { $$$number: [] } }],
  ])("reads %s without altering a number, and writes it back", (text, value) => {
    expect(parseExactJson(text)).toEqual(value);
    expect(exactJsonText(parseExactJson(text))).toBe(text.replace("1e21", "1e+21"));
  });

  it("takes linear time over a string that never ends", () => {
    const text = `[1234567890123456789,"${'\\"'.repeat(500_000)}`;
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
    expect(tagInexactNumbers(text)).toContain("$number");
  });

  it("reads what it wrote, for any document", () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.bigInt().map((n) => ({ $number: `${n}${"0".repeat(18)}1` })),
    );
    const key = fc.oneof(fc.string(), fc.constantFrom("$$number", "$$$number", "number"));
    const { document } = fc.letrec((tie) => ({
      document: fc.oneof(
        { maxDepth: 4 },
        number,
        fc.string(),
        fc.constantFrom(null, true, '{"$number":"1"}'),
        fc.array(tie("document")),
        fc.dictionary(key, tie("document")),
      ),
    }));
    fc.assert(
      fc.property(document, fc.constantFrom(0, 2), (value, space) => {
        const text = exactJsonText(value as never, space);
        expect(exactJsonText(parseExactJson(text), space)).toBe(text);
      }),
    );
  });

  it.each(["01234567890123456789", "9007199254740993x", "[1,]", '{"a":1e}', "1.2.3.4.5.6.7.8.9.0"])(
    "refuses %s, which is not JSON",
    (text) => {
      expect(() => parseExactJson(text)).toThrow(SyntaxError);
    },
  );

  it("tags the numbers of a request that JSON.parse would alter", () => {
    const text = '{"a":[9007199254740993,1.50,"9007199254740993"]}';
    const tagged = { a: [{ $number: "9007199254740993" }, 1.5, "9007199254740993"] };
    expect(JSON.parse(tagInexactNumbers(text))).toEqual(tagged);
  });

  it("distinguishes a tag from a key that only looks like one", () => {
    expect(isWellTagged({ a: [{ $number: "1" }] })).toBe(true);
    expect(isWellTagged({ $$number: 1 })).toBe(true);
    expect(isWellTagged({ $number: 1 })).toBe(false);
    expect(isWellTagged({ $number: "one" })).toBe(false);
    expect(isWellTagged({ $number: "1", more: 1 })).toBe(false);
  });
});
