import type { GridController } from "../grid-controller.ts";
import { addAt } from "./add-to-group.ts";
import { runExtraRow, toggleGroup } from "./extra-row-view.ts";

type Command = (grid: GridController, index: number) => void;

const commands: Record<string, Command> = {
  ArrowLeft: (grid, index) => toggleGroup(grid, index, true),
  ArrowRight: (grid, index) => toggleGroup(grid, index, false),
  Enter: runExtraRow,
  " ": runExtraRow,
  "mod+Enter": addAt,
};

/** The keys of a heading, or of a row for a new record, that has the focus: the grid's own arrows lead to it and on to the next row. */
export function extraRowKeys(grid: GridController): () => void {
  const { host } = grid;
  const onKey = (event: KeyboardEvent) => {
    const { target, key, ctrlKey, metaKey } = event;
    const isRow = target instanceof Element && target.matches(".ag-full-width-row");
    const index = isRow ? target.getAttribute("row-index") : null;
    const command = commands[ctrlKey || metaKey ? `mod+${key}` : key];
    if (index === null || !command) return;
    event.preventDefault();
    event.stopPropagation();
    command(grid, Number(index));
  };
  host.addEventListener("keydown", onKey, true);
  return () => host.removeEventListener("keydown", onKey, true);
}
