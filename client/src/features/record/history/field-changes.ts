import type { Json } from "../../../../../shared/filter/filter.ts";
import type { HistoryEntry } from "../../../../../shared/protocol/records.ts";
import { isSameValue } from "../../../records/fields/same-value.ts";

/** One change of a field: its entry in the history, and the values as far as they may still be known. */
export interface FieldChange {
  entry: HistoryEntry;
  before: Json;
  after: Json;
  isErased: boolean;
}

/** The changes of one field, newest first like the entries. */
export function fieldChanges(entries: readonly HistoryEntry[], field: string): FieldChange[] {
  return entries.flatMap((entry) => {
    const change = entry.fields[field];
    const isErased = entry.erased?.includes(field) ?? false;
    if (!change || entry.kind === "delete") return [];
    return isErased || !isSameValue(change.before, change.after)
      ? [{ entry, ...change, isErased }]
      : [];
  });
}
