import { Menu } from "@mantine/core";
import {
  IconArrowAutofitWidth,
  IconEyeOff,
  IconFilter,
  IconPin,
  IconPinnedOff,
  IconSortAscending,
  IconSortDescending,
} from "@tabler/icons-react";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import type { GridController } from "../grid-controller.ts";

/** A column whose menu is open, and the position of its header. */
export interface OpenColumnMenu {
  field: string;
  at: DOMRect;
}

interface Props {
  grid: GridController;
  open: OpenColumnMenu | null;
  onSort(keys: string[]): void;
  onFilter(field: string): void;
  onClose(): void;
}

/** The menu of one column: sort, filter, pin, width, hide. */
export function ColumnMenu({ grid, open, onSort, onFilter, onClose }: Props) {
  if (!open) return null;
  const { field, at } = open;
  const pinned = grid.api.getColumn(field)?.isPinned() ?? false;
  return (
    <Menu opened onClose={onClose} position="bottom-end" returnFocus>
      <Menu.Target>
        <button
          type="button"
          aria-label={messages.column({ field: grid.fields.get(field)?.label ?? field })}
          tabIndex={-1}
          style={{
            position: "fixed",
            left: at.right - 1,
            top: at.bottom - 1,
            width: 1,
            height: 1,
            opacity: 0,
          }}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconSortAscending size={16} />} onClick={() => onSort([field])}>
          {messages.sortAscending()}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconSortDescending size={16} />}
          onClick={() => onSort([`-${field}`])}
        >
          {messages.sortDescending()}
        </Menu.Item>
        <Menu.Item leftSection={<IconFilter size={16} />} onClick={() => onFilter(field)}>
          {messages.filterBy()}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={pinned ? <IconPinnedOff size={16} /> : <IconPin size={16} />}
          onClick={() => grid.api.setColumnsPinned([field], pinned ? null : "left")}
        >
          {pinned ? messages.unpin() : messages.pin()}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowAutofitWidth size={16} />}
          onClick={() => grid.api.autoSizeColumns([field])}
        >
          {messages.fitWidth()}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconEyeOff size={16} />}
          onClick={() => grid.api.setColumnsVisible([field], false)}
        >
          {messages.hide()}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
