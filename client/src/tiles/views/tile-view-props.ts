import type { ReactNode } from "react";
import type { ShownTile, TileFrame } from "../../../../shared/protocol/frame.ts";
import type { TileSize } from "../tile-size.ts";

/** The properties of all kinds of tiles. */
export interface TileViewProps {
  tile: ShownTile;
  frame: TileFrame;
  /** The alert mark, if it is next to the value and not to the title. */
  mark?: ReactNode;
  tileSize?: TileSize | undefined;
}
