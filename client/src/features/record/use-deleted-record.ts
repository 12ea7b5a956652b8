import type { Json } from "../../../../shared/filter/filter.ts";
import type { RecordView } from "../../state/record-view.ts";
import { authorName } from "../../ui/author-name.ts";
import { useHistory } from "./history/use-history.ts";

/**
 * A record that is not there any more, with the values that it had when it was deleted, as far as its history shows
 * them to the user. Null if there is none, or as long as that is not known.
 */
export function useDeletedRecord(
  table: string,
  record: string,
  isMissing: boolean,
): { record: RecordView | null; isLoading: boolean } {
  const history = useHistory(table, record, null, isMissing);
  const [last] = history.kind === "shown" ? history.entries : [];
  if (!isMissing || last?.kind !== "delete") {
    return { record: null, isLoading: isMissing && history.kind === "loading" };
  }
  const values: Record<string, Json> = {};
  for (const [name, { before }] of Object.entries(last.fields)) values[name] = before;
  const view: RecordView = {
    ...{ id: record, values, confirmed: null, version: null, cells: {}, pending: null },
    ...{ problem: null, mark: "deleted", markedBy: authorName(last.by) },
  };
  return { record: view, isLoading: false };
}
