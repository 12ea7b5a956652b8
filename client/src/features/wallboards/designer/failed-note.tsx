import { IconAlertTriangle } from "@tabler/icons-react";
import type { Tile } from "../../../../../shared/model/wallboard/tile.ts";
import type { TileFrame } from "../../../../../shared/protocol/frame.ts";
import { kindLabels } from "../form/new-tile.ts";
import classes from "./designer.module.css";

interface Props {
  tiles: readonly Tile[];
  frames: Readonly<Record<string, TileFrame>>;
  onSelect(id: string): void;
}

/** Tiles of the draft that would show nothing on a screen, and why: said before it is published. */
export function FailedNote({ tiles, frames, onSelect }: Props) {
  const failed = tiles.filter(({ id }) => frames[id]?.state === "failed");
  return failed.map((tile) => (
    <p key={tile.id} className={classes.legible} data-bad role="status">
      <IconAlertTriangle size={16} stroke={1.6} aria-hidden="true" />
      <button type="button" className={classes.link} onClick={() => onSelect(tile.id)}>
        {tile.title ?? kindLabels[tile.kind].label}
      </button>
      {reasonText(frames[tile.id]?.reason)}
    </p>
  ));
}

function reasonText(reason: TileFrame["reason"]): string {
  return reason === "too_many_groups"
    ? "has too many groups. Choose another field, or order the groups by “Largest first”."
    : "could not be evaluated. Check its table, fields and filter.";
}
