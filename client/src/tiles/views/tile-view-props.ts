import type { ReactNode } from "react";
import type { ShownTile, TileFrame } from "../../../../shared/protocol/frame.ts";
import type { TileSize } from "../tile-size.ts";

/** What every kind of tile is drawn from. */
export interface TileViewProps {
  tile: ShownTile;
  frame: TileFrame;
  /** The alert's mark, where it stands beside the figure and not beside the title. */
  mark?: ReactNode;
  tileSize?: TileSize | undefined;
}
