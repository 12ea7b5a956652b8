import { type Field, findField, type Table } from "../../../shared/model/model.ts";
import type { SummaryRow } from "../../../shared/protocol/summary.ts";
import { accountAtom } from "../state/account.ts";
import { store } from "../state/store.ts";
import { type TableCount, tableCountsAtom } from "../state/table-counts.ts";
import { rest } from "../transport/rest.ts";
import { stateCounts } from "./state-counts.ts";

/**
 * Counts beside the names of tables. They orient and are not the truth of a screen: a slow poll
 * while somebody looks is cheap, and a screen that shows a table knows its own total.
 */
const COUNTS_EVERY_MS = 15_000;

/** Keeps the counts current until the returned function is called. */
export function followTableCounts(): () => void {
  const count = () => void countTables();
  count();
  const timer = setInterval(count, COUNTS_EVERY_MS);
  document.addEventListener("visibilitychange", count);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", count);
  };
}

/** Counts anew, as when something is known to have changed. */
async function countTables(): Promise<void> {
  const account = store.get(accountAtom);
  if (account.kind !== "signedIn" || document.hidden) return;
  const counted = await Promise.all(account.desk.model.tables.map(countOf));
  const known = counted.filter((entry) => entry !== null);
  store.set(tableCountsAtom, { ...store.get(tableCountsAtom), ...Object.fromEntries(known) });
}

async function countOf(table: Table): Promise<[string, TableCount] | null> {
  try {
    return [table.name, await (stateField(table) ? countStates(table) : countAll(table))];
  } catch {
    return null;
  }
}

async function countAll(table: Table): Promise<TableCount> {
  const path = `/tables/${encodeURIComponent(table.name)}/records?limit=0`;
  const { total } = await rest<{ total: number }>("GET", path);
  return { all: total, open: null, states: [] };
}

async function countStates(table: Table): Promise<TableCount> {
  const field = stateField(table) as Field;
  const path = `/tables/${encodeURIComponent(table.name)}/summary?group=${encodeURIComponent(field.name)}`;
  const { rows } = await rest<{ rows: SummaryRow[] }>("GET", path);
  return stateCounts(field, rows, table.workflow);
}

/** The state field, where the table has one that I may read. */
function stateField(table: Table): Field | undefined {
  return table.stateField ? findField(table, table.stateField) : undefined;
}
