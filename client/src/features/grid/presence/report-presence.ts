import type { GridController } from "../grid-controller.ts";
import { recordInRow } from "../range/row-map.ts";
import { focusedCell } from "../rows/grid-focus.ts";

/** Reports the focused cell and whether it is being edited. */
export function reportPresence(grid: GridController): () => void {
  const { api, core, table } = grid;
  const report = () => {
    const at = focusedCell(grid);
    const record = at && recordInRow(grid, at.row);
    if (!at || !record || record.pending === "draft")
      core.presence.set(table.name, { mode: "viewing" });
    else {
      const mode = grid.editors.isOpen ? "editing" : "viewing";
      core.presence.set(table.name, { record: record.id, field: at.field, mode });
    }
  };
  // The grid's event may come before the focus has moved, so the state is read in a microtask.
  const reportLater = () => queueMicrotask(report);
  api.addEventListener("cellFocused", reportLater);
  const unsubscribe = grid.editors.subscribe(reportLater);
  report();
  return () => {
    unsubscribe();
    core.presence.leave(table.name);
  };
}
