import { withFormula } from "../../shared/csv-line.ts";
import { explainRow } from "../../shared/error-texts/row-texts.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { toNfc } from "../../shared/filter/to-nfc.ts";
import type { Field, Values } from "../../shared/model/model.ts";
import { normalizeValue, type ValueProblem } from "../../shared/model/normalize-value.ts";
import type { ImportOptions, RowError } from "../../shared/protocol/imports.ts";
import { readCell } from "./cell-text.ts";
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
}

export type ReadRow = { ok: true; row: ImportRow } | { ok: false; errors: RowError[] };

/**
 * Reads rows by a plan; reports every value that its field would refuse at once. A row with more values than the file has
 * columns is refused: nobody can say to which column each belongs. One with fewer ends in empty cells.
 */
export function rowReader(plan: ColumnPlan, options: ImportOptions): (row: CsvRow) => ReadRow {
  const reading = {
    nullText: options.null,
    decimal: options.decimal,
    times: new TimeReader(options.dateFormat, options.zone),
  };
  return ({ line, cells }) => {
    const values: Values = {};
    const errors: RowError[] = [];
    for (const { index, field } of plan.columns) {
      const cell = cells[index] ?? "";
      if (cell.includes(UNREADABLE)) {
        errors.push(unreadable(line, field.name));
        continue;
      }
      const read = readCell(field, cell, reading);
      if (read === undefined) {
        errors.push(fieldError({ line, field: field.name }, unread(field, options)));
        continue;
      }
      const normalized = normalizeValue(field, read);
      if (normalized.ok) values[field.name] = normalized.value;
      else errors.push(fieldError({ line, field: field.name }, normalized.problem));
    }
    if (cells.slice(plan.count).some((cell) => cell.trim()))
      errors.push(tooManyCells(line, plan.count));
    const id =
      plan.idIndex < 0 ? null : toNfc(withFormula(cells[plan.idIndex]?.trim() ?? "")) || null;
    const key = plan.key === null ? null : plan.key === "id" ? id : (values[plan.key] ?? null);
    if (plan.key !== null && key === null) errors.push(noKey(line, plan.key));
    return errors.length ? { ok: false, errors } : { ok: true, row: { line, values, id, key } };
  };
}

/** Why a cell has no value that its field could validate. */
function unread({ type }: Field, { zone }: ImportOptions): ValueProblem {
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
