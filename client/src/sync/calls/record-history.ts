import type { HistoryEntry } from "../../../../shared/protocol/records.ts";
import { rest } from "../../transport/rest/rest.ts";
import { isTooManyBytes } from "../records/page-reader.ts";

/** How far back the history in the panel goes; the activity goes on. */
const HISTORY_LIMIT = 100;

/** What happened to a record, newest first, as far as I may see it. Large values are read a few changes at a time. */
export async function readHistory(table: string, record: string): Promise<HistoryEntry[]> {
  const found: HistoryEntry[] = [];
  for (let [limit, left] = [HISTORY_LIMIT, HISTORY_LIMIT]; left > 0; ) {
    const before = found.at(-1)?.seq;
    const page = await rest("GET /tables/{table}/records/{id}/history", {
      params: { table, id: record },
      query: { limit, before },
    }).catch((error: unknown) => {
      if (!isTooManyBytes(error) || limit === 1) throw error;
      return null;
    });
    if (!page) {
      limit = Math.floor(limit / 2);
      continue;
    }
    found.push(...page.items.toSorted((a, b) => b.seq - a.seq));
    left -= limit;
    limit = Math.min(limit, left);
    if (page.items.length === 0) break;
  }
  return found;
}
