import { explainRow } from "../../shared/error-texts/row-texts.ts";
import { findField, type Table } from "../../shared/model/model.ts";
import type { RowError } from "../../shared/protocol/imports.ts";
import type { Op } from "../commands/op.ts";
import { excerpt } from "../policy/parse-input.ts";
import { existingRecordError } from "./existing-record.ts";
import type { ColumnPlan } from "./plan-columns.ts";
import type { ImportRow } from "./read-row.ts";
import { differences, type KnownRecord, type KnownRecords, keyText } from "./recognise.ts";
import { rowError } from "./row-errors.ts";
import { idOf } from "./row-id.ts";
import { updateOp } from "./update-op.ts";

/** What a row changes, given what is known of its record. */
export type PlannedRow =
  | { row: ImportRow; kind: "created" | "updated"; op: Op; follows: boolean }
  | { row: ImportRow; kind: "unchanged" }
  | { row: ImportRow; kind: "refused"; error: RowError };

/**
 * Turns rows into ops. Rows of one key within a batch build on each other: the base of the second is the
 * result of the first. `follows` marks them, and later rows with the id of another: when one fails, those after it are retried.
 */
export function planOps(
  table: Table,
  plan: ColumnPlan,
  rows: readonly ImportRow[],
  known: KnownRecords,
): PlannedRow[] {
  const usedKeys = new Set<string>();
  return rows.map((row) => {
    const text = identifyingText(table, plan, row);
    const follows = usedKeys.has(text);
    usedKeys.add(text);
    const found = known.get(text) ?? [];
    if (plan.key === null) {
      const error = found[0] && existingRecordError(table, plan, row, found[0]);
      if (error) return { row, kind: "refused", error };
      if (found[0]) return { row, kind: "unchanged" };
      return { row, kind: "created", op: createOp(table, row), follows };
    }
    if (found.length > 1)
      return { row, kind: "refused", error: ambiguous(row, plan.key, found.length) };
    const [record] = found;
    if (!record) {
      const op = createOp(table, row, (field) => isEmptied(table, field));
      known.set(text, [{ id: op.record ?? "", values: row.values }]);
      return { row, kind: "created", op: { ...op, ...keyOf(table, plan.key) }, follows };
    }
    const set = differences(table, record.values, row.values);
    if (Object.keys(set).length === 0) return { row, kind: "unchanged" };
    known.set(text, [{ id: record.id, values: { ...record.values, ...set } }]);
    const op = withKey(table, plan.key, record, updateOp(table, record, set, row.values));
    return { row, kind: "updated", op, follows };
  });
}

/** By what a row's record is found among the known ones. */
export function identifyingText(table: Table, { key }: ColumnPlan, row: ImportRow): string {
  return key === null ? idOf(table, row) : keyText(row.key);
}

/** Empty cells leave a new record to its defaults, except in the fields named. */
function createOp(
  table: Table,
  row: ImportRow,
  isGivenEmpty: (field: string) => boolean = () => false,
): Op & { op: "create" } {
  const values = Object.fromEntries(
    Object.entries(row.values).filter(([name, value]) => value !== null || isGivenEmpty(name)),
  );
  return { op: "create", table: table.name, record: idOf(table, row), values };
}

/** A unique field is checked by itself, and so is an id. */
function keyOf(table: Table, key: string): { key?: string } {
  const field = findField(table, key);
  return field && !field.unique ? { key } : {};
}

/** An update of a record that has another key by the time it is applied is a conflict: the row is about another record then. */
function withKey(table: Table, key: string, { values }: KnownRecord, op: Op): Op {
  if ((op.op !== "update" && op.op !== "transition") || !findField(table, key)) return op;
  return { ...op, key, base: { ...op.base, [key]: values[key] ?? null } };
}

/** Whether an empty cell empties a field of a record that is named by key, so that the same row changes nothing a second time. */
function isEmptied(table: Table, name: string): boolean {
  const field = findField(table, name);
  return field?.default !== undefined && !field.required && name !== table.stateField;
}

function ambiguous({ line, key }: ImportRow, field: string, count: number): RowError {
  const facts = { line, field, code: "validation_failed", rule: "key" };
  return rowError(facts, explainRow("row.keyAmbiguous", { count, key: excerpt(keyText(key)) }));
}
