import type { HistoryEntry } from "../../../../shared/protocol/history.ts";
import { rest } from "../../transport/rest/rest.ts";

/** How far back the history in the panel goes; the activity goes on. */
const HISTORY_LIMIT = 100;

/** What happened to a record, newest first, as far as I may see it. */
export async function readHistory(table: string, record: string): Promise<HistoryEntry[]> {
  const { items } = await rest("GET /tables/{table}/records/{id}/history", {
    params: { table, id: record },
    query: { limit: HISTORY_LIMIT },
  });
  return items.toSorted((a, b) => b.seq - a.seq);
}
