import type { GridController } from "../grid-controller.ts";
import { recordInRow } from "../range/row-map.ts";
import { focusedCell } from "../rows/grid-focus.ts";

/** Tells others which cell I am in and whether I am typing there. */
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
  // Where the grid's event comes before the focus has moved, what is true is true one task later.
  const reportLater = () => queueMicrotask(report);
  api.addEventListener("cellFocused", reportLater);
  const unsubscribe = grid.editors.subscribe(reportLater);
  report();
  return () => {
    unsubscribe();
    core.presence.leave(table.name);
  };
}
