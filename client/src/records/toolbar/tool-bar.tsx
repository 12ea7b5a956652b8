import { type ReactNode, useCallback } from "react";
import type { Filter } from "../../../../shared/filter/filter.ts";
import type { Field, Table } from "../../../../shared/model/model.ts";
import type { ViewSettings } from "../../../../shared/model/view/view.ts";
import { workOf } from "../../../../shared/model/work-of.ts";
import { filterMessages as messages } from "../../messages/en/filter.ts";
import { useAbilities } from "../../state/use-account.ts";
import type { CurrentView } from "../views/use-current-view.ts";
import { useViewActions, type ViewActions } from "../views/use-view-actions.ts";
import type { ShownView } from "../views/view-address.ts";
import { ViewConflictDialog } from "../views/view-conflict-dialog.tsx";
import type { ViewPart } from "../views/view-edits.ts";
import { SaveViewButton, ViewMenu } from "../views/view-menu.tsx";
import { FilterChips } from "./filter-chips.tsx";
import { FilterMenu } from "./filter-menu.tsx";
import { SearchBox } from "./search-box.tsx";
import { TableOrBoard } from "./table-or-board.tsx";
import classes from "./toolbar.module.css";

interface Props {
  label: string;
  table: Table;
  current: CurrentView;
  /** Whether it is above rows or cards. */
  shownAs: "table" | "board";
  /** The settings on the screen that a view stores. */
  settings: Partial<ViewSettings>;
  search: string;
  setShown(next: Partial<ShownView>): void;
  /** Discards the unsaved changes, or only those of some parts. */
  onClear(parts?: readonly ViewPart[]): void;
  /** Those that the filter may use. */
  fields: readonly Field[];
  /** Whether the filter is open. */
  filtering: boolean;
  onFiltering(isOpen: boolean): void;
  /** Tools of this screen beside the filter. */
  children?: ReactNode;
  /** What is at the end of the bar: undo, rarer tools, and what begins a record. */
  end: ReactNode;
}

/**
 * The tools above rows or cards, in one row at every width: what a button is called gives way first, then the search, which opens over the bar,
 * and undo, which the menu of rarer tools has then. The bar is as wide as the screen also beside an open record, so that nothing in it moves. Below
 * it is what filters the rows.
 */
export function ToolBar(props: Props) {
  const { table, current, settings, setShown, onClear } = props;
  const filter = settings.filter ?? null;
  const onSearch = useCallback((search: string) => setShown({ search }), [setShown]);
  const onFilter = (next: Filter | null) => setShown({ filter: next });
  const { rights, tables } = useAbilities();
  const mayOwn = tables[table.name]?.views ?? false;
  const mayShare = rights.includes("sharedViews");
  const work = workOf(
    table,
    props.fields.map(({ name }) => name),
  );
  const offered = work && {
    label: messages.anyOpen({ field: work.state.label }),
    filter: work.open,
  };
  const actions = useViewActions({ table, current, shown: settings, onClear });
  return (
    <>
      <div className={classes.bar} role="toolbar" aria-label={props.label}>
        <ViewTools {...{ table, current, actions, onClear, mayOwn, mayShare }} />
        <TableOrBoard table={table} shown={props.shownAs} />
        <SearchBox value={props.search} onChange={onSearch} collapses />
        <FilterMenu
          fields={props.fields}
          offered={offered}
          filter={filter}
          opened={props.filtering}
          onOpened={props.onFiltering}
          onFilter={onFilter}
        />
        {props.children}
        <span className={classes.space} />
        <SaveViewButton {...{ actions, mayOwn, mayShare }} view={current.view} />
        {props.end}
      </div>
      <FilterChips
        table={table}
        offered={offered}
        filter={filter}
        onFilter={onFilter}
        onOpen={() => props.onFiltering(true)}
      />
    </>
  );
}

interface ViewToolsProps {
  table: Table;
  current: CurrentView;
  actions: ViewActions;
  mayOwn: boolean;
  mayShare: boolean;
  /** Discards the unsaved changes, or only those of some parts. */
  onClear(parts?: readonly ViewPart[]): void;
}

/** The views of a table and the actions for the current one. */
function ViewTools({ table, current, actions, onClear, mayOwn, mayShare }: ViewToolsProps) {
  return (
    <>
      <ViewMenu
        label={table.label}
        current={current}
        actions={actions}
        mayOwn={mayOwn}
        mayShare={mayShare}
        onClear={() => onClear()}
      />
      {current.view && actions.conflicts && (
        <ViewConflictDialog
          view={current.view}
          table={table}
          conflicts={actions.conflicts}
          onMine={() => void actions.overwrite()}
          onTheirs={actions.takeTheirs}
          onClose={actions.closeConflicts}
        />
      )}
    </>
  );
}
