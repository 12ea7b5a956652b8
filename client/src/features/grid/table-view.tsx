import { Box } from "@mantine/core";
import { AgGridReact } from "ag-grid-react";
import { type ReactNode, useCallback, useState } from "react";
import type { CurrentView } from "../../records/views/use-current-view.ts";
import { useShownView } from "../../records/views/use-shown-view.ts";
import { ViewAndPanel } from "../../records/views/view-and-panel.tsx";
import { useAbilities } from "../../state/use-account.ts";
import { AddFieldButton } from "./add-field-button.tsx";
import { Arrival } from "./arrival.tsx";
import { CellEditStatusPopover } from "./cell-edit-status-popover.tsx";
import { CellMenu } from "./cell-menu/cell-menu.tsx";
import { EditorPortal } from "./edit/editor-portal.tsx";
import { addValue } from "./filter/add-condition.ts";
import { FindBar } from "./find/find-bar.tsx";
import { GridStates } from "./grid-states.tsx";
import { GroupHeadings } from "./groups/group-headings.tsx";
import { useGroups } from "./groups/use-groups.ts";
import { LinkCard } from "./links/link-card.tsx";
import { RowsSkeleton } from "./rows-skeleton.tsx";
import { SummaryRow } from "./summary/summary-row.tsx";
import { TableTools } from "./table-tools.tsx";
import classes from "./table-view.module.css";
import { ColumnMenu } from "./toolbar/column-menu.tsx";
import { StatusLine } from "./toolbar/status-line.tsx";
import { WaitingButton } from "./toolbar/waiting-button.tsx";
import { TransitionsPopover } from "./transitions-popover.tsx";
import { useOpenTable } from "./use-open-table.ts";
import { type OpenTableProps, type TableProps, useTableScreen } from "./use-table-screen.ts";

/** A readable table, as the view in the address shows it. */
export function TableView({ panel, ...props }: TableProps & { panel: ReactNode }) {
  return (
    <ViewAndPanel table={props.table} panel={panel} waiting={<RowsSkeleton />}>
      {(current) => <ShownTable {...props} current={current} />}
    </ViewAndPanel>
  );
}

/** Opens a row list on the table by view and address, and updates the address. */
function ShownTable(props: TableProps & { current: CurrentView }) {
  const { table, current } = props;
  const { shown, setShown, clearShown } = useShownView(table, current.view);
  const { query, groups } = useGroups(table, shown);
  const open = useOpenTable(table.name, query);
  return (
    open && (
      <OpenTableView
        {...props}
        open={open}
        view={shown}
        groups={groups}
        setView={setShown}
        clearView={clearShown}
      />
    )
  );
}

/** The grid with everything around it; only the small parts render when something changes. */
function OpenTableView(props: OpenTableProps) {
  const { table, view, groups, setView } = props;
  const screen = useTableScreen(props);
  const { grid } = screen;
  const mayAddFields = useAbilities().rights.includes("model");
  const hasHiddenGroups = (groups?.hidden.length ?? 0) > 0;
  const [isEditingAll, setEditingAll] = useState(false);
  const onEditedAll = useCallback(() => setEditingAll(false), []);
  // While another grid is drawn, the bar keeps the focus and what is typed into it.
  const [searched, setSearched] = useState(grid);
  if (grid && grid !== searched) setSearched(grid);
  return (
    <>
      <TableTools {...props} screen={screen} onEditAll={() => setEditingAll(true)} />
      {searched && <FindBar grid={searched} />}
      {grid && groups && (
        <GroupHeadings grid={grid} groups={groups} placed={screen.columns.placed} view={view} />
      )}
      <Box pos="relative" flex="1" mih={0}>
        {grid && <WaitingButton grid={grid} />}
        <section
          ref={screen.setHost}
          className={classes.grid}
          data-cards={screen.asCards || undefined}
          data-adds={(mayAddFields && !screen.asCards) || undefined}
          aria-label={table.label}
        >
          {screen.mount && (
            <AgGridReact key={screen.mount.key} gridOptions={screen.mount.options} />
          )}
        </section>
        {grid && mayAddFields && <AddFieldButton grid={grid} />}
        {grid && (
          <GridStates
            grid={grid}
            view={view}
            failure={screen.failure}
            onClear={() => setView({ filter: null, search: "" })}
            onReset={() => setView({ filter: null, search: "", sort: table.sort })}
            hasHiddenGroups={hasHiddenGroups}
          />
        )}
      </Box>
      {grid && (
        <SummaryRow
          grid={grid}
          placed={screen.columns.placed}
          view={view}
          onSummary={screen.columns.summarize}
        />
      )}
      {grid && (
        <>
          <StatusLine
            grid={grid}
            current={props.current}
            view={view}
            hasHiddenGroups={hasHiddenGroups}
            selected={screen.selected}
            isEditingAll={isEditingAll}
            onEditedAll={onEditedAll}
          />
          <Arrival grid={grid} />
          <EditorPortal grid={grid} />
          <ColumnMenu
            grid={grid}
            open={screen.columnMenu}
            placed={screen.columns.placed}
            onSummary={screen.columns.summarize}
            onSort={(sort) => setView({ sort })}
            onFilter={screen.filterBy}
            onGroup={(grouping) => setView({ grouping })}
            onClose={screen.closeColumnMenu}
          />
          <CellMenu
            grid={grid}
            open={screen.cellMenu}
            onOpen={screen.setCellMenu}
            onFilter={(field, value) => setView({ filter: addValue(view.filter, field, value) })}
          />
          <LinkCard grid={grid} />
          <TransitionsPopover
            grid={grid}
            record={screen.transitionsFor}
            onClose={screen.closeTransitions}
          />
          <CellEditStatusPopover
            grid={grid}
            open={screen.shownStatus}
            onFocus={screen.focusEditStatus}
            onClose={screen.closeEditStatus}
          />
        </>
      )}
    </>
  );
}
