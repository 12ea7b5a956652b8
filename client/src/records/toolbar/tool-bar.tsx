import { ActionIcon } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { type ReactNode, useCallback, useState } from "react";
import type { Field, Table } from "../../../../shared/model/model.ts";
import type { ViewSettings } from "../../../../shared/model/view/view.ts";
import { viewMessages as messages } from "../../messages/en/views.ts";
import { useAbilities } from "../../state/use-account.ts";
import type { CurrentView } from "../views/use-current-view.ts";
import { useViewActions } from "../views/use-view-actions.ts";
import type { ShownView } from "../views/view-address.ts";
import { ViewConflictDialog } from "../views/view-conflict-dialog.tsx";
import type { ViewPart } from "../views/view-edits.ts";
import { ViewMenu } from "../views/view-menu.tsx";
import { FilterMenu } from "./filter-menu.tsx";
import { SearchBox } from "./search-box.tsx";
import classes from "./toolbar.module.css";

interface Props {
  label: string;
  table: Table;
  current: CurrentView;
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
  /** Whether there are many tools, whose names give way earlier. */
  many?: boolean;
  children: ReactNode;
}

/**
 * The tools above rows or cards: view, search and filter, then others. A phone shows these three, and a button for the
 * others.
 */
export function ToolBar(props: Props) {
  const { table, current, settings, setShown } = props;
  const [isExpanded, setExpanded] = useState(false);
  const onSearch = useCallback((search: string) => setShown({ search }), [setShown]);
  return (
    <div
      className={classes.bar}
      data-many={props.many || undefined}
      data-expanded={isExpanded || undefined}
      role="toolbar"
      aria-label={props.label}
    >
      <ViewTools table={table} current={current} shown={settings} onClear={props.onClear} />
      <SearchBox value={props.search} onChange={onSearch} />
      <FilterMenu
        fields={props.fields}
        filter={settings.filter ?? null}
        opened={props.filtering}
        onOpened={props.onFiltering}
        onFilter={(filter) => setShown({ filter })}
      />
      <ActionIcon
        className={classes.more ?? ""}
        size={28}
        aria-label={messages.moreTools()}
        aria-expanded={isExpanded}
        onClick={() => setExpanded(!isExpanded)}
      >
        <IconDots size={18} stroke={1.7} aria-hidden="true" />
      </ActionIcon>
      {props.children}
    </div>
  );
}

interface ViewToolsProps {
  table: Table;
  current: CurrentView;
  /** The settings on the screen, as far as the screen has them. */
  shown: Partial<ViewSettings>;
  /** Discards the unsaved changes, or only those of some parts. */
  onClear(parts?: readonly ViewPart[]): void;
}

/** The views of a table and the actions for the current one. */
function ViewTools({ table, current, shown, onClear }: ViewToolsProps) {
  const actions = useViewActions({ table, current, shown, onClear });
  const { rights, tables } = useAbilities();
  return (
    <>
      <ViewMenu
        label={table.label}
        current={current}
        actions={actions}
        mayOwn={tables[table.name]?.views ?? false}
        mayShare={rights.includes("sharedViews")}
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
