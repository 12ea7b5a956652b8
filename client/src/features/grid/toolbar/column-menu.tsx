import { Menu } from "@mantine/core";
import {
  IconArrowAutofitWidth,
  IconArrowsMoveHorizontal,
  IconEyeOff,
  IconFilter,
  IconLayoutList,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconSortAscending,
  IconSortDescending,
  IconSum,
} from "@tabler/icons-react";
import type { ColumnSummary } from "../../../../../shared/model/view/summary-ops.ts";
import type { Grouping } from "../../../../../shared/model/view/view.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import type { PlacedColumn } from "../../../records/views/column-layout.ts";
import { openFieldSheet } from "../../../state/open-sheet.ts";
import { useAbilities } from "../../../state/use-account.ts";
import { SubMenu } from "../../../ui/sub-menu.tsx";
import type { GridController } from "../grid-controller.ts";
import { groupingsOf } from "../groups/group-menu.tsx";
import { ColumnSteps, pinColumn } from "../look/column-steps.tsx";
import { takeFocus } from "../rows/grid-focus.ts";
import { SummaryItems } from "../summary/summary-menu.tsx";

/** A column whose menu is open, and the position of its header. */
export interface OpenColumnMenu {
  field: string;
  at: DOMRect;
}

interface Props {
  grid: GridController;
  open: OpenColumnMenu | null;
  placed: readonly PlacedColumn[];
  onSummary(field: string, summary: ColumnSummary | null): void;
  onSort(keys: string[]): void;
  onFilter(field: string): void;
  onGroup(grouping: Grouping): void;
  onClose(): void;
}

/** The menu of one column: sort, filter, pin, width, hide. */
export function ColumnMenu(props: Props) {
  const { grid, open, onSort, onFilter, onClose } = props;
  const { rights } = useAbilities();
  if (!open) return null;
  const { field, at } = open;
  const definition = grid.fields.get(field);
  const chosen = props.placed.find((column) => column.field === field)?.summary ?? null;
  const pinned = grid.api.getColumn(field)?.isPinned() ?? false;
  const grouping = definition && groupingsOf(grid.table, definition)[0];
  const close = () => {
    onClose();
    focusHeader(grid, field);
  };
  return (
    <Menu opened onClose={close} position="bottom-end" returnFocus={false}>
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
        {definition?.help && (
          <Menu.Label maw={280} fw={400} pb={8}>
            {definition.help}
          </Menu.Label>
        )}
        {rights.includes("model") && (
          <Menu.Item
            leftSection={<IconPencil size={16} />}
            onClick={() => openFieldSheet(grid.table.name, field)}
          >
            {messages.editField()}
          </Menu.Item>
        )}
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
        {grouping && (
          <Menu.Item
            leftSection={<IconLayoutList size={16} />}
            onClick={() => props.onGroup(grouping)}
          >
            {messages.groupByColumn()}
          </Menu.Item>
        )}
        {definition && (
          <SubMenu label={messages.summarizeColumn()} icon={<IconSum size={16} />}>
            <SummaryItems
              field={definition}
              chosen={chosen}
              onSummary={(op) => props.onSummary(field, op)}
            />
          </SubMenu>
        )}
        <Menu.Divider />
        <Menu.Item
          leftSection={pinned ? <IconPinnedOff size={16} /> : <IconPin size={16} />}
          onClick={() => pinColumn(grid, field, !pinned)}
        >
          {pinned ? messages.unpin() : messages.pin()}
        </Menu.Item>
        <SubMenu label={messages.arrange()} icon={<IconArrowsMoveHorizontal size={16} />}>
          <ColumnSteps grid={grid} field={field} />
          <Menu.Item
            leftSection={<IconArrowAutofitWidth size={16} />}
            onClick={() => grid.api.autoSizeColumns([field])}
          >
            {messages.fitWidth()}
          </Menu.Item>
        </SubMenu>
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

/** Gives the focus to the header of a column, or to a cell if the column has been hidden. */
function focusHeader(grid: GridController, field: string): void {
  const header = `.ag-header-cell[col-id="${CSS.escape(field)}"]`;
  if (grid.api.getColumn(field)?.isVisible()) grid.host.querySelector<HTMLElement>(header)?.focus();
  else takeFocus(grid);
}
