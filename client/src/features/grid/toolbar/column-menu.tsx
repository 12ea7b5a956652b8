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
import type { GridController } from "../grid-controller.ts";

/** A column whose menu is open, and where its header stands on the screen. */
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

/** The menu of one column: order, filter, pin, width, hide. */
export function ColumnMenu({ grid, open, onSort, onFilter, onClose }: Props) {
  if (!open) return null;
  const { field, at } = open;
  const pinned = grid.api.getColumn(field)?.isPinned() ?? false;
  return (
    <Menu opened onClose={onClose} position="bottom-end" returnFocus>
      <Menu.Target>
        <button
          type="button"
          aria-label={`Column ${grid.fields.get(field)?.label}`}
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
          Sort ascending
        </Menu.Item>
        <Menu.Item
          leftSection={<IconSortDescending size={16} />}
          onClick={() => onSort([`-${field}`])}
        >
          Sort descending
        </Menu.Item>
        <Menu.Item leftSection={<IconFilter size={16} />} onClick={() => onFilter(field)}>
          Filter by this
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={pinned ? <IconPinnedOff size={16} /> : <IconPin size={16} />}
          onClick={() => grid.api.setColumnsPinned([field], pinned ? null : "left")}
        >
          {pinned ? "Unpin" : "Pin to the left"}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowAutofitWidth size={16} />}
          onClick={() => grid.api.autoSizeColumns([field])}
        >
          Fit the width
        </Menu.Item>
        <Menu.Item
          leftSection={<IconEyeOff size={16} />}
          onClick={() => grid.api.setColumnsVisible([field], false)}
        >
          Hide
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
