import { useCallback, useEffect } from "react";
import { pageCore } from "../../sync/page/page-core.ts";

/** Reports the focused card, unless a record is open, whose panel reports it. Returns the function to call for a card. */
export function useReportPresence(table: string, opened: string | null): (record: string) => void {
  useEffect(() => {
    if (!opened) pageCore().presence.set(table, { mode: "viewing" });
    return () => pageCore().presence.leave(table);
  }, [table, opened]);
  return useCallback(
    (record) => {
      if (!opened) pageCore().presence.set(table, { record, mode: "viewing" });
    },
    [table, opened],
  );
}
