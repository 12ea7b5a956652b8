import { Button } from "@mantine/core";
import { IconStack2 } from "@tabler/icons-react";
import { AgGridReact } from "ag-grid-react";
import { useCallback, useMemo } from "react";
import { useSearchParams } from "wouter";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { viewDoor } from "../../sync/calls/views.ts";
import type { ViewQuery } from "../../sync/window/record-window.ts";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";
import { type CurrentView, useCurrentView } from "../../ui/views/use-current-view.ts";
import { CellStoryPopover } from "./cell-story-popover.tsx";
import { EditorPortal } from "./edit/editor-portal.tsx";
import { GridStates } from "./grid-states.tsx";
import { MovesPopover } from "./moves-popover.tsx";
import { RowsSkeleton } from "./rows-skeleton.tsx";
import { TableTools } from "./table-tools.tsx";
import classes from "./table-view.module.css";
import { ColumnMenu } from "./toolbar/column-menu.tsx";
import { StatusLine } from "./toolbar/status-line.tsx";
import { WaitingButton } from "./toolbar/waiting-button.tsx";
import { type OpenTableProps, type TableProps, useTableScreen } from "./use-table-screen.ts";
import { useTableWindow } from "./use-table-window.ts";
import { keepView, readView, type ShownFirst, writeView } from "./view-address.ts";

/** A readable table, as the view in the address shows it; one that goes away leaves what it showed. */
export function TableView(props: TableProps) {
  const { table } = props;
  const [, setParams] = useSearchParams();
  const current = useCurrentView(viewDoor, table.name, (gone: ViewInfo) => {
    setParams((now) => keepView(now, gone, table), { replace: true });
    toast(`The view “${gone.name}” is no longer there. What it showed stays until you leave.`);
  });
  return (
    <div className={classes.screen}>
      <div className={classes.main}>
        {current.phase === "known" && <ShownTable {...props} current={current} />}
        {current.phase === "waiting" && <RowsSkeleton />}
        {current.phase === "missing" && (
          <Notice
            icon={<IconStack2 size={28} stroke={1.5} />}
            title="There is no such view"
            text="It was deleted, it is somebody’s own, or it shows what your role does not include."
          >
            <Button variant="light" onClick={() => current.choose(null)}>
              All {table.label.toLowerCase()}
            </Button>
          </Notice>
        )}
      </div>
      {props.panel}
    </div>
  );
}

/** Opens the window of the table as view and address ask, and keeps the address in step. */
function ShownTable(props: TableProps & { current: CurrentView }) {
  const { table, current } = props;
  const [params, setParams] = useSearchParams();
  const first: ShownFirst = useMemo(
    () => current.view ?? { filter: null, sort: table.sort },
    [current.view, table],
  );
  const view = useMemo(() => readView(params, first), [params, first]);
  const setView = useCallback(
    (next: Partial<ViewQuery>) =>
      setParams((now) => writeView(now, { ...readView(now, first), ...next }, first), {
        replace: true,
      }),
    [setParams, first],
  );
  const clearView = useCallback(() => setView(first), [setView, first]);
  const open = useTableWindow(table.name, view);
  return (
    open && (
      <OpenTableView {...props} open={open} view={view} setView={setView} clearView={clearView} />
    )
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
