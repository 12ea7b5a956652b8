import { explainRow } from "../../shared/error-texts/row-texts.ts";
import { ID_FIELD } from "../../shared/filter/value-kinds.ts";
import { findField, type Table, type Values } from "../../shared/model/model.ts";
import { valuesOf } from "../../shared/model/pick-values.ts";
import { governedBy, stateOf } from "../../shared/model/state-of.ts";
import { type Transition, transitionBetween } from "../../shared/model/workflow.ts";
import type { RowError } from "../../shared/protocol/imports.ts";
import type { Op } from "../commands/op.ts";
import { excerpt } from "../policy/parse-input.ts";
import type { ColumnPlan } from "./plan-columns.ts";
import { type ImportRow, idOf, namedId } from "./read-row.ts";
import { differences, type KnownRecord, type KnownRecords, keyText } from "./recognise.ts";
import { rowError } from "./row-errors.ts";

/** What a row makes of its record: an op, nothing, or an error. */
export type PlannedRow = { op: Op } | { unchanged: true } | { error: RowError };

/** The op of a row, given the records that it identifies. */
export function planOp(
  table: Table,
  plan: ColumnPlan,
  row: ImportRow,
  known: KnownRecords,
): PlannedRow {
  const found = known.get(identifyingText(table, plan, row)) ?? [];
  const [record] = found;
  if (plan.key === null) {
    if (!record) return { op: createOp(table, row) };
    const error = existingRecordError(table, plan, row, record);
    return error ? { error } : { unchanged: true };
  }
  if (found.length > 1) return { error: ambiguous(row, plan.key, found.length) };
  if (!record) {
    const op = createOp(table, row, (field) => isEmptied(table, field));
    return { op: { ...op, ...keyOf(table, plan.key) } };
  }
  const set = differences(table, record.values, row.values);
  if (Object.keys(set).length === 0) return { unchanged: true };
  return { op: withKey(table, plan.key, record, updateOp(table, record, set, row.values)) };
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

/** The reason given in a file's name if a transition requires one. */
const IMPORT_REASON = "Imported from a file.";

/**
 * The op that changes a record to its row's values. Another state is reached by a transition, as for any
 * other user; if there is none, the plain write is sent and refused with its reason. The file's own values
 * for fields that the transition would set are included.
 */
function updateOp(table: Table, known: KnownRecord, set: Values, row: Values): Op {
  const target = transitionTo(table, known.values, set);
  const at = { table: table.name, record: known.id };
  if (!target) return { op: "update", ...at, set, base: valuesOf(known.values, Object.keys(set)) };
  const { transition, stateField, from } = target;
  const givenFields = Object.keys(transition.sets ?? {}).filter((name) => row[name] !== undefined);
  const names = [...new Set([...Object.keys(set), ...givenFields])].filter(
    (name) => name !== stateField,
  );
  return {
    op: "transition",
    ...at,
    transition: transition.name,
    from,
    set: valuesOf(row, names),
    base: valuesOf(known.values, names),
    ...(transition.reason && { reason: IMPORT_REASON }),
  };
}

function transitionTo(
  table: Table,
  stored: Values,
  set: Values,
): { transition: Transition; stateField: string; from: string } | null {
  const governed = governedBy(table);
  const to = governed && set[governed.stateField];
  const from = stateOf(table, stored);
  if (!governed || typeof to !== "string" || typeof from !== "string") return null;
  const { stateField, workflow } = governed;
  const transition = transitionBetween(workflow, from, to);
  return transition ? { transition, stateField, from } : null;
}

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
  const field = idFieldOf(table, row);
  const explanation =
    plan.key === null
      ? explainRow("row.idTaken", { id: excerpt(String(name)) })
      : explainRow("row.recordDiffers", { field: labelOf(table, plan.key) });
  return rowError({ line: row.line, field, code: "duplicate", rule: "unique" }, explanation);
}

/** The field by which a row names its record. */
export function idFieldOf(table: Table, row: ImportRow): string {
  return row.id === null && namedId(table, row) !== null ? (table.idFrom as string) : ID_FIELD;
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
