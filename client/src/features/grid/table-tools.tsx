import { useCallback, useMemo } from "react";
import { governedBy } from "../../../../shared/model/state-of.ts";
import { pageLabels } from "../../sync/page-labels.ts";
import { boardAddress } from "../../ui/record-address.ts";
import { undo } from "./actions/edit-cells.ts";
import { insertRecord } from "./actions/record-actions.ts";
import { FilterMenu } from "./filter/filter-menu.tsx";
import { ColumnsMenu } from "./toolbar/columns-menu.tsx";
import { SelectionBar } from "./toolbar/selection-bar.tsx";
import { Toolbar } from "./toolbar/toolbar.tsx";
import type { OpenTableProps, useTableScreen } from "./use-table-screen.ts";

interface Props extends OpenTableProps {
  screen: ReturnType<typeof useTableScreen>;
}

/** The toolbar of one table, filled with what its person may do. */
export function TableTools({ table, abilities, view, setView, screen }: Props) {
  const { desk } = screen;
  const fields = useMemo(() => (desk ? [...desk.fields.values()] : []), [desk]);
  const onSearch = useCallback((search: string) => setView({ search }), [setView]);
  return (
    <Toolbar
      recordLabel={table.recordLabel}
      search={view.search}
      onSearch={onSearch}
      board={governedBy(table) ? boardAddress(table.name) : null}
      canCreate={abilities.create}
      onInsert={() => desk && insertRecord(desk)}
      undo={desk?.core.undo}
      onUndo={(direction) => desk && void undo(desk, direction)}
    >
      <FilterMenu
        fields={fields}
        filter={view.filter}
        lookUp={pageLabels()}
        opened={screen.filtering}
        onOpened={screen.setFiltering}
        onFilter={(filter) => setView({ filter })}
      />
      {desk && (
        <ColumnsMenu desk={desk} placed={screen.columns.placed} onReset={screen.columns.reset} />
      )}
      {desk && <SelectionBar desk={desk} selected={screen.selected} />}
    </Toolbar>
  );
}
