import { useEffect, useState } from "react";
import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import type { TableSession } from "../../sync/feed/followed-tables.ts";
import { setFrontRowList } from "../../sync/page/front-list.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import type { RowList } from "../../sync/rows/row-list.ts";
import type { ViewQuery } from "../../sync/rows/view-query.ts";

export interface OpenTable {
  session: TableSession;
  rowList: RowList;
}

/** Follows a table and opens a row list on it while the screen is mounted. */
export function useOpenTable(table: string, view: ViewQuery): OpenTable | null {
  const [open, setOpen] = useState<OpenTable | null>(null);
  const [first] = useState(() => queryOf(view));
  useEffect(() => {
    const session = pageCore().openTable(table);
    const rowList = session.openRowList(first);
    const leave = setFrontRowList(table, rowList);
    setOpen({ session, rowList });
    return () => {
      leave();
      setOpen(null);
      rowList.close();
      session.close();
    };
  }, [table, first]);
  useEffect(() => {
    if (!open) return;
    const query = queryOf(view);
    if (!deepEqual(open.rowList.view, query)) open.rowList.setView(query);
  }, [open, view]);
  return open;
}

/** What a screen has beside the query, such as colours, reads no rows. */
function queryOf({ filter, sort, search, zone, orderOf }: ViewQuery): ViewQuery {
  return {
    ...{ filter, sort, search },
    ...(zone !== undefined && { zone }),
    ...(orderOf && { orderOf }),
  };
}
