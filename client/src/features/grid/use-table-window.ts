import { useEffect, useState } from "react";
import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import { setFrontWindow } from "../../sync/page/front-window.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import type { RecordWindow, ViewQuery } from "../../sync/window/record-window.ts";
import type { TableSession } from "../../sync/window/table-session.ts";

export interface OpenTable {
  session: TableSession;
  window: RecordWindow;
}

/** Follows a table and opens a window on it while the screen is mounted. */
export function useTableWindow(table: string, view: ViewQuery): OpenTable | null {
  const [open, setOpen] = useState<OpenTable | null>(null);
  const [first] = useState(view);
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
    if (open && !deepEqual(open.window.view, view)) open.window.setView(view);
  }, [open, view]);
  return open;
}
