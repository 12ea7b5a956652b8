import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { FieldType } from "../../../../shared/model/field-types.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { readDuration } from "../../../../shared/model/read-text.ts";
import { plainNumber, settingNumber } from "./number-text.ts";

const locales = [
  "en-US",
  "en-IN",
  "de-DE",
  "de-CH",
  "de-AT",
  "fr-FR",
  "es-ES",
  "pt-PT",
  "nl-NL",
  "pl-PL",
  "sv-SE",
  "hi-IN",
  "ar-EG",
  "fa-IR",
  "he-IL",
  "bn-BD",
];

function markOf(locale: string): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return parts.find(({ type }) => type === "decimal")?.value ?? ".";
}

/** Of each text: what it is where the point is decimal, and where the comma is. */
const readings: [text: string, point: string | null, comma: string | null][] = [
  ["0.500", "0.500", "0.500"],
  ["0,500", "0.500", "0.500"],
  ["-0.500", "-0.500", "-0.500"],
  ["−0,500", "-0.500", "-0.500"],
  ["+0.500", "0.500", "0.500"],
  ["00.500", "00.500", "00.500"],
  ["000,500", "000.500", "000.500"],
  ["0.500,00", null, null],
  ["0,500.00", null, null],
  ["0.500.000", null, null],
  ["0 500", null, null],
  ["0'500", null, null],
  ["0’500", null, null],
  [".500", "0.500", "0.500"],
  [",500", "0.500", "0.500"],
  ["12.", "12", "12"],
  ["007", "007", "007"],
  ["1.234", "1.234", "1234"],
  ["1,234", "1234", "1.234"],
  ["-1.234", "-1.234", "-1234"],
  ["1.2345", "1.2345", "1.2345"],
  ["1234.567", "1234.567", "1234.567"],
  ["1234,567", "1234.567", "1234.567"],
  ["1,234.5", "1234.5", "1234.5"],
  ["1.234,5", "1234.5", "1234.5"],
  ["1.234.567", "1234567", "1234567"],
  ["1,234,567", "1234567", "1234567"],
  ["1,234,567.8", "1234567.8", "1234567.8"],
  ["12,34,567", "1234567", "1234567"],
  ["12,34,567.5", "1234567.5", "1234567.5"],
  ["12.34.567", null, null],
  ["1,23,45", null, null],
  ["12.34.5", null, null],
  ["1.234,567.8", null, null],
  ["1.234 567", null, null],
  ["1 234.567", "1234.567", "1234.567"],
  ["1 234 567,8", "1234567.8", "1234567.8"],
  ["1\u202f234\u202f567,8", "1234567.8", "1234567.8"],
  ["1\u00a0234,5", "1234.5", "1234.5"],
  ["1’234.5", "1234.5", "1234.5"],
  ["1'234’567.5", "1234567.5", "1234567.5"],
  ["1_000", "1000", "1000"],
  ["1 5", null, null],
  ["3'50", null, null],
  ["12 34", null, null],
  ["1€50", null, null],
  ["1e3", null, null],
  ["1-2", null, null],
  ["--5", null, null],
  ["5-", null, null],
  ["", null, null],
  ["-", null, null],
  [".", null, null],
  ["(5)", "-5", "-5"],
  ["(1.234,5)", "-1234.5", "-1234.5"],
  ["(-5)", null, null],
  ["- 5", "-5", "-5"],
  ["€ 12", "12", "12"],
  ["12,50 €", "12.50", "12.50"],
  ["-€3.00", "-3.00", "-3.00"],
  ["($3.00)", "-3.00", "-3.00"],
  ["12 %", "12", "12"],
  ["0.500 %", "0.500", "0.500"],
  ["1٬234٫5", "1234.5", "1234.5"],
  ["١٬٢٣٤٫٥", "1234.5", "1234.5"],
  ["٠٫٥٠٠", "0.500", "0.500"],
  ["०.५००", "0.500", "0.500"],
];

describe("a typed number", () => {
  it.each(readings)(
    "%j is %j by a decimal point and %j by a decimal comma",
    (text, point, comma) => {
      for (const locale of locales) {
        const mark = markOf(locale);
        expect(plainNumber(text, mark), locale).toBe(mark === "," ? comma : point);
      }
    },
  );

  it("keeps its magnitude if only the other convention explains it", () => {
    const whole = fc.oneof(fc.constant("0"), fc.stringMatching(/^[1-9]\d{3,11}$/));
    const fraction = fc.stringMatching(/^\d{1,20}$/);
    const number = fc.tuple(fc.constantFrom("", "-"), whole, fraction);
    fc.assert(
      fc.property(number, fc.constantFrom(...locales), ([sign, whole, fraction], locale) => {
        for (const mark of [".", ","]) {
          const text = `${sign}${whole}${mark}${fraction}`;
          expect(plainNumber(text, markOf(locale))).toBe(`${sign}${whole}.${fraction}`);
        }
      }),
    );
  });
});

it("a duration's amounts are numbers like all others", () => {
  for (const mark of [".", ","]) {
    expect(readDuration("0.500h", mark)).toBe(1_800);
    expect(readDuration("0,500h 1m", mark)).toBe(1_860);
    expect(readDuration("1,2,3h", mark)).toBeNull();
    expect(readDuration("1'5h", mark)).toBeNull();
  }
  expect(readDuration("1,500h", ".")).toBe(5_400_000);
  expect(readDuration("1,500h", ",")).toBe(5_400);
});

it("a number of the designer is read like all others, within its limits", () => {
  const limits = { decimals: 3, min: 0, max: 10_000 };
  for (const text of ["0.500", "0,500"]) expect(settingNumber(text, limits)).toBe(0.5);
  expect(settingNumber("1,234.5", limits)).toBe(1234.5);
  expect(settingNumber("-3", limits)).toBe(0);
  for (const text of ["1.2345", "1.2.3", "soon", ""])
    expect(settingNumber(text, limits)).toBeNull();
});

const { NumberFormat } = Intl;

/** The product's own formatting and reading in a locale, as in a browser that has it. */
async function inLocale(locale: string) {
  class LocalFormat extends NumberFormat {
    constructor(given?: Intl.LocalesArgument, options?: Intl.NumberFormatOptions) {
      super(given ?? locale, options);
    }
  }
  vi.stubGlobal("Intl", Object.create(Intl, { NumberFormat: { value: LocalFormat } }));
  vi.resetModules();
  const { formatValue } = await import("./format-value.ts");
  const { inputText } = await import("./typed-text.ts");
  const { parseInput } = await import("./typed-text.ts");
  return { formatValue, inputText, parseInput };
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe.each(locales)("in %s", (locale) => {
  it("what a cell shows of a number is read as the same number, by the editor and as copied", async () => {
    const { formatValue, inputText, parseInput } = await inLocale(locale);
    const places: [FieldType, string?][] = [
      ["decimal"],
      ["percent"],
      ...["EUR", "USD", "CHF", "INR", "SEK", "BRL", "AED"].map((currency): [FieldType, string] => [
        "money",
        currency,
      ]),
    ];
    const digits = fc.oneof(
      fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
      fc.bigInt({ min: -1_500n, max: 1_500n }),
    );
    fc.assert(
      fc.property(digits, fc.nat(20), fc.constantFrom(...places), (units, scale, place) => {
        const [type, currency] = place;
        const field: Field = { name: "f", label: "F", type, scale, ...(currency && { currency }) };
        const value = decimalText(units, scale);
        for (const text of [formatValue(field, value), inputText(field, value)])
          expect(parseInput(field, text), text).toEqual({ ok: true, value });
      }),
    );
  });

  it("a whole number, too", async () => {
    const { formatValue, parseInput } = await inLocale(locale);
    const field: Field = { name: "f", label: "F", type: "integer" };
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        const read = parseInput(field, formatValue(field, value));
        expect(read).toEqual({ ok: true, value: value === 0 ? 0 : value });
      }),
    );
  });
});

function decimalText(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const sign = units < 0n ? "-" : "";
  return scale === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-scale)}`;
}
