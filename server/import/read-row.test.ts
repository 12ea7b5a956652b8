import { expect, it } from "vitest";
import { columnReader } from "../../client/src/features/grid/clipboard/column-reader.ts";
import { parseInput } from "../../client/src/records/fields/typed-text.ts";
import { detectDates } from "../../shared/import/detect-format.ts";
import type { Field, Table } from "../../shared/model/model.ts";
import { importOptionsSchema } from "../../shared/protocol/imports.ts";
import { planColumns } from "./plan-columns.ts";
import { rowReader } from "./read-row.ts";

const fields: Field[] = [
  { name: "rate", label: "Rate", type: "decimal", scale: 3 },
  { name: "data", label: "Data", type: "json" },
  { name: "at", label: "At", type: "timestamp" },
];
const table: Table = {
  ...{ name: "things", label: "Things", recordLabel: "thing", display: "data" },
  ...{ fields, columns: [], sort: [] },
};
const options = importOptionsSchema.parse({
  zone: "Europe/Berlin",
  dateFormat: "DD.MM.YYYY HH:mm",
});

it.each([
  ["0.500", ",", "0.500"],
  ["0,500", ".", "0.500"],
  ["-1.234,5", ",", "-1234.500"],
  ["1.234", ",", "1234.000"],
  ["1.234", ".", "1.234"],
  ["12,34,567", ".", "1234567.000"],
  ["12.34.5", ",", null],
  ["0.500,00", ",", null],
  ["12 %", ",", null],
] as const)("reads %s by the decimal sign %s as %j", (text, decimal, value) => {
  const written = importOptionsSchema.parse({ decimal });
  const ofRate = planColumns(["rate"], table, ["rate"], written);
  const row = rowReader(ofRate, written)({ line: 2, cells: [text] });
  expect(row).toMatchObject(value === null ? { ok: false } : { row: { values: { rate: value } } });
});

const sizes = [{ value: "l", label: "Large" }, { value: "xl", label: "L" }, { value: "Small" }];
const marked: Field[] = [
  { name: "price", label: "Price", type: "decimal", scale: 2, currency: "EUR" },
  { name: "part", label: "Part", type: "percent", scale: 1 },
  { name: "isOpen", label: "Open", type: "boolean" },
  { name: "size", label: "Size", type: "select", options: sizes },
  { name: "sizes", label: "Sizes", type: "multiSelect", options: sizes },
];

it.each([
  ["price", "35.082,57 €", "35082.57"],
  ["price", "EUR 12,5", "12.50"],
  ["price", "$ 12,5", null],
  ["price", "12 %", null],
  ["part", "42,3 %", "42.3"],
  ["isOpen", "ja", true],
  ["isOpen", "x", true],
  ["isOpen", "Nein", false],
  ["isOpen", "maybe", null],
  ["size", "xl", "xl"],
  ["size", "large", "l"],
  ["size", " SMALL ", "Small"],
  ["size", "L", "l"],
  ["size", "Huge", null],
  ["sizes", "small; Large", ["Small", "l"]],
  ["sizes", '["SMALL"]', ["Small"]],
  ["sizes", "small; Huge", null],
] as const)("reads %s from %s as it is typed and pasted: %j", (name, text, value) => {
  const written = importOptionsSchema.parse({ decimal: "," });
  const ofField = planColumns([name], { ...table, fields: marked }, [name], written);
  const row = rowReader(ofField, written)({ line: 2, cells: [text] });
  expect(row).toMatchObject(
    value === null ? { ok: false } : { row: { values: { [name]: value } } },
  );
});

it("reads each column of dates as it is written", () => {
  const dates: Field[] = ["opened", "due", "closed"].map((name) => ({
    name,
    label: name,
    type: "date",
  }));
  const ofDates = planColumns(
    ["opened", "due", "closed"],
    { ...table, fields: dates },
    ["opened", "due", "closed"],
    options,
  );
  const texts = [["31.03.2026", "03/31/2026", "2026-03-31"]];
  const { formats } = detectDates(
    [0, 1, 2].map((index) => texts.map((row) => row[index] as string)),
  );
  const byPlace = new Map(formats.map((dateFormat, index) => [index, { dateFormat }]));
  const row = rowReader(ofDates, options, byPlace)({ line: 2, cells: texts[0] as string[] });
  const day = "2026-03-31";
  expect(row).toMatchObject({ row: { values: { opened: day, due: day, closed: day } } });
});

it("reads the dates of a column in which others exist in no calendar, or are none", () => {
  const formatOf = (...texts: string[]) => detectDates([texts]).formats[0];
  expect(formatOf("31.02.2026", "soon", "31.03.2026", "1.4.2026")).toBe("DD.MM.YYYY");
  expect(formatOf("soon", "2026-03-31")).toBeUndefined();
  expect(formatOf("31.03.2026", "03/31/2026")).toBeUndefined();
  expect(formatOf("31.02.2026", "03.04.2026")).toBeUndefined();
});

const plan = planColumns(["data", "at"], table, ["data", "at"], options);
const read = (...cells: string[]) => rowReader(plan, options)({ line: 2, cells });

it.each(["{'a': 1}", '{"a": 1', "plain", "NaN", "[1,]"])(
  "refuses %s, which is not JSON",
  (text) => {
    expect(read(text)).toMatchObject({
      ok: false,
      errors: [{ line: 2, field: "data", rule: "type", message: expect.stringContaining("JSON") }],
    });
    expect(read(JSON.stringify(text))).toMatchObject({ ok: true, row: { values: { data: text } } });
  },
);

it("refuses a time that the clocks of the zone skip, and says so", () => {
  expect(read("", "29.03.2026 02:30")).toMatchObject({
    ok: false,
    errors: [{ line: 2, field: "at", message: expect.stringContaining("Europe/Berlin") }],
  });
  expect(read("", "29.03.2026 03:30")).toMatchObject({
    row: { values: { at: "2026-03-29T01:30:00+00:00" } },
  });
});

const amount: Field = { name: "f", label: "F", type: "money", scale: 2, currency: "EUR" };
const everyWay: [Partial<Field>, string][] = [
  ...[
    "€12.50",
    "-€3.00",
    "1 234,56 €",
    "35.082,57 €",
    "EUR 7",
    "(3,00 €)",
    "$5",
    "CHF 1",
    "7 %",
  ].map((text): [Partial<Field>, string] => [amount, text]),
  [{ type: "percent", scale: 2 }, "42,3 %"],
  [{ type: "decimal", scale: 4 }, "-5 €"],
  [{ type: "integer" }, "12,00"],
  [{ type: "integer" }, "12.5"],
  ...["ja", "Wahr", "x", "TRUE", "-", "nein", "maybe"].map((text): [Partial<Field>, string] => [
    { type: "boolean" },
    text,
  ]),
  [{ type: "select", options: [{ value: "one", label: "One thing" }] }, " ONE THING "],
  [{ type: "multiSelect", options: [{ value: "Red, dark" }, { value: "-5" }] }, "Red, dark, -5"],
  [{ type: "multiSelect", options: [{ value: "Red, dark" }] }, "Red"],
  [{ type: "text" }, " c1\u00a0"],
  [{ type: "text" }, "two\r\nlines"],
  [{ type: "url" }, "example.org/a"],
  [{ type: "url" }, "https://a b"],
  [{ type: "phone" }, "+49 (30) 123-456"],
  [{ type: "phone" }, "030 1234567 ext. 12"],
  [{ type: "duration" }, "1:30"],
];

it.each(everyWay)("reads %j %j alike by an import, a paste and a key", (type, text) => {
  const field = { name: "f", label: "F", ...type } as Field;
  const things = { ...table, fields: [field] };
  const unknown = importOptionsSchema.parse({});
  const row = rowReader(planColumns(["f"], things, ["f"], unknown), unknown);
  const read = row({ line: 2, cells: [text] });
  const imported = read.ok ? { ok: true, value: read.row.values.f } : { ok: false };
  expect(columnReader(field, [{ text }])({ text })).toMatchObject(imported);
  expect(parseInput(field, text)).toMatchObject(imported);
});

it("reads a number whose sign no row proves where both conventions agree, and refuses it where they don't", () => {
  const unknown = importOptionsSchema.parse({});
  const ofRate = rowReader(planColumns(["rate"], table, ["rate"], unknown), unknown);
  const of = (text: string) => ofRate({ line: 2, cells: [text] });
  expect(of("1.234,5")).toMatchObject({ row: { values: { rate: "1234.500" } } });
  expect(of("0,5")).toMatchObject({ row: { values: { rate: "0.500" } } });
  expect(of("1.234")).toMatchObject({ row: { values: { rate: "1.234" } } });
  expect(of("1,234")).toMatchObject({ ok: false });
});

it("refuses an id that no text can hold, and reads its other columns", () => {
  const ofIds = planColumns(["id", "rate"], table, ["rate"], options);
  for (const [id, rule] of [
    ["n\0-2", "characters"],
    ["n\u{FDD0}", "encoding"],
  ] as const) {
    const row = rowReader(ofIds, options)({ line: 2, cells: [id, "many"] });
    expect(row).toMatchObject({ ok: false, errors: [{ field: "rate" }, { field: "id", rule }] });
  }
});
