import { useState } from "react";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { RecordView } from "../../state/record-view.ts";
import { authorName } from "../../ui/author-name.ts";
import { useHistory } from "./history/use-history.ts";
import type { OpenRecordState } from "./use-open-record.ts";

/**
 * The record that the panel shows. One that was deleted, also while it was open, has the values that it had then, as far
 * as its history shows them to the user. Null if there is none, or as long as that is not known.
 */
export function useShownRecord(
  table: string,
  record: string,
  state: OpenRecordState,
  hasHistory: boolean,
): { record: RecordView | null; isLoading: boolean } {
  const live = state.kind === "shown" ? state.record : null;
  const isGone = state.kind === "missing" || live?.mark === "deleted";
  const history = useHistory(table, record, live?.version ?? null, isGone && hasHistory);
  const [last, setLast] = useState<RecordView | null>(null);
  if (live && !isGone && live !== last) setLast(live);
  if (!isGone || !hasHistory) return { record: live, isLoading: state.kind === "loading" };
  if (history.kind === "loading") {
    // Whether it was deleted or has left what the user may see is not known yet: the form stays as it is.
    const before = last?.id === record ? last : null;
    return { record: before, isLoading: before === null };
  }
  const [entry] = history.kind === "shown" ? history.entries : [];
  if (entry?.kind !== "delete") return { record: live, isLoading: false };
  const values: Record<string, Json> = {};
  for (const [name, { before }] of Object.entries(entry.fields)) values[name] = before;
  const nothing = { confirmed: null, version: null, cells: {}, pending: null, problem: null };
  const markedBy = authorName(entry.by);
  const view = { ...nothing, id: record, ...live, values, mark: "deleted" as const, markedBy };
  return { record: view, isLoading: false };
}
