import { useCallback, useMemo } from "react";
import { governedBy } from "../../../../shared/model/state-of.ts";
import { useAbilities } from "../../state/use-account.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { boardAddress } from "../../ui/record-address.ts";
import { useViewDeeds } from "../../ui/views/use-view-deeds.ts";
import { ViewConflictDialog } from "../../ui/views/view-conflict-dialog.tsx";
import { ViewMenu } from "../../ui/views/view-menu.tsx";
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
export function TableTools(props: Props) {
  const { table, abilities, view, setView, screen } = props;
  const { desk } = screen;
  const fields = useMemo(() => (desk ? [...desk.fields.values()] : []), [desk]);
  const onSearch = useCallback((search: string) => setView({ search }), [setView]);
  return (
    <Toolbar
      views={<Views {...props} />}
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

/** The views of the table, and what can be done with the one that is shown. */
function Views({ table, abilities, current, view, clearView, screen }: Props) {
  const { columns } = screen;
  const shown = {
    filter: view.filter,
    sort: [...view.sort],
    ...(columns.own && { columns: columns.own }),
  };
  const onClear = () => {
    clearView();
    columns.reset();
  };
  const deeds = useViewDeeds({ table, current, shown, onClear });
  const mayShare = useAbilities().rights.includes("sharedViews");
  return (
    <>
      <ViewMenu
        label={table.label}
        current={current}
        deeds={deeds}
        mayKeep={abilities.views}
        mayShare={mayShare}
        onClear={onClear}
      />
      {current.view && deeds.clashes && (
        <ViewConflictDialog
          view={current.view}
          table={table}
          lookUp={pageLabels()}
          clashes={deeds.clashes}
          onMine={() => void deeds.saveOver()}
          onTheirs={deeds.takeTheirs}
          onClose={deeds.closeClashes}
        />
      )}
    </>
  );
}
