import type { CSSProperties } from "react";
import type { FrameMessage, ShownWallboard } from "../../../shared/protocol/frame.ts";
import type { Freshness } from "../../../shared/protocol/freshness.ts";
import { fitLayout } from "./fit-layout.ts";
import { tileSizeOf } from "./tile-size.ts";
import { TileView } from "./tile-view.tsx";
import "./tiles.css";
import classes from "./wallboard.module.css";

interface Props {
  wallboard: ShownWallboard;
  /** The last frame of the wallboard, or null. */
  frame: Pick<FrameMessage, "tiles"> | null;
  fresh?: Freshness;
  /** The orientation of the screen; a wallboard for the other orientation is rearranged. */
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
  const { tiles, grid } = fitLayout(wallboard.tiles, wallboard.grid, screen);
  const gridStyle = { "--columns": grid.columns, "--rows": grid.rows } as CSSProperties;
  return (
    <div className={`wf-tiles ${classes.wallboard}`} data-theme={wallboard.theme}>
      {tiles.length === 0 && empty && <p className={classes.empty}>{empty}</p>}
      <div className={classes.grid} style={gridStyle}>
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
