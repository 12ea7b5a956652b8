import { useMediaQuery } from "@mantine/hooks";
import { useCallback, useEffect, useState } from "react";
import { useLocation } from "wouter";
import type { Table } from "../../../../shared/model/model.ts";
import { MOVED_MAX_RECORDS } from "../../../../shared/model/view/view.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import type { AdministrativeRight } from "../../../../shared/policy/role.ts";
import { recordAddress } from "../../../../shared/record-address.ts";
import { gridMessages as messages } from "../../messages/en/grid.ts";
import { valueMessages } from "../../messages/en/values.ts";
import { saveValue } from "../../records/fields/field-edit.ts";
import { linkedState } from "../../records/record-trail.ts";
import { type CurrentView, useReportWork } from "../../records/views/use-current-view.ts";
import type { ShownView } from "../../records/views/view-address.ts";
import type { ViewPart } from "../../records/views/view-edits.ts";
import { useAbilities } from "../../state/use-account.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { announce } from "../../ui/announce.ts";
import { formatCount } from "../../ui/numbers.ts";
import { useStable } from "../../ui/use-stable.ts";
import type { OpenEditStatus } from "./cell-edit-status-popover.tsx";
import type { OpenCellMenu } from "./cell-menu/cell-menu.tsx";
import { nextSort } from "./columns/sort-keys.ts";
import { useColumns } from "./columns/use-columns.ts";
import { cellAt } from "./edit/editor-host.ts";
import { addCondition } from "./filter/add-condition.ts";
import type { GridController, Movable, ScreenActions } from "./grid-controller.ts";
import type { Groups } from "./groups/use-groups.ts";
import { takeFocus } from "./rows/grid-focus.ts";
import type { OpenColumnMenu } from "./toolbar/column-menu.tsx";
import { useGridController } from "./use-grid-controller.ts";
import type { OpenTable } from "./use-open-table.ts";

/** A screen on which a table is a list of cards: a phone, also one that lies on its side. */
const PHONE = "(max-width: 600px), (pointer: coarse) and (max-height: 480px)";

export interface TableProps {
  table: Table;
  abilities: TableAbilities;
  record: string | undefined;
}

export interface OpenTableProps extends TableProps {
  /** The saved view that is shown, if any, and the others. */
  current: CurrentView;
  open: OpenTable;
  /** What is on the screen: the saved view, and what was changed on top of it. */
  view: ShownView;
  /** How the rows are grouped; null if they are not. */
  groups: Groups | null;
  setView(next: Partial<ShownView>): void;
  /** All as the saved view has it, or only some parts. */
  clearView(parts?: readonly ViewPart[]): void;
}

/** The open menus and popovers around a grid, and the grid once it is mounted. */
export function useTableScreen(props: OpenTableProps) {
  const { table, abilities, record, current, open, view, setView } = props;
  const [host, setHost] = useState<HTMLElement | null>(null);
  const [selected, setSelected] = useState(0);
  const [filtering, setFiltering] = useState(false);
  const [columnMenu, setColumnMenu] = useState<OpenColumnMenu | null>(null);
  const [cellMenu, setCellMenu] = useState<OpenCellMenu | null>(null);
  const [openStatus, setOpenStatus] = useState<OpenEditStatus | null>(null);
  const [transitionsFor, setTransitionsFor] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [, navigate] = useLocation();
  const asCards = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false }) ?? false;
  const appearance = useStable(view.appearance ?? {});
  const { rights } = useAbilities();
  const columns = useColumns(table, abilities.fields, current.view);
  const actions: ScreenActions = {
    openRecord: (id, linked) =>
      navigate(`${recordAddress(table.name, id)}${location.search}`, {
        state: linked ? linkedState(linked) : null,
      }),
    goTo: navigate,
    showEditStatus: (id, field, hasFocus) =>
      setOpenStatus({ record: id, field, focus: hasFocus ? "status" : "cell" }),
    showNewConflict: (id, field) => {
      const state = grid?.rowList.get(id)?.cells[field];
      if (state?.kind !== "conflict") return;
      const author = state.by?.name ?? valueMessages.someoneElse();
      announce(messages.conflict({ author }));
      // A cell of several conflicts, as those of a paste, is found by its mark.
      if (grid?.cells.find(id, field))
        setOpenStatus((shown) => shown ?? { record: id, field, focus: "elsewhere" });
    },
    showTransitions: setTransitionsFor,
    sortBy: (field, add) => setView({ sort: nextSort(view.sort, field, add) }),
    openColumnMenu: (field, at) => setColumnMenu({ field, at }),
    movable: () => movable(props, rights),
    setCell: (row, field, value) => {
      const base = row.values[field.name] ?? null;
      if (grid) saveValue(cellAt(grid, row.id, field), base, value);
    },
  };
  const { grid, mount, keys } = useGridController(host, {
    table,
    abilities,
    open,
    labels: pageLabels(),
    placed: columns.placed,
    asCards,
    arrangement: columns.arrangement,
    appearance,
    opened: record,
    isMenuOpen: cellMenu !== null,
    actions,
    hooks: { onSelection: setSelected, onColumns: columns.readFromGrid, onFailure: setFailure },
  });
  useArrowsIntoRows(grid);
  // Also while another grid is drawn, as after a publication.
  useReportWork(current, () => keys.isInGrid || (grid !== null && isAtWork(grid)));
  const shown = JSON.stringify([view.filter, view.search]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another view the selected rows may not be on the screen.
  useEffect(() => {
    grid?.api.deselectAll();
    // Another grid has none from the start, and says nothing of it.
    setSelected(0);
  }, [grid, shown]);
  return {
    grid,
    asCards,
    mount,
    setHost,
    columns,
    selected,
    failure,
    filtering,
    setFiltering,
    cellMenu,
    setCellMenu,
    columnMenu,
    closeColumnMenu: () => setColumnMenu(null),
    filterBy: (field: string) => {
      setView({ filter: addCondition(view.filter, field) });
      setFiltering(true);
    },
    shownStatus: openStatus,
    transitionsFor,
    closeTransitions: useCallback(() => setTransitionsFor(null), []),
    focusEditStatus: useCallback(
      () => setOpenStatus((open) => open && { ...open, focus: "status" }),
      [],
    ),
    closeEditStatus: useCallback(() => setOpenStatus(null), []),
  };
}

/** Whether the rows on the screen can be moved by hand, and if not, why. The server decides by the stored view and all its records. */
function movable(
  { table, abilities, current, view, groups, open }: OpenTableProps,
  rights: readonly AdministrativeRight[],
): Movable {
  const saved = current.view;
  if (!saved) return { view: null, reason: messages.moveNeedsView() };
  const noRight = messages.moveNeedsRight({ table: table.label.toLowerCase() });
  const mayChange = saved.shared ? rights.includes("sharedViews") : abilities.views;
  if (!mayChange) return { view: null, reason: noRight };
  const { total, totalExact } = open.rowList.status;
  const isTooLong = total > MOVED_MAX_RECORDS || !totalExact;
  const isSorted = view.sort.length > 0 || saved.sort.length > 0;
  const reasons = [
    isSorted && messages.moveNeedsNoSort(),
    groups !== null && messages.moveNeedsNoGroups(),
    isTooLong && messages.moveNeedsFewer({ limit: formatCount(MOVED_MAX_RECORDS) }),
  ];
  return { view: saved, reason: reasons.find((reason) => reason !== false) ?? null };
}

/**
 * Whether the user is at work in the rows as they are, also without the cursor: a cell is edited, rows are ticked, or the find bar is about to
 * replace in what it has counted. (A pointer that only passes is not: what waits then would wait until it is asked for.)
 */
function isAtWork({ api, editors, find }: GridController): boolean {
  if (editors.isOpen || find.state().isOpen) return true;
  return !api.isDestroyed() && api.getSelectedNodes().length > 0;
}

/** The arrow down leads into the rows from where a table is opened: the navigation, or a page that has just been loaded. */
function useArrowsIntoRows(grid: GridController | null): void {
  useEffect(() => {
    if (!grid || grid.cards) return;
    const onKey = (event: KeyboardEvent) => {
      const { activeElement: at } = document;
      const isBefore = at === document.body || at?.localName === "main" || at?.closest("nav");
      const isOther = event.key !== "ArrowDown" || event.shiftKey || event.altKey;
      if (isOther || !isBefore || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
      event.preventDefault();
      takeFocus(grid);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [grid]);
}
