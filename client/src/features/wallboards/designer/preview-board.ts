import type { Tile } from "../../../../../shared/model/wallboard/tile.ts";
import { gridOf } from "../../../../../shared/model/wallboard/wallboard.ts";
import type { ShownBoard, ShownTile } from "../../../../../shared/protocol/frame.ts";
import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import type { Box } from "./arrange.ts";

/**
 * The board as it is drawn while somebody works on it: the server's words for how tiles are shown, at
 * the places where they stand on this screen at this moment, dragged ones included.
 */
export function previewBoard(
  info: WallboardInfo,
  shown: ShownBoard | null,
  moved: Readonly<Record<string, Box>>,
): ShownBoard {
  const tiles = info.tiles.map((tile) => ({
    ...(shown?.tiles.find(({ id, kind }) => id === tile.id && kind === tile.kind) ??
      placeholderTile(tile, info)),
    ...editedProperties(tile),
    layout: moved[tile.id] ?? tile.layout,
  }));
  const { id, name, version, zone, theme } = info;
  return { id, name, version, zone, theme, grid: gridOf(info), tiles };
}

/** A tile that the server has not shown yet. */
function placeholderTile({ id, kind, zone, layout }: Tile, info: WallboardInfo): ShownTile {
  return { id, kind, title: "", zone: zone ?? info.zone, layout };
}

/** What a tile says by itself, without the server: it follows the typing. */
function editedProperties(tile: Tile): Partial<ShownTile> {
  const title = tile.title === undefined ? {} : { title: tile.title };
  if (tile.kind === "text") return { ...title, text: tile.text };
  if (tile.kind !== "clock") return title;
  const { hours, seconds = false, date = false } = tile;
  return { ...title, hours, seconds, date };
}
