import { store } from "../../state/store.ts";
import { tableAtom } from "../../state/table-state.ts";
import { pageCore } from "./page-core.ts";

/** However busy a table is, a screen that only sums it up looks again no more often than this. */
const NOTIFY_INTERVAL_MS = 2_000;

/**
 * Follows tables without showing their records: their presence becomes known, and `onChange` is
 * called after each commit. The returned function ends it.
 */
export function followTables(tables: readonly string[], onChange: () => void): () => void {
  const core = pageCore();
  const sessions = tables.map((table) => core.openTable(table));
  let timer: ReturnType<typeof setTimeout> | null = null;
  const notifySoon = () => {
    timer ??= setTimeout(() => {
      timer = null;
      onChange();
    }, NOTIFY_INTERVAL_MS);
  };
  const stops = tables.map((table) => watchPosition(table, notifySoon));
  return () => {
    if (timer) clearTimeout(timer);
    for (const stop of stops) stop();
    for (const session of sessions) session.close();
  };
}

/**
 * Calls back when the table's position advances, and for the first known position as well: whatever was read
 * before may be older.
 */
function watchPosition(table: string, onAdvance: () => void): () => void {
  const atom = tableAtom(table);
  let lastSeq = store.get(atom).position?.seq;
  return store.sub(atom, () => {
    const seq = store.get(atom).position?.seq;
    if (seq !== undefined && seq !== lastSeq) onAdvance();
    lastSeq = seq;
  });
}
