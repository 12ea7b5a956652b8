import { useCallback, useSyncExternalStore } from "react";
import { tableAtom } from "../../state/table-state.ts";
import { watchAtom } from "../../state/watch-atom.ts";
import { pageCore } from "../../sync/page/page-core.ts";

/** The id of a record that was opened by this one. The server may give a new record another id. */
export function useCurrentId(table: string, record: string): string {
  const subscribe = useCallback(
    (onChange: () => void) => watchAtom(tableAtom(table), onChange),
    [table],
  );
  return useSyncExternalStore(subscribe, () => pageCore().edits.currentId(table, record));
}
