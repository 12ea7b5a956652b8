import { AgGridReact } from "ag-grid-react";
import { useCallback, useMemo } from "react";
import { useSearchParams } from "wouter";
import type { ViewQuery } from "../../sync/record-window.ts";
import { CellStoryPopover } from "./cell-story-popover.tsx";
import { EditorPortal } from "./edit/editor-portal.tsx";
import { GridStates } from "./grid-states.tsx";
import { MovesPopover } from "./moves-popover.tsx";
import { TableTools } from "./table-tools.tsx";
import classes from "./table-view.module.css";
import { ColumnMenu } from "./toolbar/column-menu.tsx";
import { StatusLine } from "./toolbar/status-line.tsx";
import { WaitingButton } from "./toolbar/waiting-button.tsx";
import { type OpenTableProps, type TableProps, useTableScreen } from "./use-table-screen.ts";
import { useTableWindow } from "./use-table-window.ts";
import { readView, writeView } from "./view-address.ts";

/** A readable table: opens its window as the address asks and keeps the address in step. */
export function TableView(props: TableProps) {
  const { table } = props;
  const [params, setParams] = useSearchParams();
  const view = useMemo(() => readView(params, table.sort), [params, table]);
  const setView = useCallback(
    (next: Partial<ViewQuery>) =>
      setParams((now) => writeView(now, { ...readView(now, table.sort), ...next }, table.sort), {
        replace: true,
      }),
    [setParams, table],
  );
  const open = useTableWindow(table.name, view);
  return (
    <div className={classes.screen}>
      <div className={classes.main}>
        {open && <OpenTableView {...props} open={open} view={view} setView={setView} />}
      </div>
      {props.panel}
    </div>
  );
}

/** The grid with everything around it; only the small parts render when something changes. */
function OpenTableView(props: OpenTableProps) {
  const { table, view, setView } = props;
  const screen = useTableScreen(props);
  const { desk } = screen;
  return (
    <>
      <TableTools {...props} screen={screen} />
      <div className={classes.stage}>
        {desk && <WaitingButton desk={desk} />}
        <section ref={screen.setHost} className={classes.grid} aria-label={table.label}>
          {screen.mount && (
            <AgGridReact key={screen.mount.key} gridOptions={screen.mount.options} />
          )}
        </section>
        {desk && (
          <GridStates
            desk={desk}
            view={view}
            failure={screen.failure}
            onClear={() => setView({ filter: null, search: "" })}
          />
        )}
      </div>
      {desk && (
        <>
          <StatusLine desk={desk} selected={screen.selected} />
          <EditorPortal host={desk.editors} lookUp={desk.labels} />
          <ColumnMenu
            desk={desk}
            open={screen.columnMenu}
            onSort={(sort) => setView({ sort })}
            onFilter={screen.filterBy}
            onClose={screen.closeColumnMenu}
          />
          <MovesPopover desk={desk} record={screen.moved} onClose={screen.closeMoves} />
          <CellStoryPopover desk={desk} told={screen.told} onClose={screen.closeStory} />
        </>
      )}
    </>
  );
}
