import { compileFilter, type RecordPredicate } from "../../../../shared/filter/matches.ts";
import { type Field, fieldKinds, type Table, type Values } from "../../../../shared/model/model.ts";
import { governedBy, lockedFields, stateOf } from "../../../../shared/model/state-of.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";

type Rows = NonNullable<TableAbilities["updateOnly"]>;

/**
 * Why a field of a record can't be written by me, or null where it can be tried: a sentence for the
 * cell's tooltip. The server judges every edit again.
 */
export function readOnlyReason(
  table: Table,
  field: Field,
  abilities: TableAbilities | undefined,
  record: Readonly<{ id: string; pending: string | null; mark: string | null; values: Values }>,
): string | null {
  if (record.mark === "deleted") return "This record was deleted.";
  if (record.pending === "delete") return "This record is being deleted.";
  if (field.expression !== undefined) return `${field.label} is worked out from other fields.`;
  if (field.recorded !== undefined) return `${field.label} is kept by Watchfloor itself.`;
  if (!abilities?.update.includes(field.name)) {
    return `Your role may not change ${field.label} of ${table.label}.`;
  }
  const isNew = record.pending === "create" || record.pending === "draft";
  if (!isNew && !isWithin(table, abilities.updateOnly, record)) {
    return `Your role may change this ${table.recordLabel} only when ${abilities.updateOnly?.when}.`;
  }
  if (field.immutable && !isNew) {
    return `${field.label} can't be changed once the ${table.recordLabel} exists.`;
  }
  if (field.name === governedBy(table)?.stateField) return "The state changes by its moves.";
  return lockedReason(table, field, record.values);
}

/** Why a record can't be deleted by me, or null where it can be tried. */
export function notDeletableReason(
  table: Table,
  { deleteOnly }: TableAbilities,
  record: Readonly<{ id: string; values: Values }>,
): string | null {
  if (isWithin(table, deleteOnly, record)) return null;
  return `Your role may delete this ${table.recordLabel} only when ${deleteOnly?.when}.`;
}

/** A filter is compiled once for all cells. */
const compiled = new WeakMap<Rows, RecordPredicate>();

function isWithin(
  table: Table,
  only: Rows | undefined,
  record: { id: string; values: Readonly<Values> },
): boolean {
  if (!only) return true;
  const predicate = compiled.get(only) ?? compileFilter(only.filter, fieldKinds(table));
  compiled.set(only, predicate);
  return predicate(record.id, record.values);
}

/** Why the state of a record locks a field, or null where it does not. */
export function lockedReason(table: Table, field: Field, values: Readonly<Values>): string | null {
  if (!table.workflow || !lockedFields(table, values).includes(field.name)) return null;
  const state = stateOf(table, values);
  return `${field.label} is locked while this ${table.recordLabel} is ${state}.`;
}
