import { expect, it } from "vitest";
import { proposeFields } from "../../client/src/features/model/from-file/propose-field.ts";
import { detectFormat, tableOf } from "../../client/src/records/file-import/file-format.ts";
import { defaultLimits } from "../../shared/limits.ts";
import type { Field, Table } from "../../shared/model/model.ts";
import { importOptionsSchema } from "../../shared/protocol/imports.ts";
import { detectFormats, openRows } from "./open-rows.ts";
import { planColumns } from "./plan-columns.ts";
import { readCsv } from "./read-csv.ts";
import { rowReader } from "./read-row.ts";

/** Each column of a file as a spreadsheet in Europe writes it: its name, its cells, and what they mean. */
const columns: [string, string[], unknown[]][] = [
  ["Nr.", ["1", "2", "3"], [1, 2, 3]],
  ["Artikel", [" A-1 ", "A-2", "A-3\u00a0"], ["A-1", "A-2", "A-3"]],
  ["Artikel", ["=Summe", "-5°", "x;=1"], ["=Summe", "-5°", "x;=1"]],
  ["", ["E\u0301clair", "Łódź", '12" lang'], ["\u00c9clair", "Łódź", '12" lang']],
  ["Preis", ["35.082,57 €", "-3,50€", "€ 7"], ["35082.57", "-3.50", "7.00"]],
  ["Rabatt", ["42,3 %", "7 %", ""], ["42.3", "7.0", null]],
  ["Bestand", ["1.234", "-50", "999.999"], [1234, -50, 999_999]],
  ["Gewicht", ["0,500", "1.234,5", "12"], ["0.500", "1234.500", "12.000"]],
  ["CHF", ["1’234.50 CHF", "7.00 CHF", "0.05 CHF"], ["1234.50", "7.00", "0.05"]],
  [
    "Breite",
    ["48,1234567890123", "7,5", "-0,25"],
    ["48.1234567890123", "7.5000000000000", "-0.2500000000000"],
  ],
  ["PLZ", ["01067", "80331", "04109"], ["01067", "80331", "04109"]],
  ["Baujahr", ["1987", "2026", ""], [1987, 2026, null]],
  ["aktiv", ["ja", "Nein", ""], [true, false, null]],
  ["gesperrt", ["x", "", "X"], [true, null, true]],
  ["am", ["31.03.2026", "1.4.2026", ""], ["2026-03-31", "2026-04-01", null]],
  ["US", ["03/31/2026", "12/24/2026", ""], ["2026-03-31", "2026-12-24", null]],
  [
    "um",
    ["31.03.2026 09:15", "01.04.2026 23:00", ""],
    ["2026-03-31T09:15:00+00:00", "2026-04-01T23:00:00+00:00", null],
  ],
  ["Web", ["https://a.de/?a=1&b", "http://b.de", ""], ["https://a.de/?a=1&b", "http://b.de", null]],
  ["Notiz", ["eins\nzwei", '"Zitat"; und', ""], ["eins\nzwei", '"Zitat"; und', null]],
  ["leer", ["", "", ""], [null, null, null]],
];

const quoted = (cell: string) => (/[";\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const lines = [
  columns.map(([name]) => name),
  ...[0, 1, 2].map((row) => columns.map(([, cells]) => cells[row] ?? "")),
];
const text = `\u{FEFF}${lines.map((cells) => cells.map(quoted).join(";")).join("\r\n")}\r\n;;;\r\n`;

it("becomes a table whose proposed fields hold every cell as it was meant", async () => {
  const format = detectFormat(text, "utf-8", []);
  const { header, rows: sample } = tableOf(text, format);
  const proposed = proposeFields(
    header,
    header.map((_, at) => sample.map((row) => row[at] ?? "")),
  );
  const fields = proposed.map(
    ({ field }, at): Field => ({ name: `f${at}`, label: header[at] ?? "", ...field }),
  );
  const table: Table = {
    ...{ name: "t", label: "T", recordLabel: "r", display: "f0", fields, columns: [], sort: [] },
  };
  const options = importOptionsSchema.parse({});
  const source = async function* () {
    yield Buffer.from(text);
  };
  const opened = await openRows(readCsv(source(), options, defaultLimits), options);
  const plan = planColumns(
    opened.header,
    table,
    fields.map(({ name }) => name),
    options,
  );
  const read = await detectFormats(opened.rows, plan, options);
  const reader = rowReader(plan, read.options, read.formats);
  const found: unknown[] = [];
  for await (const row of read.rows) {
    const result = reader(row);
    found.push(result.ok ? fields.map(({ name }) => result.row.values[name]) : result.errors);
  }
  expect(found).toEqual([0, 1, 2].map((row) => columns.map(([, , values]) => values[row])));
});
