import { explain } from "../../shared/error-texts/explain.ts";
import { isNumeric } from "../../shared/filter/value-kinds.ts";
import {
  detectDecimal,
  meaningfulTexts,
  possibleDateFormats,
} from "../../shared/import/detect-format.ts";
import { type FieldType, kindOfType } from "../../shared/model/field-types.ts";
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
    const header = cells.map((_, index) => `Column ${index + 1}`);
    return { header, rows: putBack([first.value], rows) };
  }
  if (cells.some((cell) => cell.includes(UNREADABLE))) {
    const explanation = explain("import.encoding", { line });
    throw new Refusal("invalid_request", { in: "body", line }, explanation);
  }
  return { header: cells, rows };
}

/**
 * Options with the formats of dates and numbers that the first rows prove, where none are given. What those rows leave open stays open: a
 * row that can't be read is refused with its line.
 */
export async function detectFormats(
  rows: AsyncGenerator<CsvRow>,
  plan: ColumnPlan,
  options: FileOptions,
): Promise<{ options: FileOptions; rows: AsyncGenerator<CsvRow> }> {
  const sample: CsvRow[] = [];
  for (let characters = 0; sample.length < SAMPLE_ROWS && characters < SAMPLE_CHARACTERS; ) {
    const next = await rows.next();
    if (next.done) break;
    sample.push(next.value);
    characters += next.value.cells.reduce((sum, { length }) => sum + length, 0);
  }
  const textsOf = (isWanted: (type: FieldType) => boolean) =>
    plan.columns
      .filter(({ field }) => isWanted(field.type))
      .flatMap(({ index }) => sample.map(({ cells }) => cells[index] ?? ""))
      .filter((text) => text !== options.null);
  const times = meaningfulTexts(textsOf((type) => type === "timestamp"));
  const formats = possibleDateFormats(times.length ? times : textsOf((type) => type === "date"));
  const numbers = textsOf((type) => isNumeric(kindOfType[type]));
  const decimal: DecimalSign | null = options.decimal ?? detectDecimal(numbers);
  const dateFormat = options.dateFormat ?? (formats.length === 1 ? formats[0] : undefined);
  const detected = {
    ...(dateFormat !== undefined && { dateFormat }),
    ...(decimal !== null && { decimal }),
  };
  return { options: { ...options, ...detected }, rows: putBack(sample, rows) };
}

async function* putBack(
  first: readonly CsvRow[],
  rows: AsyncGenerator<CsvRow>,
): AsyncGenerator<CsvRow> {
  yield* first;
  yield* rows;
}
