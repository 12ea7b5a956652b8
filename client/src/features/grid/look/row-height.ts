import type { Appearance, RowHeight } from "../../../../../shared/model/view/appearance.ts";
import { heightPx } from "../ag-grid.ts";
import type { GridController } from "../grid-controller.ts";
import { rowSource } from "../rows/row-source.ts";

/** Lines of text in a row. */
const LINES: Record<RowHeight, number> = { short: 1, medium: 3, tall: 5 };

/**
 * Applies the heights of rows, to which each further line adds its own, and of the header, where texts wrap in taller rows. The grid keeps the old height for rows that it has yet
 * to load, so another height gives it another source.
 */
export function applyRowHeight(
  grid: GridController,
  { height = "short" }: Appearance,
  onFailure: (error: unknown) => void,
): void {
  const { api, host } = grid;
  const rowHeight = heightPx("row") + (LINES[height] - 1) * heightPx("line");
  host.style.setProperty("--wf-row-height", `${rowHeight}px`);
  host.style.setProperty("--wf-lines", String(LINES[height]));
  host.toggleAttribute("data-wrap", height !== "short");
  const isOther = api.getGridOption("rowHeight") !== rowHeight;
  api.updateGridOptions({ rowHeight, headerHeight: heightPx("header") });
  if (isOther) api.setGridOption("datasource", rowSource(grid, onFailure));
}

/** Cards have one height, whatever the rows had that the same element showed before. */
export function clearRowHeight({ host }: GridController): void {
  for (const name of ["--wf-row-height", "--wf-lines"]) host.style.removeProperty(name);
  host.removeAttribute("data-wrap");
}
