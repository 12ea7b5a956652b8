import type { GridController } from "../grid-controller.ts";
import { keyName, runKey } from "../keys/key-commands.ts";
import { addAt } from "./add-to-group.ts";
import { runExtraRow, toggleGroup } from "./extra-row-view.ts";

type Command = (grid: GridController, index: number) => unknown;

const commands: Record<string, Command> = {
  ArrowLeft: (grid, index) => toggleGroup(grid, index, true),
  ArrowRight: (grid, index) => toggleGroup(grid, index, false),
  Enter: runExtraRow,
  " ": runExtraRow,
  "mod+Enter": addAt,
};

/** Commands of the grid that need no cell, and those that lead away. */
const ofGrid = /^(mod\+(z|shift\+z|y|f|Home|End|Arrow\w+)|Home|End|PageUp|PageDown)$/;

/**
 * The keys of a heading, or of a row for a new record, that has the focus: the grid's own arrows lead to it and on to the
 * next row. What is typed on a row for new records begins one.
 */
export function extraRowKeys(grid: GridController): () => void {
  const { host } = grid;
  const onKey = (event: KeyboardEvent) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    const name = keyName(event);
    const isRow = target instanceof Element && target.matches(".ag-full-width-row");
    const index = isRow ? target.getAttribute("row-index") : null;
    const isTyped = key.length === 1 && !ctrlKey && !metaKey && !altKey;
    const command = ofGrid.test(name) ? () => runKey(grid, event) : commands[name];
    if (index === null || !(command || isTyped)) return;
    event.preventDefault();
    event.stopPropagation();
    if (command) command(grid, Number(index));
    else if (grid.groups.at(Number(index))?.kind === "new") {
      addAt(grid, Number(index));
      grid.keys.playThere(event);
    }
  };
  host.addEventListener("keydown", onKey, true);
  return () => host.removeEventListener("keydown", onKey, true);
}
