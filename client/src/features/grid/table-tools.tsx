import { ActionIcon, Stack, Tooltip } from "@mantine/core";
import {
  IconArrowsSort,
  IconFileImport,
  IconLayoutKanban,
  IconListCheck,
  IconTrash,
} from "@tabler/icons-react";
import { useEffect, useMemo, useState } from "react";
import { Link, useSearchParams } from "wouter";
import type { Field, Table } from "../../../../shared/model/model.ts";
import { boardFields } from "../../../../shared/model/view/board-fields.ts";
import { gridMessages as messages } from "../../messages/en/grid.ts";
import { uiMessages } from "../../messages/en/ui.ts";
import { richText } from "../../messages/rich-text.tsx";
import { ExportMenu } from "../../records/export-menu.tsx";
import { importAddress, mayImport } from "../../records/may-import.ts";
import { SortKeys } from "../../records/order/sort-keys.tsx";
import { boardAddress, deletedAddress } from "../../records/record-address.ts";
import { ToolBar } from "../../records/toolbar/tool-bar.tsx";
import { ToolButton } from "../../records/toolbar/tool-button.tsx";
import { ToolLink } from "../../records/toolbar/tool-link.tsx";
import { ToolPopover } from "../../records/toolbar/tool-popover.tsx";
import classes from "../../records/toolbar/toolbar.module.css";
import { UndoButtons } from "../../records/toolbar/undo-buttons.tsx";
import { searchOfView } from "../../records/views/view-address.ts";
import type { ViewPart } from "../../records/views/view-edits.ts";
import { AddButton } from "../../ui/add-button.tsx";
import { filesOf } from "./actions/export-files.ts";
import { insertRecord } from "./actions/record-actions.ts";
import { SELECTING } from "./cards/card-options.ts";
import { FindButton } from "./find/find-bar.tsx";
import type { GridController } from "./grid-controller.ts";
import { GroupMenu } from "./groups/group-menu.tsx";
import { AppearanceMenu } from "./look/appearance-menu.tsx";
import { ColumnsMenu } from "./toolbar/columns-menu.tsx";
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
  const settings = {
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
  const board = `${boardAddress(table.name)}${searchOfView(params)}`;
  return (
    <ToolBar
      label={messages.toolbar()}
      table={table}
      current={current}
      settings={settings}
      search={view.search}
      setShown={setView}
      onClear={onClear}
      fields={fields}
      filtering={screen.filtering}
      onFiltering={screen.setFiltering}
      many
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
      <span className={classes.space} />
      {boardFields(table).length > 0 && (
        <ToolLink icon={IconLayoutKanban} label={messages.board()} href={board} />
      )}
      {mayImport(abilities) && (
        <ToolLink
          icon={IconFileImport}
          label={messages.import()}
          href={importAddress(table.name)}
        />
      )}
      {abilities.export && (
        <ExportMenu files={filesOf(table.name, view, columns.placed)} inToolbar />
      )}
      {grid && <UndoButtons undo={grid.core.undo} table={table.name} />}
      {abilities.history && <DeletedButton table={table} />}
      {abilities.create && (
        <AddButton
          className={classes.new ?? ""}
          size="xs"
          onClick={() => grid && insertRecord(grid)}
        >
          {richText(messages.new({ record: table.recordLabel }), {
            wide: (text) => <span className={classes.wide}>{text}</span>,
          })}
        </AddButton>
      )}
    </ToolBar>
  );
}

/** Link to the records that were deleted. */
function DeletedButton({ table }: { table: Table }) {
  return (
    <Tooltip label={messages.recentlyDeleted()}>
      <ActionIcon
        component={Link}
        href={deletedAddress(table.name)}
        aria-label={messages.recentlyDeleted()}
        size={28}
      >
        <IconTrash size={18} stroke={1.7} aria-hidden="true" />
      </ActionIcon>
    </Tooltip>
  );
}

interface SelectButtonProps {
  grid: GridController;
  /** How many cards are selected. */
  selected: number;
}

/** Starts and ends the selection of cards. A long press on a card starts it as well. */
function SelectButton({ grid, selected }: SelectButtonProps) {
  const [started, setStarted] = useState(false);
  const isSelecting = started || selected > 0;
  useEffect(() => {
    if (selected === 0) setStarted(false);
  }, [selected]);
  useEffect(() => {
    grid.host.toggleAttribute(SELECTING, isSelecting);
    return () => grid.host.removeAttribute(SELECTING);
  }, [grid, isSelecting]);
  const toggle = () => {
    if (isSelecting) grid.api.deselectAll();
    setStarted(!isSelecting);
  };
  return (
    <ToolButton
      icon={IconListCheck}
      label={messages.select()}
      isActive={isSelecting}
      aria-pressed={isSelecting}
      onClick={toggle}
    />
  );
}

interface SortMenuProps {
  fields: readonly Field[];
  sort: readonly string[];
  onSort(sort: string[]): void;
}

/** The button of the sort order with the number of its keys, and a popover that changes them. */
function SortMenu({ fields, sort, onSort }: SortMenuProps) {
  const count = sort.length;
  const [opened, setOpened] = useState(false);
  const toggle = () => setOpened(!opened);
  return (
    <ToolPopover
      opened={opened}
      onOpened={setOpened}
      target={
        <ToolButton
          icon={IconArrowsSort}
          label={uiMessages.sort()}
          count={count}
          onClick={toggle}
        />
      }
      w="min(440px, 96vw)"
    >
      <Stack gap={8} miw={260}>
        <SortKeys fields={fields} sort={sort} onSort={onSort} />
      </Stack>
    </ToolPopover>
  );
}
