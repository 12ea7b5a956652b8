import { useCallback, useMemo } from "react";
import { useSearchParams } from "wouter";
import { boardFields } from "../../../../shared/model/view/board-fields.ts";
import { importAddress, mayImport } from "../../records/may-import.ts";
import { boardAddress, deletedAddress } from "../../records/record-address.ts";
import { FilterMenu } from "../../records/toolbar/filter-menu.tsx";
import { searchOfView } from "../../records/views/view-address.ts";
import type { ViewPart } from "../../records/views/view-edits.ts";
import { ViewTools } from "../../records/views/view-tools.tsx";
import { filesOf } from "./actions/export-files.ts";
import { insertRecord } from "./actions/record-actions.ts";
import { SelectButton } from "./cards/select-button.tsx";
import { FindButton } from "./find/find-bar.tsx";
import { GroupMenu } from "./groups/group-menu.tsx";
import { AppearanceMenu } from "./look/appearance-menu.tsx";
import { ColumnsMenu } from "./toolbar/columns-menu.tsx";
import { SelectionBar } from "./toolbar/selection-bar.tsx";
import { SortMenu } from "./toolbar/sort-menu.tsx";
import { Toolbar } from "./toolbar/toolbar.tsx";
import type { OpenTableProps, useTableScreen } from "./use-table-screen.ts";

interface Props extends OpenTableProps {
  screen: ReturnType<typeof useTableScreen>;
}

/** The toolbar of a table, with the tools that the user may use. */
export function TableTools(props: Props) {
  const { table, abilities, current, view, groups, setView, clearView, screen } = props;
  const { grid, columns } = screen;
  const [params] = useSearchParams();
  const fields = useMemo(() => (grid ? [...grid.fields.values()] : []), [grid]);
  const onSearch = useCallback((search: string) => setView({ search }), [setView]);
  const shown = {
    filter: view.filter,
    sort: [...view.sort],
    group: view.group,
    grouping: view.grouping,
    appearance: view.appearance ?? {},
    ...(columns.own && { columns: columns.own }),
  };
  const onClear = (parts?: readonly ViewPart[]) => {
    clearView(parts);
    if (parts?.includes("columns") ?? true) columns.reset();
  };
  const views = { table, current, shown, onClear };
  const board = `${boardAddress(table.name)}${searchOfView(params)}`;
  return (
    <Toolbar
      views={<ViewTools {...views} />}
      table={table.name}
      recordLabel={table.recordLabel}
      search={view.search}
      onSearch={onSearch}
      filter={
        <FilterMenu
          fields={fields}
          filter={view.filter}
          opened={screen.filtering}
          onOpened={screen.setFiltering}
          onFilter={(filter) => setView({ filter })}
        />
      }
      board={boardFields(table).length > 0 ? board : null}
      importing={mayImport(abilities) ? importAddress(table.name) : null}
      exporting={abilities.export ? filesOf(table.name, view, columns.placed) : null}
      canCreate={abilities.create}
      onInsert={() => grid && insertRecord(grid)}
      deleted={abilities.history ? deletedAddress(table.name) : null}
      undo={grid?.core.undo}
    >
      <GroupMenu
        table={table}
        fields={fields}
        grouping={view.grouping}
        onGrouping={(grouping) => setView({ grouping })}
        onHideAll={(isHidden) =>
          groups?.hide(isHidden ? (grid?.groups.keys ?? []) : [], grid?.groups.keys ?? [])
        }
      />
      <SortMenu fields={fields} sort={view.sort} onSort={(sort) => setView({ sort })} />
      {grid?.cards && <SelectButton grid={grid} selected={screen.selected} />}
      {grid && !grid.cards && (
        <>
          <ColumnsMenu grid={grid} placed={columns.placed} onReset={columns.reset} />
          <AppearanceMenu
            grid={grid}
            appearance={view.appearance ?? {}}
            onChange={(appearance) => setView({ appearance })}
          />
        </>
      )}
      {grid && <FindButton grid={grid} />}
      {grid && <SelectionBar grid={grid} selected={screen.selected} />}
    </Toolbar>
  );
}
