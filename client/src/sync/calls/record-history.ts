import type { HistoryEntry } from "../../../../shared/protocol/history.ts";
import { rest } from "../../transport/rest.ts";

/** What happened to a record, newest first, as far as I may see it. */
export async function readHistory(table: string, record: string): Promise<HistoryEntry[]> {
  const path = `/tables/${encodeURIComponent(table)}/records/${encodeURIComponent(record)}/history`;
  const { items } = await rest<{ items: HistoryEntry[] }>("GET", path);
  return items.toSorted((a, b) => b.seq - a.seq);
}

/** Brings a deleted record back with the values it had. */
export async function restoreRecord(table: string, record: string): Promise<void> {
  const path = `/tables/${encodeURIComponent(table)}/records/${encodeURIComponent(record)}/restore`;
  await rest("POST", path, {});
}
