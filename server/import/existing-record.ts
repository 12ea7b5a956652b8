import { explainRow } from "../../shared/error-texts/row-texts.ts";
import { findField, type Table, type Values } from "../../shared/model/model.ts";
import type { RowError } from "../../shared/protocol/imports.ts";
import { excerpt } from "../policy/parse-input.ts";
import type { ColumnPlan } from "./plan-columns.ts";
import type { ImportRow } from "./read-row.ts";
import { differences, type KnownRecord } from "./recognise.ts";
import { rowError } from "./row-errors.ts";
import { namedId } from "./row-id.ts";

/**
 * Why a row can't create its record, where one with that id is stored; null where the row was imported before. An id made
 * of the row's content proves that, without a key: the record may have been edited since. An id that the file names proves
 * nothing, so the values decide.
 */
export function existingRecordError(
  table: Table,
  plan: ColumnPlan,
  row: ImportRow,
  stored: KnownRecord,
): RowError | null {
  const name = namedId(table, row);
  if (plan.key === null && name === null) return null;
  if (isAsCreated(table, row, stored.values)) return null;
  const field = row.id === null && name !== null ? (table.idFrom as string) : "id";
  const explanation =
    plan.key === null
      ? explainRow("row.idTaken", { id: excerpt(String(name)) })
      : explainRow("row.recordDiffers", { field: labelOf(table, plan.key) });
  return rowError({ line: row.line, field, code: "duplicate", rule: "unique" }, explanation);
}

/** Whether a record holds what the row would give a new one. An empty cell decides nothing if the field would be filled in. */
function isAsCreated(table: Table, row: ImportRow, stored: Values): boolean {
  const given = Object.entries(row.values).filter(
    ([name, value]) => value !== null || !isFilledIn(table, name),
  );
  return Object.keys(differences(table, stored, Object.fromEntries(given))).length === 0;
}

function isFilledIn(table: Table, name: string): boolean {
  const { default: initial, automatic, derive } = findField(table, name) ?? {};
  const isFilled = initial !== undefined || automatic !== undefined || derive !== undefined;
  return isFilled || name === table.stateField || name === table.idFrom;
}

function labelOf(table: Table, key: string): string {
  return (findField(table, key)?.label ?? key).toLowerCase();
}
