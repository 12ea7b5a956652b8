import type { Table } from "../../shared/model/model.ts";
import type { Scope } from "../../shared/policy/scope.ts";
import type { HistoryEntry } from "../../shared/protocol/records.ts";
import type { LogChange } from "../store/log-change.ts";
import { canSee } from "./authorize.ts";
import { showsTransition, visibleStateField } from "./compiled-scope.ts";
import { imageBefore } from "./project-change.ts";

/**
 * A change as history shows it: the visible fields, before and after. Null if a reader may not see it: both
 * images must be in the scope, and an update must have changed a visible field. The caller checks whether the
 * record can be read now.
 */
export function projectHistory(change: LogChange, table: Table, scope: Scope): HistoryEntry | null {
  const images = [imageBefore(change), change.after];
  const isVisible = images.every((image) => !image || canSee(scope, table, change.record, image));
  if (!isVisible) return null;
  const entry = entryOf(change, table, scope);
  return entry.kind === "update" && Object.keys(entry.fields).length === 0 ? null : entry;
}

function entryOf(change: LogChange, table: Table, scope: Scope): HistoryEntry {
  const { seq, kind, by, at, before, after, mutation, origin, changeSet } = change;
  const { transition, reason, erased = [] } = change;
  const { fields: visible, hidesNothing } = scope;
  const stateField = visibleStateField(table, visible);
  const showsState = showsTransition(change, { stateField, hidesNothing });
  const fields = visible
    .filter((name) => (kind === "insert" ? after : before)?.[name] !== undefined)
    .map(
      (name) => [name, { before: before?.[name] ?? null, after: after?.[name] ?? null }] as const,
    )
    .filter(
      ([name, { before: from, after: to }]) =>
        kind === "update" || from !== null || to !== null || erased.includes(name),
    );
  const erasedFields = erased.filter((name) => visible.includes(name));
  return {
    seq,
    kind,
    by,
    at,
    fields: Object.fromEntries(fields),
    ...(mutation !== undefined && { mutation }),
    ...(origin !== undefined && { origin }),
    ...(changeSet !== undefined && { changeSet }),
    ...(showsState && transition !== undefined && { transition }),
    ...(showsState && reason !== undefined && { reason }),
    ...(erasedFields.length > 0 && { erased: erasedFields }),
  };
}
