import type { GridSize } from "./arrange.ts";

/** Gap between tiles as a share of the shorter side: as in client/src/tiles/wall-board.module.css. */
const GAP_SHARE = 0.009;

/** The size of one cell including its gap, in the unit of the sides. */
export function cellSize(
  { width, height }: { width: number; height: number },
  { columns, rows }: GridSize,
): { width: number; height: number } {
  const gap = Math.min(width, height) * GAP_SHARE;
  return { width: (width - gap) / columns, height: (height - gap) / rows };
}
