import { createHash } from "node:crypto";
import { withFormula } from "../../shared/csv-line.ts";
import { explain } from "../../shared/error-texts/explain.ts";
import { explainRow } from "../../shared/error-texts/row-texts.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { isStorable } from "../../shared/filter/storable.ts";
import { toNfc } from "../../shared/filter/to-nfc.ts";
import { ID_FIELD } from "../../shared/filter/value-kinds.ts";
import { isFreeText, isReference } from "../../shared/model/field-types.ts";
import type { Field, Table, Values } from "../../shared/model/model.ts";
import { normalizeValue, type ValueProblem } from "../../shared/model/normalize-value.ts";
import type { FileOptions, RowError } from "../../shared/protocol/imports.ts";
import type { DecimalSign } from "../../shared/read-number.ts";
import { type CellFormat, readCell } from "./cell-text.ts";
import { UNREADABLE } from "./decode-csv.ts";
import type { ColumnPlan } from "./plan-columns.ts";
import type { CsvRow } from "./read-csv.ts";
import { TimeReader } from "./read-time.ts";
import { fieldError, rowError } from "./row-errors.ts";

/** A row of the file as values, in stored form. */
export interface ImportRow {
  line: number;
  values: Values;
  /** The record's id from the file, if it has a column of ids. */
  id: string | null;
  /** The value that identifies the record; null without a key. */
  key: Json;
  /** The key as the file has it, if it differs: another program may have stored it so. */
  writtenKey?: string;
}

/**
 * A rejected row has the values that could be read, whose labels are looked up, and its key: like any other it takes the place of
 * earlier rows with that key. `partial` is the row without the values that its fields refuse, if nothing else is wrong with it and it names its
 * record: that may hold just these, stored by another program.
 */
export type ReadRow =
  | { ok: true; row: ImportRow }
  | { ok: false; errors: RowError[]; values: Values; key: Json; partial: ImportRow | null };

/** How cells are written in the whole file. */
type ReadOptions = Pick<FileOptions, "null" | "zone" | "dateFormat" | "decimal">;

interface ColumnFormat {
  dateFormat?: string | undefined;
  decimal?: DecimalSign | undefined;
}

/** How columns are written, by their place, where they differ from the rest of the file. */
export type ColumnFormats = Map<number, ColumnFormat>;

/** How the cells of a column are written. */
export function cellFormat(options: ReadOptions, column: ColumnFormat = {}): CellFormat {
  const { dateFormat = options.dateFormat, decimal = options.decimal } = column;
  return { nullText: options.null, decimal, times: new TimeReader(dateFormat, options.zone) };
}

/**
 * Reads rows by a plan; reports every value that its field would refuse at once. A row with more values than the file has
 * columns is refused: nobody can say to which column each belongs. One with fewer ends in empty cells.
 */
export function rowReader(
  plan: ColumnPlan,
  options: ReadOptions,
  formats: ColumnFormats = new Map(),
): (row: CsvRow) => ReadRow {
  const readings = new Map(
    plan.columns.map(({ index }) => [index, cellFormat(options, formats.get(index))] as const),
  );
  // A label is resolved later, and only where the row can be read.
  const isKeyOfLink = plan.columns.some(
    ({ field }) => field.name === plan.key && isReference(field.type),
  );
  const keyIndex =
    plan.columns.find(({ field }) => field.name === plan.key && isFreeText(field.type))?.index ??
    -1;
  return ({ line, cells, isAmbiguous }) => {
    const values: Values = {};
    if (isAmbiguous) {
      return { ok: false, errors: [unclearQuotes(line)], values, key: null, partial: null };
    }
    const errors: RowError[] = [];
    for (const { index, field, isAdded } of plan.columns) {
      const cell = cells[index] ?? "";
      if (isAdded && cell.trim() === "") continue;
      if (cell.includes(UNREADABLE)) {
        errors.push(unreadable(line, field.name));
        continue;
      }
      const read = readCell(field, cell, readings.get(index) as CellFormat);
      if (read === undefined) {
        errors.push(fieldError({ line, field: field.name }, unread(field, options)));
        continue;
      }
      const normalized = normalizeValue(field, read);
      if (normalized.ok) values[field.name] = normalized.value;
      else errors.push(fieldError({ line, field: field.name }, normalized.problem));
    }
    const ofCells = errors.length;
    if (cells.slice(plan.count).some((cell) => cell.trim()))
      errors.push(tooManyCells(line, plan.count));
    const id = plan.idIndex < 0 ? null : readId(cells[plan.idIndex] ?? "");
    const idError = id === null ? null : errorOfId(line, id);
    if (idError) errors.push(idError);
    const isOfId = plan.key === ID_FIELD;
    const key = plan.key === null ? null : isOfId ? id : (values[plan.key] ?? null);
    if (plan.key !== null && key === null) errors.push(noKey(line, plan.key));
    const written = toNfc(withFormula(cells[keyIndex] ?? ""));
    const isOther = typeof key === "string" && keyIndex >= 0 && written !== key;
    const row = { line, values, id, key, ...(isOther && { writtenKey: written }) };
    if (errors.length === 0) return { ok: true, row };
    const hasKey = !isKeyOfLink && !(isOfId && idError);
    const partial = errors.length === ofCells && (key ?? id) !== null ? row : null;
    return { ok: false, errors, values, key: hasKey ? key : null, partial };
  };
}

function unclearQuotes(line: number): RowError {
  const facts = { line, code: "validation_failed", rule: "quotes" };
  return rowError(facts, explainRow("row.quotes"));
}

function readId(cell: string): string | null {
  return toNfc(withFormula(cell.trim())) || null;
}

/** Why an id can't be looked for: bytes that are no characters in the encoding, or characters that no text can hold. */
function errorOfId(line: number, id: string): RowError | null {
  if (id.includes(UNREADABLE)) return unreadable(line, ID_FIELD);
  if (isStorable(id)) return null;
  const problem = { rule: "characters", ...explain("value.characters") };
  return fieldError({ line, field: ID_FIELD }, problem);
}

/** Why a cell has no value that its field could validate. */
function unread({ type }: Field, { zone }: ReadOptions): ValueProblem {
  const explanation =
    type === "json" ? explainRow("row.notJson") : explainRow("row.skippedTime", { zone });
  return { rule: "type", ...explanation };
}

function unreadable(line: number, field: string): RowError {
  const facts = { line, field, code: "validation_failed", rule: "encoding" };
  return rowError(facts, explainRow("row.cellEncoding"));
}

function tooManyCells(line: number, columns: number): RowError {
  const facts = { line, code: "validation_failed", rule: "columns" };
  return rowError(facts, explainRow("row.tooManyCells", { columns }));
}

function noKey(line: number, field: string): RowError {
  const facts = { line, field, code: "validation_failed", rule: "key" };
  return rowError(facts, explainRow("row.keyEmpty"));
}

/** The id that a row gives its record: by the file's column of ids, or by the field that names records of the table. */
export function namedId(table: Table, row: ImportRow): string | null {
  if (row.id !== null) return row.id;
  const named = table.idFrom === undefined ? null : row.values[table.idFrom];
  return typeof named === "string" ? named : null;
}

/** The same row of the same file has the same id at every attempt, so that none is created twice. */
export function idOf(table: Table, row: ImportRow): string {
  const named = namedId(table, row);
  if (named !== null) return named;
  const content = JSON.stringify([table.name, row.key ?? row.line, row.values]);
  const hex = createHash("sha256").update(content).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
