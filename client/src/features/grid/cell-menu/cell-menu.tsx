import { Menu, Text } from "@mantine/core";
import {
  IconArrowBarDown,
  IconArrowBarToDown,
  IconArrowBarToUp,
  IconArrowDown,
  IconArrowsMoveVertical,
  IconArrowUp,
  IconArrowUpRight,
  IconClipboard,
  IconCopy,
  IconCopyPlus,
  IconCut,
  IconEraser,
  IconFilter,
  IconLink,
  IconMaximize,
  IconTrash,
} from "@tabler/icons-react";
import { type ReactNode, useEffect } from "react";
import type { Json } from "../../../../../shared/filter/filter.ts";
import { isOrdered } from "../../../../../shared/filter/ordering.ts";
import { kindOfType, traitsOf } from "../../../../../shared/model/field-types.ts";
import { recordAddress } from "../../../../../shared/record-address.ts";
import { cellMenuMessages as messages } from "../../../messages/en/cell-menu.ts";
import { copyText } from "../../../ui/copy-text.ts";
import { SubMenu } from "../../../ui/sub-menu.tsx";
import { copyRange } from "../actions/copy-range.ts";
import { clearRange, deleteInRange, fillRows, recordsInRange } from "../actions/range-actions.ts";
import { deleteRecords, duplicateRecords, selectedRecords } from "../actions/record-actions.ts";
import { lockedCellReason } from "../edit/locked-cell.ts";
import type { GridController } from "../grid-controller.ts";
import { commandOf } from "../keys/key-commands.ts";
import { rowOfHandle, selectRow } from "../keys/select-lines.ts";
import { linkedPlace } from "../links/linked-place.ts";
import { moveSelected } from "../move/movable-rows.ts";
import type { Direction } from "../move/move-rows.ts";
import { rowOfRecord } from "../range/row-map.ts";
import { focusCell, focusedCell, returnFocus } from "../rows/grid-focus.ts";
import { pasteFromMenu } from "./paste-from-menu.ts";

interface Props {
  grid: GridController;
  /** The cell whose menu is open; null for none. */
  open: OpenCellMenu | null;
  onOpen(menu: OpenCellMenu | null): void;
  onFilter(field: string, value: Json): void;
}

/** The menu of a cell: what can be done with the range, and with its records. */
export function CellMenu({ grid, open, onOpen, onFilter }: Props) {
  useEffect(() => listenCellMenu(grid, onOpen), [grid, onOpen]);
  if (!open) return null;
  const close = () => {
    onOpen(null);
    returnFocus(grid);
  };
  const { left, top } = open.at;
  const label = grid.fields.get(open.field)?.label ?? open.field;
  return (
    <Menu opened onClose={close} position="bottom-start" returnFocus={false} withinPortal>
      <Menu.Target>
        <button
          type="button"
          aria-label={messages.menu({ field: label })}
          tabIndex={-1}
          style={{ position: "fixed", left, top, width: 1, height: 1, opacity: 0 }}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={messages.menu({ field: label })}>
        <ReadOnlyReason grid={grid} {...open} />
        <RangeItems grid={grid} open={open} onFilter={onFilter} />
        <Menu.Divider />
        <RecordItems grid={grid} {...open} />
      </Menu.Dropdown>
    </Menu>
  );
}

const item = (label: string, icon: ReactNode, onClick: () => unknown, color?: string) => (
  <Menu.Item leftSection={icon} onClick={() => void onClick()} {...(color && { c: color })}>
    {label}
  </Menu.Item>
);

/** Why the cell can't be edited. With a finger there is no other place to read it before one tries. */
function ReadOnlyReason({ grid, record, field }: { grid: GridController } & OpenCellMenu) {
  const [shown, of] = [grid.rowList.get(record), grid.fields.get(field)];
  const reason = shown && of ? lockedCellReason(grid, of, shown) : null;
  return reason !== null && <Menu.Label maw={320}>{reason}</Menu.Label>;
}

function RangeItems({ grid, open, onFilter }: Omit<Props, "onOpen"> & { open: OpenCellMenu }) {
  const { record, field } = open;
  const type = grid.fields.get(field)?.type;
  const value = grid.rowList.get(record)?.values[field] ?? null;
  const isWritable = grid.abilities.update.length > 0;
  const isFilterable =
    type !== undefined && isOrdered(kindOfType[type]) && !traitsOf(type).hasLines;
  return (
    <>
      {item(messages.copy(), <IconCopy size={16} />, () => copyRange(grid, false))}
      {isWritable && (
        <>
          {item(messages.cut(), <IconCut size={16} />, () => copyRange(grid, true))}
          {item(messages.paste(), <IconClipboard size={16} />, () => pasteFromMenu(grid))}
          {item(messages.clear(), <IconEraser size={16} />, () => clearRange(grid))}
          {item(messages.fill(), <IconArrowBarDown size={16} />, () => fillRows(grid))}
        </>
      )}
      {isFilterable &&
        item(
          value === null ? messages.filterEmpty() : messages.filter(),
          <IconFilter size={16} />,
          () => onFilter(field, value),
        )}
    </>
  );
}

function RecordItems({ grid, record, field }: { grid: GridController } & OpenCellMenu) {
  const { abilities, actions, range, table } = grid;
  const linked = linkedPlace(grid, grid.rowList.get(record), field);
  const ticked = selectedRecords(grid);
  const isTicked = ticked.some(({ id }) => id === record);
  const count = isTicked ? ticked.length : range.recordCount;
  const link = () =>
    copyText(`${location.origin}${recordAddress(table.name, record)}`, messages.linkCopied());
  return (
    <>
      {item(messages.open(), <IconMaximize size={16} />, () => actions.openRecord(record))}
      {linked &&
        item(messages.openLinked(), <IconArrowUpRight size={16} />, () =>
          actions.openRecord(record, linked),
        )}
      {item(messages.copyLink(), <IconLink size={16} />, link)}
      {abilities.create &&
        item(messages.duplicate({ count }), <IconCopyPlus size={16} />, () =>
          isTicked
            ? duplicateRecords(grid, ticked)
            : recordsInRange(grid, (all) => duplicateRecords(grid, all)),
        )}
      <MoveItems grid={grid} />
      {abilities.delete &&
        item(
          messages.delete({ count }),
          <IconTrash size={16} />,
          () =>
            isTicked
              ? deleteRecords(
                  grid,
                  ticked.map(({ id }) => id),
                )
              : deleteInRange(grid),
          "var(--wf-bad)",
        )}
    </>
  );
}

/** Moves the selected rows by hand, or says why they can't be moved in this view. */
function MoveItems({ grid }: { grid: GridController }) {
  const { view, reason } = grid.actions.movable();
  if (!view) return null;
  if (reason !== null) {
    return (
      <Menu.Item disabled leftSection={<IconArrowsMoveVertical size={16} />} maw={320}>
        {messages.move()}
        <Text size="xs">{reason}</Text>
      </Menu.Item>
    );
  }
  const to = (label: string, icon: ReactNode, direction: Direction) =>
    item(label, icon, () => moveSelected(grid, direction));
  return (
    <SubMenu label={messages.move()} icon={<IconArrowsMoveVertical size={16} />}>
      {to(messages.moveUp(), <IconArrowUp size={16} />, "up")}
      {to(messages.moveDown(), <IconArrowDown size={16} />, "down")}
      {to(messages.moveToTop(), <IconArrowBarToUp size={16} />, "top")}
      {to(messages.moveToBottom(), <IconArrowBarToDown size={16} />, "bottom")}
    </SubMenu>
  );
}

/** The cell whose menu is open, and where on the screen. */
export interface OpenCellMenu {
  record: string;
  field: string;
  at: { left: number; top: number };
}

/**
 * Opens the menu of a cell by the right mouse button, a long touch, Shift F10 or the menu key. A cell outside the range is
 * selected first, so that the menu acts on what is marked.
 */
function listenCellMenu(grid: GridController, onOpen: (menu: OpenCellMenu) => void): () => void {
  const { host } = grid;
  const openAt = (target: EventTarget | null, at: OpenCellMenu["at"] | null): boolean => {
    const element = target instanceof Element ? target.closest(".ag-cell") : null;
    const shown = element && grid.cells.showing(element);
    if (!shown || shown.record === null || grid.editors.isOpen) return false;
    const { record, field } = shown;
    const row = rowOfRecord(grid, record);
    const cell = { row, column: grid.columns.indexOf(field) };
    // At once, so that the menu never names or deletes what was selected before.
    if (grid.range.has(record, field)) grid.range.holdFocus(cell);
    else grid.range.selectCell(cell);
    focusCell(grid, row, field);
    const { left, bottom } = shown.element.getBoundingClientRect();
    onOpen({ record, field, at: at ?? { left, top: bottom } });
    return true;
  };
  const openRow = (event: MouseEvent): boolean => {
    const row = rowOfHandle(grid, event.target);
    if (row === null) return false;
    selectRow(grid, row, { extend: false, add: false });
    return openAt(document.activeElement, { left: event.clientX, top: event.clientY });
  };
  const onContextMenu = (event: MouseEvent) => {
    const at = { left: event.clientX, top: event.clientY };
    if (openAt(event.target, at) || openRow(event)) event.preventDefault();
  };
  const onKey = (event: KeyboardEvent) => {
    const isMenuKey = commandOf(event) === "cellMenu";
    if (!isMenuKey || !focusedCell(grid) || !openAt(event.target, null)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  host.addEventListener("contextmenu", onContextMenu);
  host.addEventListener("keydown", onKey, true);
  return () => {
    host.removeEventListener("contextmenu", onContextMenu);
    host.removeEventListener("keydown", onKey, true);
  };
}
