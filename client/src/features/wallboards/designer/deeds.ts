import type { Tile, TileKind } from "../../../../../shared/model/wallboard/tile.ts";
import { gridOf } from "../../../../../shared/model/wallboard/wallboard.ts";
import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import { firstSize, newTile, type Source } from "../form/new-tile.ts";
import { type Box, type Boxes, firstFree, fitInto } from "./arrange.ts";

/** What can be done to a board. */

export function boxesOf({ tiles }: Pick<WallboardInfo, "tiles">): Boxes {
  return Object.fromEntries(tiles.map(({ id, layout }) => [id, layout]));
}

/** Tiles at new places. */
export function placing(info: WallboardInfo, moved: Record<string, Box>): WallboardInfo {
  const tiles = info.tiles.map((tile) => ({ ...tile, layout: moved[tile.id] ?? tile.layout }));
  return { ...info, tiles };
}

/** A new tile on the first free place; null where the board is full. */
export function adding(
  info: WallboardInfo,
  kind: TileKind,
  sources: readonly Source[],
): Tile | null {
  const raster = gridOf(info);
  const { w, h } = firstSize[kind];
  const wanted = { w: (w * raster.columns) / 12, h: (h * raster.rows) / 8 };
  const layout = freePlace(info, wanted);
  return layout && newTile(kind, newTileId(), layout, sources);
}

/** A copy of a tile beside it; null where the board is full. */
export function duplicating(info: WallboardInfo, tile: Tile): Tile | null {
  const layout = freePlace(info, tile.layout);
  return layout && { ...tile, id: newTileId(), layout };
}

/** A place of the wanted size, or of half of it where there is no room for more. */
function freePlace(info: WallboardInfo, wanted: { w: number; h: number }): Box | null {
  const raster = gridOf(info);
  const boxes = boxesOf(info);
  for (const share of [1, 0.75, 0.5]) {
    const { w, h } = fitInto(raster, { x: 0, y: 0, w: wanted.w * share, h: wanted.h * share });
    const free = firstFree(boxes, { w, h }, raster);
    if (free) return free;
  }
  return null;
}

function newTileId(): string {
  return `t${crypto.randomUUID().slice(0, 8)}`;
}
