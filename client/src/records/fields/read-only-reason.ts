import { compileFilter, type RecordPredicate } from "../../../../shared/filter/matches.ts";
import { type Field, fieldKinds, type Table, type Values } from "../../../../shared/model/model.ts";
import { governedBy, lockedFields, stateOf } from "../../../../shared/model/state-of.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import { fieldMessages as messages } from "../../messages/en/fields.ts";
import { sentText } from "../../messages/error-text.ts";

type Rows = NonNullable<TableAbilities["updateOnly"]>;

/**
 * Why the user can't write a field of a record, for the cell's tooltip, or null if they can try. The server authorises
 * every edit again.
 */
export function readOnlyReason(
  table: Table,
  field: Field,
  abilities: TableAbilities | undefined,
  record: Readonly<{ id: string; pending: string | null; mark: string | null; values: Values }>,
): string | null {
  if (record.mark === "deleted") return messages.recordDeleted();
  if (record.pending === "delete") return messages.recordBeingDeleted();
  if (field.expression !== undefined) return messages.computed({ field: field.label });
  if (field.recorded !== undefined) return messages.recorded({ field: field.label });
  if (!abilities?.update.includes(field.name)) {
    return messages.mayNotChange({ field: field.label, table: table.label });
  }
  const isNew = record.pending === "create" || record.pending === "draft";
  if (!isNew && !isWithin(table, abilities.updateOnly, record)) {
    return messages.mayChangeOnly({
      record: table.recordLabel,
      condition: conditionOf(abilities.updateOnly),
    });
  }
  if (field.immutable && !isNew) {
    return messages.immutable({ field: field.label, record: table.recordLabel });
  }
  if (field.name === governedBy(table)?.stateField) return messages.stateByTransition();
  return lockedReason(table, field, record.values);
}

/** Why the user can't delete a record, or null if they can try. */
export function notDeletableReason(
  table: Table,
  { deleteOnly }: TableAbilities,
  record: Readonly<{ id: string; values: Values }>,
): string | null {
  if (isWithin(table, deleteOnly, record)) return null;
  return messages.mayDeleteOnly({ record: table.recordLabel, condition: conditionOf(deleteOnly) });
}

function conditionOf(only: Rows | undefined): string {
  return only ? sentText(only.when, only) : "";
}

/** Compiled filters, shared by all cells. */
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

/** Whether the state of a record locks all of its fields: said once, not of each. */
export function locksAll(table: Table, values: Readonly<Values>): boolean {
  const locked = lockedFields(table, values);
  return locked.length > 0 && locked.length >= table.fields.length - 1;
}

/** Why the state of a record locks a field, or null if it does not. */
export function lockedReason(table: Table, field: Field, values: Readonly<Values>): string | null {
  if (!table.workflow || !lockedFields(table, values).includes(field.name)) return null;
  const state = stateOf(table, values);
  return messages.locked({ field: field.label, record: table.recordLabel, state: String(state) });
}
