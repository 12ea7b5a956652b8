import { store } from "../../state/store.ts";
import { tableAtom } from "../../state/table-state.ts";
import { pageCore } from "./page-core.ts";

/** However busy a table is, a screen that only sums it up looks again no more often than this. */
const NOTIFY_INTERVAL_MS = 2_000;

/**
 * Follows tables without showing their records: who is on them becomes known, and `onNews` is called
 * when something was committed. Ends with the returned function.
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
 * Calls back when the table's position moves on. The first one that becomes known is news as well: what was read
 * before it may be older.
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
