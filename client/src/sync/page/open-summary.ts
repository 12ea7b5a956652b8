import { store } from "../../state/store.ts";
import { readSummary, type SummaryQuery } from "../calls/summary.ts";
import { systemClock } from "../clock.ts";
import type { TableSession } from "../feed/followed-tables.ts";
import { ViewSummary } from "../rows/view-summary.ts";

/** Follows a summary of a table until it is closed; with `quietMs` only while changes rest. */
export function openSummary(
  session: TableSession,
  table: string,
  query: SummaryQuery,
  quietMs?: number,
): ViewSummary {
  const read = (of: SummaryQuery) => readSummary(table, of);
  return new ViewSummary({ session, clock: systemClock, store, read, quietMs }, query);
}
