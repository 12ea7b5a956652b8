import { explain } from "../../shared/error-texts/explain.ts";
import { isNumeric, isTemporal } from "../../shared/filter/value-kinds.ts";
import {
  columnNames,
  commonDecimal,
  detectDates,
  detectDecimal,
} from "../../shared/import/detect-format.ts";
import { kindOfType } from "../../shared/model/field-types.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { FileOptions } from "../../shared/protocol/imports.ts";
import { UNREADABLE } from "./decode-csv.ts";
import type { ColumnPlan } from "./plan-columns.ts";
import type { CsvRow } from "./read-csv.ts";
import type { ColumnFormats } from "./read-row.ts";

/** The part of a file by which formats are detected. */
const SAMPLE_ROWS = 1_000;
const SAMPLE_CHARACTERS = 262_144;

/** The names of a file's columns, and its rows. A file without them has its columns numbered. */
export async function openRows(
  rows: AsyncGenerator<CsvRow>,
  { header: hasHeader }: Pick<FileOptions, "header">,
): Promise<{ header: string[]; rows: AsyncGenerator<CsvRow> }> {
  const first = await rows.next();
  if (first.done) throw new Refusal("invalid_request", { in: "body" }, explain("import.empty"));
  const { line, cells } = first.value;
  if (!hasHeader) {
    return { header: columnNames(cells.map(() => "")), rows: putBack([first.value], rows) };
  }
  if (cells.some((cell) => cell.includes(UNREADABLE))) {
    const explanation = explain("import.encoding", { line });
    throw new Refusal("invalid_request", { in: "body", line }, explanation);
  }
  return { header: columnNames(cells), rows };
}

/**
 * Options with the formats of dates and numbers that the first rows prove, where none are given, and what each column proves for itself.
 * What those rows leave open stays open: a row that can't be read is refused with its line.
 */
export async function detectFormats(
  rows: AsyncGenerator<CsvRow>,
  plan: ColumnPlan,
  options: FileOptions,
): Promise<{ options: FileOptions; formats: ColumnFormats; rows: AsyncGenerator<CsvRow> }> {
  const sample: CsvRow[] = [];
  for (let characters = 0; sample.length < SAMPLE_ROWS && characters < SAMPLE_CHARACTERS; ) {
    const next = await rows.next();
    if (next.done) break;
    sample.push(next.value);
    characters += next.value.cells.reduce((sum, { length }) => sum + length, 0);
  }
  const clear = sample.filter(({ isAmbiguous }) => !isAmbiguous);
  const textsOf = ({ index }: PlannedColumn) =>
    clear.map(({ cells }) => cells[index] ?? "").filter((text) => text !== options.null);
  const numbers = plan.columns.filter(({ field }) => isNumeric(kindOfType[field.type]));
  const decimal = options.decimal ?? commonDecimal(numbers.map(textsOf)) ?? undefined;
  const dates = plan.columns.filter(({ field }) => isTemporal(kindOfType[field.type]));
  // Times first: a date may be written as the day of a time.
  dates.sort((a, b) => Number(b.field.type === "timestamp") - Number(a.field.type === "timestamp"));
  const detected = detectDates(dates.map(textsOf), options.dateFormat);
  const dateFormat = options.dateFormat ?? detected.proven[0];
  const formats: ColumnFormats = new Map();
  for (const [at, { index }] of dates.entries()) {
    formats.set(index, { dateFormat: detected.formats[at] });
  }
  for (const column of options.decimal ? [] : numbers) {
    formats.set(column.index, { decimal: detectDecimal(textsOf(column)) ?? undefined });
  }
  const common = { ...(dateFormat && { dateFormat }), ...(decimal && { decimal }) };
  return { options: { ...options, ...common }, formats, rows: putBack(sample, rows) };
}

type PlannedColumn = ColumnPlan["columns"][number];

async function* putBack(
  first: readonly CsvRow[],
  rows: AsyncGenerator<CsvRow>,
): AsyncGenerator<CsvRow> {
  yield* first;
  yield* rows;
}
