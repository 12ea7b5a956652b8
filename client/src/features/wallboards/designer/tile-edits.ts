import type { Tile, TileKind } from "../../../../../shared/model/wallboard/tile.ts";
import { gridOf } from "../../../../../shared/model/wallboard/wallboard.ts";
import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import { newId } from "../../../sync/new-id.ts";
import { firstSize, newTile, type Source } from "../form/new-tile.ts";
import { type Box, type Boxes, firstFree, fitInto } from "./arrange.ts";

/** Edits of a wallboard. */

export function boxesOf({ tiles }: Pick<WallboardInfo, "tiles">): Boxes {
  return Object.fromEntries(tiles.map(({ id, layout }) => [id, layout]));
}

/** Moves tiles. */
export function moveTiles(info: WallboardInfo, moved: Record<string, Box>): WallboardInfo {
  const tiles = info.tiles.map((tile) => ({ ...tile, layout: moved[tile.id] ?? tile.layout }));
  return { ...info, tiles };
}

/** A new tile at the first free place; null if the wallboard is full. */
export function addTile(
  info: WallboardInfo,
  kind: TileKind,
  sources: readonly Source[],
): Tile | null {
  const grid = gridOf(info);
  const { w, h } = firstSize[kind];
  const requested = { w: (w * grid.columns) / 12, h: (h * grid.rows) / 8 };
  const layout = freePlace(info, requested);
  return layout && newTile(kind, newTileId(), layout, sources);
}

/** A copy of a tile at the first free place; null if the wallboard is full. */
export function duplicateTile(info: WallboardInfo, tile: Tile): Tile | null {
  const layout = freePlace(info, tile.layout);
  return layout && { ...tile, id: newTileId(), layout };
}

/** A free place of the requested size, or down to half of it. */
function freePlace(info: WallboardInfo, requested: { w: number; h: number }): Box | null {
  const grid = gridOf(info);
  const boxes = boxesOf(info);
  for (const share of [1, 0.75, 0.5]) {
    const { w, h } = fitInto(grid, { x: 0, y: 0, w: requested.w * share, h: requested.h * share });
    const free = firstFree(boxes, { w, h }, grid);
    if (free) return free;
  }
  return null;
}

function newTileId(): string {
  return `t${newId().slice(0, 8)}`;
}
