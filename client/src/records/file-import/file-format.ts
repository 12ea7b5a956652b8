import { ownZone } from "../../../../shared/filter/zone.ts";
import { detectDelimiter, withoutNamedDelimiter } from "../../../../shared/import/delimiter.ts";
import {
  columnNames,
  detectDates,
  detectDecimal,
  isAmbiguousNumber,
  meaningfulTexts,
  placeholders,
} from "../../../../shared/import/detect-format.ts";
import { readSample } from "../../../../shared/import/read-sample.ts";
import { kindOfType } from "../../../../shared/model/field-types.ts";
import type { Field } from "../../../../shared/model/model.ts";
import type { DecimalSign } from "../../../../shared/read-number.ts";
import { importMessages as messages } from "../../messages/en/import.ts";

/** How a file is read, as detected and corrected by the user. */
export interface FileFormat {
  encoding: string;
  delimiter: string;
  hasHeader: boolean;
  /** A text that is read as empty besides the empty text: none, until the user names one. */
  nullText: string;
  zone: string;
}

/**
 * How dates and numbers are written. Null is the product's own format; undefined is a format that only the user can
 * decide.
 */
export interface ValueFormat {
  dateFormat: string | null | undefined;
  decimal: DecimalSign | null | undefined;
  /** Some columns are written with a decimal point and some with a comma: each is read as it is written. */
  isMixedDecimal: boolean;
  /** Dates were found that no known format reads. */
  hasUnknownDates: boolean;
  /** Formats that read the dates: of a column of which several do, or else of all columns. */
  possible: readonly string[];
}

const SAMPLE_ROWS = 1_000;

/** The format that the beginning of a file suggests; `names` are those of the fields it may be for. */
export function detectFormat(text: string, encoding: string, names: readonly string[]): FileFormat {
  const delimiter = detectDelimiter(text);
  const rows = rowsOf(text, delimiter);
  return {
    encoding,
    delimiter,
    hasHeader: isHeader(rows[0] ?? [], names),
    nullText: "",
    zone: ownZone(),
  };
}

function rowsOf(text: string, delimiter: string): string[][] {
  return readSample(withoutNamedDelimiter(text), { delimiter, maxRows: SAMPLE_ROWS });
}

/** The names of the columns, and the rows below them. */
export function tableOf(text: string, { delimiter, hasHeader }: FileFormat) {
  const rows = rowsOf(text, delimiter);
  if (!hasHeader) return { header: columnNames((rows[0] ?? []).map(() => "")), rows };
  return { header: columnNames(rows[0] ?? []), rows: rows.slice(1) };
}

/** The placeholders among the first rows, in the columns that are used, each with the number of its cells: the most frequent first. */
export function placeholderCells(
  rows: readonly (readonly string[])[],
  isUsed: (index: number) => boolean,
): { text: string; count: number }[] {
  const cells = rows.flatMap((row) => row.filter((_, index) => isUsed(index)));
  return placeholders
    .map((text) => ({ text, count: cells.filter((cell) => cell === text).length }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);
}

/** How the columns that go into dates and numbers are written. */
export function detectValues(
  rows: readonly (readonly string[])[],
  fields: readonly (Pick<Field, "type"> | undefined)[],
  nullText: string,
): ValueFormat {
  const columnsOf = (...kinds: string[]) =>
    fields
      .flatMap((field, index) => (field && kinds.includes(kindOfType[field.type]) ? [index] : []))
      .map((index) => meaningfulTexts(rows.map((row) => row[index] ?? "")))
      .map((texts) => texts.filter((text) => text !== nullText));
  const numbers = columnsOf("integer", "decimal");
  const signs = new Set(numbers.flatMap((texts) => detectDecimal(texts) ?? []));
  const isUndecided = signs.size === 0 && numbers.flat().some(isAmbiguousNumber);
  const { proven, ambiguous, hasUnknown } = detectDates(columnsOf("timestamp", "date"));
  const [only = null, ...others] = proven;
  return {
    dateFormat: ambiguous.length ? undefined : others.length ? null : only,
    decimal: isUndecided ? undefined : detectDecimal(numbers.flat()),
    isMixedDecimal: signs.size > 1,
    hasUnknownDates: hasUnknown,
    possible: ambiguous.length ? ambiguous : proven,
  };
}

/** Numbers, dates and telephone numbers begin like this; email and web addresses are no names of columns either. */
const VALUE = /^[-+]?\d|^\S+@\S+\.\S+$|^https?:/;

/** A first row is a header if it names a field, or if none of its cells could be a value. Programs leave the name of a column of numbers empty. */
function isHeader(row: readonly string[], names: readonly string[]): boolean {
  const known = new Set(names.map(plainName));
  if (row.some((cell) => known.has(plainName(cell)))) return true;
  return row.some((cell) => cell.trim() !== "") && !row.some((cell) => VALUE.test(cell.trim()));
}

/** A name without the differences between programs: case, spaces, punctuation. */
export function plainName(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** The label of a column on the screen. */
export function columnLabel(header: string, index: number): string {
  return header.trim() || messages.column({ number: index + 1 });
}
