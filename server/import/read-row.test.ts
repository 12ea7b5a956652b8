import { expect, it } from "vitest";
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
