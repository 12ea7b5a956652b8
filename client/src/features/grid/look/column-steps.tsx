import { Menu } from "@mantine/core";
import { IconArrowLeft, IconArrowRight, IconMinus, IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { lookMessages as messages } from "../../../messages/en/look.ts";
import { announce } from "../../../ui/announce.ts";
import type { GridController } from "../grid-controller.ts";

/** How much a column grows or shrinks at once. */
const WIDTH_STEP_PX = 24;

/** Moves and sizes a column without dragging. The menu stays open, so that a step can be repeated. */
export function ColumnSteps({ grid, field }: { grid: GridController; field: string }) {
  const step = (label: string, icon: ReactNode, run: () => void) => (
    <Menu.Item leftSection={icon} closeMenuOnClick={false} onClick={run}>
      {label}
    </Menu.Item>
  );
  return (
    <>
      {step(messages.moveLeft(), <IconArrowLeft size={16} />, () => moveColumn(grid, field, -1))}
      {step(messages.moveRight(), <IconArrowRight size={16} />, () => moveColumn(grid, field, 1))}
      {step(messages.wider(), <IconPlus size={16} />, () => sizeColumn(grid, field, 1))}
      {step(messages.narrower(), <IconMinus size={16} />, () => sizeColumn(grid, field, -1))}
    </>
  );
}

/** Freezes a column at the left, or lets it scroll, and says so. */
export function pinColumn(grid: GridController, field: string, isPinned: boolean): void {
  grid.api.setColumnsPinned([field], isPinned ? "left" : null);
  const label = labelOf(grid, field);
  announce(isPinned ? messages.frozen({ field: label }) : messages.unfrozen({ field: label }));
}

/** Exchanges a column with the next one that is shown, among the frozen or the other ones. */
function moveColumn(grid: GridController, field: string, by: 1 | -1): void {
  const { api, columns } = grid;
  const isPinned = (name: string) => api.getColumn(name)?.isPinned() ?? false;
  const other = columns[columns.indexOf(field) + by];
  if (other !== undefined && isPinned(other) === isPinned(field)) {
    placeColumn(grid, field, other, by > 0);
    api.ensureColumnVisible(field);
  }
  const shown = api.getAllDisplayedColumns().map((column) => column.getColId());
  const place = shown.filter((name) => grid.fields.has(name)).indexOf(field) + 1;
  announce(messages.moved({ field: labelOf(grid, field), at: place, count: grid.columns.length }));
}

/** Puts a column before another one, or after it. A frozen one stays before those that scroll. */
export function placeColumn(
  { api }: GridController,
  field: string,
  other: string,
  isAfter: boolean,
): void {
  const state = api.getColumnState();
  const at = (name: string) => state.findIndex(({ colId }) => colId === name);
  const [moved] = state.splice(at(field), 1);
  if (moved) state.splice(at(other) + (isAfter ? 1 : 0), 0, moved);
  api.applyColumnState({ state, applyOrder: true });
}

function sizeColumn({ api, fields }: GridController, field: string, by: 1 | -1): void {
  const column = api.getColumn(field);
  if (!column) return;
  const newWidth = Math.max(column.getMinWidth(), column.getActualWidth() + by * WIDTH_STEP_PX);
  // The source of a change by the user, which is stored.
  api.setColumnWidths([{ key: field, newWidth }], true, "uiColumnResized");
  announce(messages.resized({ field: fields.get(field)?.label ?? field, width: newWidth }));
}

function labelOf({ fields }: GridController, field: string): string {
  return fields.get(field)?.label ?? field;
}
