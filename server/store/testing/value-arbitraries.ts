import fc from "fast-check";
import type { Json, ValueKind } from "../../../shared/filter/filter.ts";
import { literalText } from "../../../shared/filter/operand.ts";

/**
 * Values that have made filters disagree before: case pairs that locales treat differently, combining
 * marks, astral characters beside the private area, wildcards, digits beyond a double, zones, ends of
 * the calendar. Small pools, so that records and filters meet.
 */

const PIECES = [
  ..."aAbBzZiIkKsS09 _%\\'\"{},$.-",
  "é É e\u0301 ß ẞ ss ı İ ſ \u212a Σ σ ς Ж ж µ μ ᾳ ᾼ ǅ ǆ \uff21 \uff41 \u0345 ι",
  "\u{1f600} \u{10400} \u{10428} \ue000 \ufffd \u{1f468}\u200d\u{1f469}",
  "\t \n NULL null New new $x $me $now",
].flatMap((text) => (text.length === 1 ? [text] : text.split(" ")));

const text: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 3 })
  .map((pieces) => pieces.join(""));

const filledText = text.filter((value) => value !== "");

const digits = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.constantFrom("0", "1", "9", "12", "99999999999999", "12345678901234567890"),
    fc.constantFrom("", ".0", ".5", ".50", ".25", ".000000000000000000001", ".1234567890123456"),
  )
  .map((parts) => parts.join(""));

const integers = fc.constantFrom<Json>(
  ...[0, 1, -1, 2, 10, 9, 1_000_000, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER],
  ...["9007199254740992", "9007199254740993", "9223372036854775807", "-9223372036854775808"],
);

const dates = fc.constantFrom("2024-02-29", "2024-03-01", "2023-12-31", "0001-01-01", "9999-12-31");

const instants = fc
  .tuple(
    fc.constantFrom("2024-02-29", "2024-03-01", "1969-12-31", "2500-06-15"),
    fc.constantFrom("00:00:00", "12:00:00.000001", "12:00:00.000002", "23:59:59.999999", "12:00"),
    fc.constantFrom("Z", "+00:00", "+01:00", "-05:30", "+14", "-1200"),
  )
  .map(([day, time, zone]) => `${day}T${time}${zone}`);

const list = fc.array(filledText, { maxLength: 3 });

/** Often a single letter, which is in many texts; sometimes in the long form. */
const queryText = fc
  .tuple(
    fc.oneof(filledText, fc.constantFrom(...PIECES.filter((piece) => piece !== ""))),
    fc.nat(9),
  )
  .map(([queryValue, dice]): Json => (dice === 0 ? { text: queryValue } : literalText(queryValue)));

/** Values for filters, by kind; never empty. */
export const queryValuesByKind: Readonly<Record<ValueKind, fc.Arbitrary<Json>>> = {
  text: queryText,
  integer: fc.oneof(integers, fc.constantFrom<Json>(1.5, "9.5", "1e1")),
  decimal: fc.oneof(digits, integers, fc.constantFrom<Json>(0.1, 1e-7, "15e-1", "1e30")),
  boolean: fc.boolean(),
  date: dates,
  timestamp: instants,
  list: list.filter((elements) => elements.length > 0).map((all) => all.map(literalText)),
  json: fc.constant(null),
};

const json = fc.constantFrom<Json>(null, 0, "", [], {}, { a: [1, null] }, false);

/** Stored values, by kind, in a form that Postgres parses; the caller adds null. */
export const storedByKind: Readonly<Record<ValueKind, fc.Arbitrary<Json>>> = {
  text,
  integer: integers,
  decimal: fc.oneof(
    { weight: 8, arbitrary: digits },
    { weight: 1, arbitrary: fc.constantFrom("NaN", "Infinity", "-Infinity") },
  ),
  boolean: fc.boolean(),
  date: fc.oneof(
    { weight: 8, arbitrary: dates },
    {
      weight: 1,
      arbitrary: fc.constantFrom("infinity", "-infinity", "0044-03-15 BC", "12024-01-01"),
    },
  ),
  timestamp: fc.oneof(
    { weight: 12, arbitrary: instants },
    { weight: 1, arbitrary: fc.constantFrom("infinity", "-infinity", "0044-03-15 12:00:00+00 BC") },
  ),
  list,
  json,
};
