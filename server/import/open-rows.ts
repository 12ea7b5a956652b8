import { explain } from "../../shared/error-texts/explain.ts";
import { isNumeric, isTemporal } from "../../shared/filter/value-kinds.ts";
import { columnNames, detectDates, detectDecimal } from "../../shared/import/detect-format.ts";
import { kindOfType } from "../../shared/model/field-types.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { FileOptions } from "../../shared/protocol/imports.ts";
import type { DecimalSign } from "../../shared/read-number.ts";
import { UNREADABLE } from "./decode-csv.ts";
import type { ColumnPlan } from "./plan-columns.ts";
import type { CsvRow } from "./read-csv.ts";

/** The part of a file by which formats are detected. */
const SAMPLE_ROWS = 200;
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
 * Options with the formats of dates and numbers that the first rows prove, where none are given, and the format of each column of dates by
 * its place. What those rows leave open stays open: a row that can't be read is refused with its line.
 */
export async function detectFormats(
  rows: AsyncGenerator<CsvRow>,
  plan: ColumnPlan,
  options: FileOptions,
): Promise<{
  options: FileOptions;
  dateFormats: Map<number, string>;
  rows: AsyncGenerator<CsvRow>;
}> {
  const sample: CsvRow[] = [];
  for (let characters = 0; sample.length < SAMPLE_ROWS && characters < SAMPLE_CHARACTERS; ) {
    const next = await rows.next();
    if (next.done) break;
    sample.push(next.value);
    characters += next.value.cells.reduce((sum, { length }) => sum + length, 0);
  }
  const textsOf = ({ index }: ColumnPlan["columns"][number]) =>
    sample.map(({ cells }) => cells[index] ?? "").filter((text) => text !== options.null);
  const numbers = plan.columns.filter(({ field }) => isNumeric(kindOfType[field.type]));
  const decimal: DecimalSign | null = options.decimal ?? detectDecimal(numbers.flatMap(textsOf));
  // Times first: a date may be written as the day of a time.
  const isTime = ({ field }: ColumnPlan["columns"][number]) => field.type === "timestamp";
  const temporal = plan.columns.filter(({ field }) => isTemporal(kindOfType[field.type]));
  const dated = [...temporal.filter(isTime), ...temporal.filter((column) => !isTime(column))];
  const { formats, proven } = detectDates(dated.map(textsOf), options.dateFormat);
  const known = dated.map(({ index }, at) => [index, formats[at]] as const);
  const dateFormat = options.dateFormat ?? proven[0];
  const detected = {
    ...(dateFormat !== undefined && { dateFormat }),
    ...(decimal !== null && { decimal }),
  };
  return {
    options: { ...options, ...detected },
    dateFormats: new Map(known.flatMap(([index, format]) => (format ? [[index, format]] : []))),
    rows: putBack(sample, rows),
  };
}

async function* putBack(
  first: readonly CsvRow[],
  rows: AsyncGenerator<CsvRow>,
): AsyncGenerator<CsvRow> {
  yield* first;
  yield* rows;
}
