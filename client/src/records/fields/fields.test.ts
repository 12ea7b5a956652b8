import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import type { FieldType } from "../../../../shared/model/field-types.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { localChoices } from "./choices.ts";
import { formatDuration } from "./duration.ts";
import { formatValue } from "./format-value.ts";
import {
  addDays,
  addMonths,
  besideInstant,
  formatDay,
  formatInstant,
  parseDay,
  parseInstant,
} from "./instant.ts";
import { atScale, plainNumber } from "./number-text.ts";
import { editorText, inputText, parseDuration, parseInput } from "./typed-text.ts";

function field(type: FieldType, more: Partial<Field> = {}): Field {
  return { name: "f", label: "F", type, ...more };
}

test("a decimal keeps every digit and is padded to its scale", () => {
  const money = field("money", { scale: 2 });
  expect(parseInput(money, "90071992547409931.5")).toEqual({
    ok: true,
    value: "90071992547409931.50",
  });
  expect(parseInput(money, "1.005")).toMatchObject({ ok: false });
  expect(parseInput(money, "-0")).toEqual({ ok: true, value: "0.00" });
});

test("numbers may be grouped and carry signs of currency and percent", () => {
  expect(plainNumber("1,234,567.8", ".")).toBe("1234567.8");
  expect(plainNumber("1.234,5", ",")).toBe("1234.5");
  expect(plainNumber("€ 12", ".")).toBe("12");
  expect(plainNumber("12 %", ".")).toBe("12");
  expect(plainNumber("1’234.5", ".")).toBe("1234.5");
  expect(plainNumber("−5", ".")).toBe("-5");
  expect(plainNumber("1-2", ".")).toBeNull();
  expect(atScale("007.10", 1)).toBe("7.1");
});

test("a whole number is shown without thousands separators where its field says so", () => {
  expect(formatValue(field("integer", { ungrouped: true }), 2026)).toBe("2026");
  expect(formatValue(field("integer"), 2026)).not.toBe("2026");
});

test("an amount of another currency is refused, however common its sign", () => {
  const euros = field("money", { scale: 2, currency: "EUR" });
  for (const text of ["$5", "5 $", "-$5", "(£5)", "USD 5"]) {
    expect(parseInput(euros, text)).toMatchObject({
      ok: false,
      message: expect.stringContaining("EUR"),
    });
  }
  for (const text of ["€5", "5 EUR", "5"])
    expect(parseInput(euros, text)).toEqual({ ok: true, value: "5.00" });
  expect(parseInput(field("money", { scale: 2 }), "$5")).toEqual({ ok: true, value: "5.00" });
});

test("values from before a field held one option, or several, are shown by their options", () => {
  const options = [{ value: "open", label: "Open" }, { value: "done" }];
  for (const write of [formatValue, inputText]) {
    expect(write(field("select", { options }), ["open", "done"])).toBe("Open, done");
    expect(write(field("multiSelect", { options }), "open")).toBe("Open");
  }
});

test("an integer beyond what a number holds exactly is refused", () => {
  expect(parseInput(field("integer"), "9007199254740991")).toEqual({
    ok: true,
    value: 9007199254740991,
  });
  expect(parseInput(field("integer"), "9007199254740993")).toMatchObject({ ok: false });
  expect(parseInput(field("integer"), "1.5")).toMatchObject({ ok: false });
});

test("days are real calendar days in ISO, dotted or the locale's order", () => {
  expect(parseDay("2026-02-28")).toBe("2026-02-28");
  expect(parseDay("2026-02-30")).toBeNull();
  expect(parseDay("31.12.2026")).toBe("2026-12-31");
  expect(parseDay("12/31/2026", "en-US")).toBe("2026-12-31");
  expect(parseDay("31/12/2026", "en-GB")).toBe("2026-12-31");
  expect(parseDay("12-11-2026", "en-US")).toBe("2026-12-11");
  expect(parseDay("12-11-2026", "nl-NL")).toBe("2026-11-12");
  expect(parseInstant("12-31-2026 10:30", "en-US")).toBe(
    new Date(2026, 11, 31, 10, 30).toISOString(),
  );
  expect(formatDay("2026-12-31", "en-GB")).toBe("31 Dec 2026");
  expect(formatDay("0044-03-15 BC", "en-GB")).toBe("0044-03-15 BC");
});

test("an instant with a zone keeps its microseconds; a local one is read in the reader's zone", () => {
  expect(parseInstant("2026-11-21T10:00:00.123456Z")).toBe("2026-11-21T10:00:00.123456Z");
  expect(parseInstant("2026-11-21 10:30")).toBe(new Date(2026, 10, 21, 10, 30).toISOString());
  expect(parseInstant("2026-13-21 10:30")).toBeNull();
  expect(parseInstant("2026-11-21 25:00")).toBeNull();
});

test("a minute that is changed in the hour that the clocks show twice stays in its hour", () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("TZ", "Europe/Berlin");
  const second = "2026-10-25T01:30:00.000Z";
  const typed = parseInstant("2026-10-25 02:31") ?? "";
  expect(typed).toBe("2026-10-25T00:31:00.000Z");
  expect(besideInstant(typed, second)).toBe("2026-10-25T01:31:00.000Z");
  expect(besideInstant(typed, "2026-10-25T00:30:00.000Z")).toBe(typed);
  expect(besideInstant(typed, "2026-11-25T01:30:00.000Z")).toBe(typed);
  const later = parseInstant("2026-10-25 05:00") ?? "";
  expect(besideInstant(later, "2026-10-25T00:30:00.000Z")).toBe(later);
});

test("a time that the clocks skip is refused with the reason, and one that they show twice is the first", () => {
  // Formatters are cached, with the zone of the time when they were made.
  expect(parseInput(field("timestamp"), "2026-11-21 25:30")).toMatchObject({ ok: false });
  vi.stubEnv("TZ", "Europe/Berlin");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(parseInput(field("timestamp"), "2026-03-29 02:30")).toMatchObject({
    ok: false,
    message: expect.stringContaining("skip"),
  });
  expect(parseInput(field("timestamp"), "2026-03-32 02:30")).toMatchObject({
    ok: false,
    message: expect.not.stringContaining("skip"),
  });
  expect(parseInstant("2026-03-29 03:30")).toBe("2026-03-29T01:30:00.000Z");
  expect(parseInstant("2026-10-25 02:30")).toBe("2026-10-25T00:30:00.000Z");
  expect(parseInstant("0085-06-01 12:00")).toMatch(/^0085-06-01T/);
  vi.stubEnv("TZ", "America/Santiago");
  expect(parseInstant("2026-09-06")).toBe("2026-09-06T04:00:00.000Z");
});

test("an instant of this year is shown, and read, without the year", () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(2026, 5, 1) });
  onTestFinished(() => void vi.useRealTimers());
  const at = (year: number) => new Date(year, 2, 9, 15).toISOString();
  expect(formatInstant(at(2026), "en-US")).not.toContain("2026");
  expect(formatInstant(at(2025), "en-US")).toContain("2025");
  const morning = new Date(2026, 2, 9, 8, 51).toISOString();
  expect(formatInstant(morning, "en-US").replaceAll("\u202f", " ")).toBe("Mar 9, 8:51 AM");
  expect(formatInstant(morning, "en-GB")).toBe("9 Mar, 08:51");
  expect(parseInstant("Mar 9, 03:00 PM", "en-US")).toBe(at(2026));
  expect(parseInstant("9. März, 15:00", "de-DE")).toBe(at(2026));
});

test("durations are read in units, as a clock or in seconds", () => {
  expect(parseDuration("1d 2h")).toBe(93_600);
  expect(parseDuration("1:30")).toBe(5_400);
  expect(parseDuration("90")).toBe(90);
  expect(parseDuration("1.5h")).toBe(5_400);
  expect(parseDuration("0,25 d 1m")).toBe(21_660);
  expect(parseDuration(formatDuration(-5_400, true))).toBe(-5_400);
  expect(parseDuration("\u22120:30")).toBe(-1_800);
  for (const text of ["soon", "", "-", "0.4s", "1.5"]) expect(parseDuration(text)).toBeNull();
  fc.assert(
    fc.property(fc.nat(), (seconds) => {
      expect(parseDuration(formatDuration(seconds, true))).toBe(seconds);
    }),
  );
});

test("a select is found by value or label in any case, and nothing else is taken", () => {
  const impact = field("select", {
    options: [{ value: "hi", label: "1 - High" }, { value: "lo" }],
  });
  expect(parseInput(impact, "1 - high")).toEqual({ ok: true, value: "hi" });
  expect(parseInput(impact, "LO")).toEqual({ ok: true, value: "lo" });
  expect(parseInput(impact, "medium")).toMatchObject({ ok: false });
  expect(formatValue(impact, "hi")).toBe("1 - High");
});

test.each(['""', "[]", "{}", '"5"', '"null"', "5", '{"__proto__":{"a":1}}'])(
  "the JSON %s is shown, edited and read as it is",
  (text) => {
    const json = field("json");
    const value = JSON.parse(text);
    expect(formatValue(json, value)).toBe(text);
    expect(inputText(json, value)).toBe(text);
    const read = parseInput(json, text);
    expect(read.ok && JSON.stringify(read.value)).toBe(text);
  },
);

test("empty text is null, unless the field is required", () => {
  expect(parseInput(field("text"), "  ")).toEqual({ ok: true, value: null });
  expect(parseInput(field("text", { required: true }), " ")).toMatchObject({ ok: false });
});

test("minimum and maximum are checked before anything is sent", () => {
  const share = field("percent", { scale: 1, minimum: 0, maximum: 100 });
  expect(parseInput(share, "100")).toEqual({ ok: true, value: "100.0" });
  expect(parseInput(share, "100.1")).toEqual({ ok: false, message: "Enter at most 100." });
});

test("addresses and phone numbers have to look like ones", () => {
  expect(parseInput(field("email"), "ana@example.org")).toMatchObject({ ok: true });
  expect(parseInput(field("email"), "ana")).toMatchObject({ ok: false });
  expect(parseInput(field("url"), "javascript:alert(1)")).toMatchObject({ ok: false });
  expect(parseInput(field("phone"), "+49 (30) 123-456")).toEqual({
    ok: true,
    value: "+4930123456",
  });
});

test.each([
  ["030 1234567", "0301234567"],
  ["(030) 123 45-67", "0301234567"],
  ["+49 (0)30 123456", "+4930123456"],
  ["110", "110"],
  ["+1 555 0100 ext. 12", "+15550100x12"],
  ["030 1234567 x12", "0301234567x12"],
  ["+4930123456;ext=7", "+4930123456x7"],
  ["030 123456 # 12", "030123456x12"],
  ["+4930123456x12", "+4930123456x12"],
])("a phone number may be as it is dialled locally, and have an extension: %s", (text, value) => {
  expect(parseInput(field("phone"), text)).toEqual({ ok: true, value });
});

test.each(["no name", "0", "12x", "x12", "12 ext. Ana", "++49 30", "123456789012345678901"])(
  "is no phone number: %s",
  (text) => expect(parseInput(field("phone"), text)).toMatchObject({ ok: false }),
);

test("what an editor starts with is read back as the same value", () => {
  const at = new Date(2026, 3, 5, 6, 7, 8).toISOString();
  const cases: [Field, string | number | boolean][] = [
    [field("timestamp"), at],
    [field("date"), "2026-04-05"],
    [field("boolean"), false],
    [field("duration"), 3_661],
    [field("decimal", { scale: 3 }), "-1.250"],
    [field("integer"), 12_345],
  ];
  for (const [of, value] of cases) {
    expect(parseInput(of, inputText(of, value))).toEqual({ ok: true, value });
  }
});

test.each(["en-US", "de-DE", "fr-FR", "es-ES", "it-IT", "nl-NL", "pt-PT", "sv-SE", "ar-EG"])(
  "an editor in %s starts with the local decimal mark, and reads what is changed behind it",
  (locale) => {
    const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
    const mark = parts.find(({ type }) => type === "decimal")?.value;
    const digits = fc.tuple(fc.bigInt(), fc.stringMatching(/^\d{3}$/));
    fc.assert(
      fc.property(digits, ([whole, fraction]) => {
        for (const type of ["decimal", "money", "percent"] as const) {
          const of = field(type);
          const text = editorText(of, `${whole}.${fraction}`, undefined, locale);
          expect(plainNumber(text, mark)).toBe(`${whole}.${fraction}`);
          expect(plainNumber(`${text.slice(0, -1)}7`, mark)).toBe(
            `${whole}.${fraction.slice(0, -1)}7`,
          );
          expect(plainNumber(`${text}7`, mark)).toBe(`${whole}.${fraction}7`);
        }
        expect(editorText(field("integer"), Number(fraction), undefined, locale)).toBe(
          String(Number(fraction)),
        );
      }),
    );
    expect(editorText(field("decimal"), "1.250", undefined, locale)).toBe(
      mark === "," ? "1,250" : "1.250",
    );
  },
);

const locales = [
  "en-GB",
  "en-US",
  "de-DE",
  "fr-FR",
  "es-ES",
  "pt-PT",
  "it-IT",
  "nl-NL",
  "pl-PL",
  "sv-SE",
  "da-DK",
  "fi-FI",
];

test.each(locales)(
  "an editor in %s shows a day and a time as the cell does, and reads what it shows",
  (locale) => {
    const time = fc.date({
      min: new Date("1990-01-01"),
      max: new Date("2060-01-01"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(time, (at) => {
        const instant = at.toISOString();
        const shown = editorText(field("timestamp"), instant, undefined, locale);
        expect(shown).toBe(formatInstant(instant, locale));
        expect(parseInstant(shown, locale)?.slice(0, 16)).toBe(instant.slice(0, 16));
        const day = instant.slice(0, 10);
        expect(editorText(field("date"), day, undefined, locale)).toBe(formatDay(day, locale));
        expect(parseDay(formatDay(day, locale), locale)).toBe(day);
      }),
      { numRuns: 60 },
    );
  },
);

test.each(["ja-JP", "ar-EG", "th-TH", "fa-IR", "zh-CN"])(
  "an editor in %s shows what it can read again",
  (locale) => {
    const instant = "2026-03-09T17:45:00.000Z";
    const shown = editorText(field("timestamp"), instant, undefined, locale);
    expect(parseInstant(shown, locale)).toBe(instant);
    const day = editorText(field("date"), "2026-03-09", undefined, locale);
    expect(parseDay(day, locale)).toBe("2026-03-09");
  },
);

test("times are read with the half of the day, and with words between", () => {
  const at = (hour: number, minute: number) => new Date(2026, 10, 22, hour, minute).toISOString();
  expect(parseInstant("11/22/2026 2:05 PM", "en-US")).toBe(at(14, 5));
  expect(parseInstant("22 Nov 2026 at 12:05 am", "en-GB")).toBe(at(0, 5));
  expect(parseInstant("November 22, 2026, 14:05", "en-US")).toBe(at(14, 5));
  expect(parseInstant("22 Nov 2026 13:05 pm", "en-GB")).toBeNull();
  expect(parseInstant("22 Nov 2026 14:05 xx", "en-GB")).toBeNull();
  expect(parseDay("31 Nov 2026")).toBeNull();
  expect(parseDay("22 Foo 2026")).toBeNull();
  expect(parseDay("22 Nov Dec 2026")).toBeNull();
});

test("a web address may be written without https://", () => {
  const url = field("url");
  expect(parseInput(url, "example.org")).toEqual({ ok: true, value: "https://example.org" });
  expect(parseInput(url, "www.example.org/a?b=1")).toEqual({
    ok: true,
    value: "https://www.example.org/a?b=1",
  });
  expect(parseInput(url, "http://example.org")).toEqual({ ok: true, value: "http://example.org" });
  for (const text of ["example", "javascript:alert(1)", "mailto:a@example.org", "a b.org"]) {
    expect(parseInput(url, text)).toMatchObject({ ok: false });
  }
  expect(parseInput(url, "https://example.org/my file")).toEqual({
    ok: false,
    message: "Enter a web address that begins with https:// or http:// and has no spaces.",
  });
});

test("the words of files name yes and no, and an option its value, in the list of an input, too", () => {
  const named = (of: Field, text: string) => localChoices(of, text).map(({ value }) => value);
  expect(named(field("boolean"), "true")).toEqual([true]);
  expect(named(field("boolean"), "nein")).toEqual([false]);
  const options = [{ value: "wip", label: "In progress" }, { value: "done" }];
  expect(named(field("select", { options }), "WIP")).toEqual(["wip"]);
  expect(named(field("select", { options }), "o")).toEqual(["wip", "done"]);
});

test("counts days and months on, also over the end of a month", () => {
  expect(addDays("2026-02-27", 3)).toBe("2026-03-02");
  expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
  expect(addMonths("2026-11-15", 2)).toBe("2027-01-15");
  expect(addMonths("2028-01-31", 1)).toBe("2028-02-29");
  expect(addMonths("2026-03-31", -1)).toBe("2026-02-28");
});
