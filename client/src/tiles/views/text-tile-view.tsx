import type { CSSProperties } from "react";
import type { ShownTile } from "../../../../shared/protocol/frame.ts";
import { HEAD_EM, PAD_EM, type TileSize } from "../tile-size.ts";
import classes from "./text-tile-view.module.css";

/** As in text-tile-view.module.css. */
const LINE_EM = 1.05 * 1.3;
/** The average width of a character. */
const CHARACTER_EM = 1.05 * 0.5;
/** A long text is smaller, down to this part of its size. */
const SCALES = [1, 0.9, 0.8, 0.7, 0.6] as const;

/** A text with its line breaks. It is smaller where it would not fit; what does not fit then ends in an ellipsis. */
export function TextTileView({
  tile,
  tileSize,
}: {
  tile: ShownTile;
  tileSize?: TileSize | undefined;
}) {
  const { scale, lines } = tileSize ? fitText(tile, tileSize) : { scale: 1, lines: "none" };
  return (
    <p className={classes.text} style={{ "--scale": scale, "--lines": lines } as CSSProperties}>
      {tile.text ?? ""}
    </p>
  );
}

/** The size of a text, by the average width of its characters, how many lines there is space for, and whether it is cut. */
export function fitText({ title, text = "" }: ShownTile, { width, height }: TileSize) {
  const paragraphs = text.trimEnd().split("\n");
  const fits = SCALES.map((scale) => {
    const perLine = Math.max(Math.floor((width - PAD_EM) / (CHARACTER_EM * scale)), 1);
    const needed = paragraphs.map(({ length }) => Math.max(Math.ceil(length / perLine), 1));
    const space = height - (title ? HEAD_EM : PAD_EM);
    const lines = Math.max(Math.floor(space / (LINE_EM * scale)), 1);
    return { scale, lines, isCut: needed.reduce((sum, one) => sum + one) > lines };
  });
  return fits.find(({ isCut }) => !isCut) ?? (fits.at(-1) as (typeof fits)[number]);
}
