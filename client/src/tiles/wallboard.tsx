import type { CSSProperties } from "react";
import type { Grid } from "../../../shared/model/wallboard/wallboard.ts";
import type { FrameMessage, ShownTile, ShownWallboard } from "../../../shared/protocol/frame.ts";
import type { Freshness } from "../../../shared/protocol/freshness.ts";
import { GAP_SHARE } from "./label-size.ts";
import { tileSizeOf } from "./tile-size.ts";
import { TileView } from "./tile-view.tsx";
import "../ui/palette.css";
import "./tiles.css";
import classes from "./wallboard.module.css";

interface Props {
  wallboard: ShownWallboard;
  /** The last frame of the wallboard, or null. */
  frame: Pick<FrameMessage, "tiles"> | null;
  fresh?: Freshness;
  /** The orientation of the screen. On a portrait one a wallboard for a landscape screen is a stack. */
  screen?: "landscape" | "portrait";
  /** The text of a wallboard without tiles. */
  empty?: string;
}

/** A whole wallboard. All sizes are relative to its container, so it also serves as a small preview. */
export function Wallboard({
  wallboard,
  frame,
  fresh = "live",
  screen = "landscape",
  empty,
}: Props) {
  const { tiles, grid } = isStacked(wallboard.grid, screen) ? stack(wallboard) : wallboard;
  return (
    <div className={`wf-tiles ${classes.wallboard}`} data-theme={wallboard.theme}>
      {tiles.length === 0 && empty && <p className={classes.empty}>{empty}</p>}
      <div className={raster} style={rasterStyle(grid)}>
        {tiles.map((tile) => {
          const { x, y, w, h } = tile.layout;
          const tileSize = tileSizeOf(tile.layout, grid, screen);
          const place = { gridArea: `${y + 1} / ${x + 1} / span ${h} / span ${w}` };
          return (
            <div key={tile.id} className={classes.place} style={place}>
              <TileView
                tile={tile}
                frame={frame?.tiles[tile.id]}
                fresh={fresh}
                tileSize={tileSize}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The grid of a wallboard's tiles, which the designer's handles have too. */
export const raster = classes.grid ?? "";

export function rasterStyle({ columns, rows }: Grid): CSSProperties {
  const gap = `calc(${GAP_SHARE} * 100cqmin)`;
  return { "--columns": columns, "--rows": rows, "--gap": gap } as CSSProperties;
}

/** Whether a wallboard made for a landscape screen is on a portrait one. */
export function isStacked(grid: Grid, screen: Props["screen"]): boolean {
  return screen === "portrait" && grid.columns >= grid.rows;
}

/** A tile that takes up to this part of a landscape screen fits half of a portrait one. */
const HALF_FITS_SHARE = 5 / 12;
/** Their lines would be cut off in half of a portrait screen. */
const listKinds: readonly string[] = ["queue", "lights", "activity", "text"];

/** The tiles below each other in reading order, two that fit half of the width side by side. */
export function stack({ tiles, grid }: Pick<ShownWallboard, "tiles" | "grid">) {
  const isHalf = ({ kind, layout }: ShownTile) =>
    !listKinds.includes(kind) && layout.w / grid.columns <= HALF_FITS_SHARE;
  const lines: ShownTile[][] = [];
  for (const tile of tiles.toSorted(byPlace)) {
    const last = lines.at(-1);
    if (last?.length === 1 && [...last, tile].every(isHalf)) last.push(tile);
    else lines.push([tile]);
  }
  let rows = 0;
  const placed = lines.flatMap((line) => {
    const y = rows;
    const high = Math.max(...line.map(({ layout }) => layout.h));
    // Much wider than it was made for.
    const h = line.length === 1 && line.every(isHalf) ? Math.ceil((high * 2) / 3) : high;
    rows += h;
    return line.map((tile, x) => ({ ...tile, layout: { x, y, w: 2 / line.length, h } }));
  });
  return { tiles: placed, grid: { columns: 2, rows } };
}

function byPlace({ layout: a }: ShownTile, { layout: b }: ShownTile): number {
  return a.y - b.y || a.x - b.x;
}
