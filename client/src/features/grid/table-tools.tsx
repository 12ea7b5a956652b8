import { Menu, Stack } from "@mantine/core";
import {
  IconBrush,
  IconFileImport,
  IconListCheck,
  IconPencil,
  IconSearch,
  IconSortAscending,
  IconSortDescending,
  IconTrash,
} from "@tabler/icons-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { Link } from "wouter";
import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import { readSortKey } from "../../../../shared/filter/sort-key.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { bulkEditMessages } from "../../messages/en/bulk-edit.ts";
import { findMessages } from "../../messages/en/find.ts";
import { gridMessages as messages } from "../../messages/en/grid.ts";
import { lookMessages } from "../../messages/en/look.ts";
import { uiMessages } from "../../messages/en/ui.ts";
import { richText } from "../../messages/rich-text.tsx";
import { type ExportFile, ExportSubMenu } from "../../records/export-menu.tsx";
import { importAddress, mayImport } from "../../records/may-import.ts";
import { SortKeys } from "../../records/order/sort-keys.tsx";
import { deletedAddress } from "../../records/record-address.ts";
import { MoreMenu } from "../../records/toolbar/more-menu.tsx";
import { OtherPlaceItem } from "../../records/toolbar/table-or-board.tsx";
import { ToolBar } from "../../records/toolbar/tool-bar.tsx";
import { ToolButton } from "../../records/toolbar/tool-button.tsx";
import classes from "../../records/toolbar/toolbar.module.css";
import { UndoButtons } from "../../records/toolbar/undo-buttons.tsx";
import type { ViewPart } from "../../records/views/view-edits.ts";
import { AddButton } from "../../ui/add-button.tsx";
import { TitledPopover } from "../../ui/titled-popover.tsx";
import { filesOf } from "./actions/export-files.ts";
import { insertRecord } from "./actions/record-actions.ts";
import { bulkChoices } from "./bulk/bulk-choices.ts";
import { SELECTING } from "./cards/card-options.ts";
import type { GridController } from "./grid-controller.ts";
import { GroupMenu } from "./groups/group-menu.tsx";
import { AppearancePopover } from "./look/appearance-menu.tsx";
import { ColumnsMenu } from "./toolbar/columns-menu.tsx";
import type { OpenTableProps, useTableScreen } from "./use-table-screen.ts";

interface Props extends OpenTableProps {
  screen: ReturnType<typeof useTableScreen>;
  /** Opens the dialog that edits all records of the view. */
  onEditAll(): void;
}

/** The toolbar of a table, with the tools that the user may use. */
export function TableTools(props: Props) {
  const { table, abilities, current, view, groups, setView, clearView, screen } = props;
  const { grid, columns } = screen;
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
  return (
    <ToolBar
      label={messages.toolbar()}
      table={table}
      current={current}
      shownAs="table"
      settings={settings}
      search={view.search}
      setShown={setView}
      onClear={onClear}
      fields={fields}
      filtering={screen.filtering}
      onFiltering={screen.setFiltering}
      end={
        <>
          {grid && <UndoButtons undo={grid.core.undo} table={table.name} />}
          {grid && (
            <RareTools
              {...props}
              grid={grid}
              files={abilities.export ? filesOf(table.name, view, columns.placed) : []}
            />
          )}
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
        </>
      }
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
      <SortMenu
        fields={fields}
        sort={view.sort}
        usual={table.sort}
        onSort={(sort) => setView({ sort })}
      />
      {grid?.cards && <SelectButton grid={grid} selected={screen.selected} />}
      {grid && !grid.cards && (
        <ColumnsMenu grid={grid} placed={columns.placed} onReset={columns.reset} />
      )}
    </ToolBar>
  );
}

interface RareProps extends OpenTableProps {
  grid: GridController;
  onEditAll(): void;
  /** None for a user who may not export. */
  files: ExportFile[];
}

/** The rarer tools, by their names. */
function RareTools({ grid, table, abilities, view, setView, files, onEditAll }: RareProps) {
  const [isLookOpen, setLookOpen] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  const setLook = (isOpen: boolean) => {
    setLookOpen(isOpen);
    if (!isOpen) place.current?.querySelector("button")?.focus();
  };
  const icon = { size: 16, "aria-hidden": true } as const;
  return (
    <span ref={place} className={classes.rare}>
      {!grid.cards && (
        <AppearancePopover
          grid={grid}
          appearance={view.appearance ?? {}}
          onChange={(appearance) => setView({ appearance })}
          opened={isLookOpen}
          onOpened={setLook}
        />
      )}
      <MoreMenu
        undo={grid.core.undo}
        table={table.name}
        narrow={<OtherPlaceItem table={table} shown="table" />}
      >
        <Menu.Item leftSection={<IconSearch {...icon} />} onClick={() => grid.find.open()}>
          {abilities.update.length > 0 ? findMessages.findAndReplace() : findMessages.find()}
        </Menu.Item>
        {!grid.cards && (
          <Menu.Item leftSection={<IconBrush {...icon} />} onClick={() => setLook(true)}>
            {lookMessages.appearance()}
          </Menu.Item>
        )}
        {bulkChoices(table, abilities).length > 0 && (
          <Menu.Item leftSection={<IconPencil {...icon} />} onClick={onEditAll}>
            {bulkEditMessages.editAll()}
          </Menu.Item>
        )}
        {(mayImport(abilities) || files.length > 0) && <Menu.Divider />}
        {mayImport(abilities) && (
          <Menu.Item
            component={Link}
            href={importAddress(table.name)}
            leftSection={<IconFileImport {...icon} />}
          >
            {messages.import()}
          </Menu.Item>
        )}
        {files.length > 0 && <ExportSubMenu files={files} />}
        {abilities.history && (
          <>
            <Menu.Divider />
            <Menu.Item
              component={Link}
              href={deletedAddress(table.name)}
              leftSection={<IconTrash {...icon} />}
            >
              {messages.recentlyDeleted()}
            </Menu.Item>
          </>
        )}
      </MoreMenu>
    </span>
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
      aria-pressed={isSelecting}
      onClick={toggle}
    />
  );
}

interface SortMenuProps {
  fields: readonly Field[];
  sort: readonly string[];
  /** That of the table. */
  usual: readonly string[];
  onSort(sort: string[]): void;
}

/** The button of the sort order, which says its first key, and a popover that changes it. */
function SortMenu({ fields, sort, usual, onSort }: SortMenuProps) {
  const [opened, setOpened] = useState(false);
  const [first] = sort;
  const key = first === undefined ? null : readSortKey(first);
  const label = fields.find(({ name }) => name === key?.field)?.label ?? key?.field;
  const value =
    sort.length > 1 ? messages.andMore({ field: label ?? "", count: sort.length - 1 }) : label;
  return (
    <TitledPopover
      opened={opened}
      onOpened={setOpened}
      title={uiMessages.sort()}
      wide
      target={
        <ToolButton
          icon={key?.descending ? IconSortDescending : IconSortAscending}
          label={uiMessages.sort()}
          value={value}
          usual={deepEqual(sort, usual)}
          onClick={() => setOpened(!opened)}
        />
      }
    >
      <Stack gap={8}>
        <SortKeys fields={fields} sort={sort} onSort={onSort} />
      </Stack>
    </TitledPopover>
  );
}
