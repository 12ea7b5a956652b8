import type { TileKind } from "../../../shared/model/wallboard/tile.ts";
import type { Layout } from "../../../shared/model/wallboard/tile-parts.ts";
import type { Grid } from "../../../shared/model/wallboard/wallboard.ts";

interface Placed {
  id: string;
  kind: TileKind;
  layout: Layout;
}

export type Orientation = "landscape" | "portrait";

/** Kinds with truncated lines, which need the full width of a portrait screen. */
const textHeavyKinds: ReadonlySet<TileKind> = new Set(["queue", "lights", "activity", "text"]);
/** The height of a tile that gets the full width, relative to before; lists keep their height. */
const FLAT_SHARE = 2 / 3;
/** A tile wider than this part of a landscape screen does not fit half of a portrait one. */
const HALF_FITS_SHARE = 5 / 12;

/**
 * Rearranges a wallboard made for a landscape screen on a portrait one, or vice versa: the tiles keep their order and
 * are placed into a grid of the other orientation. On a portrait screen each tile gets half of the width or all of it,
 * and keeps its height in cells. A wallboard of the screen's orientation is unchanged.
 */
export function fitLayout<T extends Placed>(
  tiles: readonly T[],
  grid: Grid,
  screen: Orientation,
): { tiles: T[]; grid: Grid } {
  const isPortrait = grid.rows > grid.columns;
  if (tiles.length === 0 || isPortrait === (screen === "portrait")) {
    return { tiles: [...tiles], grid };
  }
  const columns = screen === "portrait" ? Math.ceil(grid.columns / 2) : grid.columns * 2;
  const occupied: boolean[][] = [];
  const placed = inReadingOrder(tiles).map((tile) => {
    const requested = screen === "portrait" ? portraitSize(tile, grid, columns) : tile.layout;
    const size = { w: Math.min(requested.w, columns), h: requested.h };
    const at = firstPlace(occupied, columns, size);
    occupy(occupied, at, size);
    return { ...tile, layout: { ...at, ...size } };
  });
  const filled = removeEmptyRows(fillRows(placed, columns));
  const rows = Math.max(...filled.map(({ layout: { y, h } }) => y + h));
  return { tiles: filled, grid: { columns, rows } };
}

function portraitSize({ kind, layout: { w, h } }: Placed, grid: Grid, columns: number): Size {
  const half = Math.floor(columns / 2);
  if (w <= half) return { w: textHeavyKinds.has(kind) ? columns : w, h };
  const isHalf = !textHeavyKinds.has(kind) && w / grid.columns <= HALF_FITS_SHARE;
  return { w: isHalf ? half : columns, h };
}

function inReadingOrder<T extends Placed>(tiles: readonly T[]): T[] {
  return [...tiles].sort((a, b) => a.layout.y - b.layout.y || a.layout.x - b.layout.x);
}

type Size = Pick<Layout, "w" | "h">;
type Place = Pick<Layout, "x" | "y">;

function firstPlace(occupied: boolean[][], columns: number, size: Size): Place {
  for (let y = 0; ; y += 1) {
    for (let x = 0; x + size.w <= columns; x += 1) {
      if (isFree(occupied, { x, y }, size)) return { x, y };
    }
  }
}

function isFree(occupied: boolean[][], { x, y }: Place, { w, h }: Size): boolean {
  for (let row = y; row < y + h; row += 1) {
    for (let column = x; column < x + w; column += 1) if (occupied[row]?.[column]) return false;
  }
  return true;
}

function occupy(occupied: boolean[][], { x, y }: Place, { w, h }: Size): void {
  for (let row = y; row < y + h; row += 1) {
    occupied[row] ??= [];
    for (let column = x; column < x + w; column += 1) (occupied[row] as boolean[])[column] = true;
  }
}

/** Extends a tile with nothing to its right to the edge. A tile that gets much wider gets lower. */
function fillRows<T extends Placed>(tiles: readonly T[], columns: number): T[] {
  return tiles.map((tile) => {
    const { x, y, w, h } = tile.layout;
    const isLast = tiles.every(
      ({ layout: other }) => other.x < x + w || other.y >= y + h || other.y + other.h <= y,
    );
    if (!isLast) return tile;
    const isFlat = x === 0 && w * 2 <= columns && !textHeavyKinds.has(tile.kind);
    const lower = isFlat ? Math.ceil(h * FLAT_SHARE) : h;
    return { ...tile, layout: { ...tile.layout, w: columns - x, h: lower } };
  });
}

/** Removes empty rows. */
function removeEmptyRows<T extends Placed>(tiles: readonly T[]): T[] {
  const rows = Math.max(...tiles.map(({ layout: { y, h } }) => y + h));
  const isEmpty = (row: number) => tiles.every(({ layout: { y, h } }) => row < y || row >= y + h);
  const empty = Array.from({ length: rows }, (_, row) => row).filter(isEmpty);
  return tiles.map((tile) => {
    const above = empty.filter((row) => row < tile.layout.y).length;
    return { ...tile, layout: { ...tile.layout, y: tile.layout.y - above } };
  });
}
