import { expect, it } from "vitest";
import type { Field, Table } from "../../shared/model/model.ts";
import { importOptionsSchema } from "../../shared/protocol/import-options.ts";
import { planColumns } from "./plan-columns.ts";
import { rowReader } from "./read-row.ts";

const fields: Field[] = [
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
