import { store } from "../../state/store.ts";
import { tableAtom } from "../../state/table-state.ts";
import { pageCore } from "./page-core.ts";

/** However busy a table is, a screen that only sums it up looks again no more often than this. */
const NEWS_AT_MOST_EVERY_MS = 2_000;

/**
 * Follows tables without showing their records: who is on them becomes known, and `onNews` is called
 * when something was committed. Ends with the returned function.
 */
export function followTables(tables: readonly string[], onNews: () => void): () => void {
  const core = pageCore();
  const sessions = tables.map((table) => core.openTable(table));
  let timer: ReturnType<typeof setTimeout> | null = null;
  const soon = () => {
    timer ??= setTimeout(() => {
      timer = null;
      onNews();
    }, NEWS_AT_MOST_EVERY_MS);
  };
  const stops = tables.map((table) => watchPosition(table, soon));
  return () => {
    if (timer) clearTimeout(timer);
    for (const stop of stops) stop();
    for (const session of sessions) session.close();
  };
}

/**
 * Calls back when the table's position moves on. The first one that becomes known is news as well: what was read
 * before it may be older.
 */
function watchPosition(table: string, onMove: () => void): () => void {
  const atom = tableAtom(table);
  let seen = store.get(atom).position?.seq;
  return store.sub(atom, () => {
    const seq = store.get(atom).position?.seq;
    if (seq !== undefined && seq !== seen) onMove();
    seen = seq;
  });
}
