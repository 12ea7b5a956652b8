import type { GridController } from "../grid-controller.ts";
import { addToGroup, toggleGroup } from "./heading-view.ts";

type Command = (grid: GridController, index: number) => void;

const commands: Record<string, Command> = {
  ArrowLeft: (grid, index) => toggleGroup(grid, index, true),
  ArrowRight: (grid, index) => toggleGroup(grid, index, false),
  Enter: toggleGroup,
  " ": toggleGroup,
  "mod+Enter": addToGroup,
};

/** The keys of a heading that has the focus: the grid's own arrows lead to it and on to the next row. */
export function headingKeys(grid: GridController): () => void {
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
