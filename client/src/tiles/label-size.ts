import type { Layout } from "../../../shared/model/wallboard/tile-parts.ts";
import type { Grid } from "../../../shared/model/wallboard/wallboard.ts";

/**
 * The font size of a tile on a screen, by the same rules as the style sheets (wallboard.module.css,
 * tile-view.module.css): lists choose their columns by it. tile-views.test.ts compares both.
 */

/** The height of the freshness bar, relative to the screen's shorter side (display.css). */
export const BAR_SHARE = 0.06;
/** Relative to the wallboard's shorter side: 16 arc minutes at 5 m on a 55" screen, with capitals of 0.72 em. */
export const LABEL_SHARE = { landscape: 0.05, portrait: 0.0475 };
/** The gap between tiles. */
export const GAP_SHARE = 0.009;
export const TILE_HEIGHT_SHARE = 0.24;
export const TILE_WIDTH_SHARE = 0.11;

interface Sides {
  width: number;
  height: number;
}

/** The sides of the wallboard: the screen without the bar. */
function wallboardOf(screen: Sides): Sides {
  const bar = BAR_SHARE * Math.min(screen.width, screen.height);
  return { width: screen.width, height: screen.height - bar };
}

/** The sides of a tile in the unit of the screen's sides. */
export function tileSides(layout: Layout, grid: Grid, screen: Sides): Sides {
  const { width, height } = wallboardOf(screen);
  const gap = Math.min(width, height) * GAP_SHARE;
  const span = (side: number, cells: number, own: number) =>
    ((side - gap * (cells + 1)) / cells) * own + gap * (own - 1);
  return {
    width: span(width, grid.columns, layout.w),
    height: span(height, grid.rows, layout.h),
  };
}

/** The font size of a tile, in the unit of the screen's sides. */
export function labelSize(layout: Layout, grid: Grid, screen: Sides): number {
  const wallboard = wallboardOf(screen);
  const isPortrait = wallboard.height >= wallboard.width;
  const tile = tileSides(layout, grid, screen);
  return Math.min(
    Math.min(wallboard.width, wallboard.height) *
      (isPortrait ? LABEL_SHARE.portrait : LABEL_SHARE.landscape),
    tile.height * TILE_HEIGHT_SHARE,
    tile.width * TILE_WIDTH_SHARE,
  );
}
