import type { CSSProperties } from "react";
import type { ShownTile } from "../../../../shared/protocol/frame.ts";
import { HEAD_EM, PAD_EM, type TileSize } from "../tile-size.ts";
import classes from "./text-tile-view.module.css";

/** As in text-tile-view.module.css. */
const LINE_EM = 1.05 * 1.3;
/** The average width of a character. */
const CHARACTER_EM = 1.05 * 0.5;

/** A text with its line breaks. What does not fit ends in an ellipsis. */
export function TextTileView({
  tile,
  tileSize,
}: {
  tile: ShownTile;
  tileSize?: TileSize | undefined;
}) {
  const lines = tileSize && linesFor(tile, tileSize);
  return (
    <p className={classes.text} style={{ "--lines": lines ?? "none" } as CSSProperties}>
      {tile.text ?? ""}
    </p>
  );
}

function linesFor({ title }: ShownTile, { height }: TileSize): number {
  return Math.max(Math.floor((height - (title ? HEAD_EM : PAD_EM)) / LINE_EM), 1);
}

/** Whether a text is probably cut, by the average width of its characters. */
export function isTextCut(tile: ShownTile, tileSize: TileSize): boolean {
  const perLine = Math.max(Math.floor((tileSize.width - PAD_EM) / CHARACTER_EM), 1);
  const lengths = (tile.text ?? "").trimEnd().split("\n");
  const lines = lengths.reduce(
    (sum, { length }) => sum + Math.max(Math.ceil(length / perLine), 1),
    0,
  );
  return lines > linesFor(tile, tileSize);
}
