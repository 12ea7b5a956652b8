import { useEffect, useState } from "react";
import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import type { TableSession } from "../../sync/feed/followed-tables.ts";
import { setFrontWindow } from "../../sync/page/front-window.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import type { RecordWindow } from "../../sync/window/record-window.ts";
import type { ViewQuery } from "../../sync/window/view-query.ts";

export interface OpenTable {
  session: TableSession;
  window: RecordWindow;
}

/** Follows a table and opens a window on it while the screen is mounted. */
export function useTableWindow(table: string, view: ViewQuery): OpenTable | null {
  const [open, setOpen] = useState<OpenTable | null>(null);
  const [first] = useState(() => queryOf(view));
  useEffect(() => {
    const session = pageCore().openTable(table);
    const window = session.openWindow(first);
    const leave = setFrontWindow(table, window);
    setOpen({ session, window });
    return () => {
      leave();
      setOpen(null);
      window.close();
      session.close();
    };
  }, [table, first]);
  useEffect(() => {
    if (!open) return;
    const query = queryOf(view);
    if (!deepEqual(open.window.view, query)) open.window.setView(query);
  }, [open, view]);
  return open;
}

/** What a screen has beside the query, such as colours, reads no rows. */
function queryOf({ filter, sort, search, zone }: ViewQuery): ViewQuery {
  return { filter, sort, search, ...(zone !== undefined && { zone }) };
}
