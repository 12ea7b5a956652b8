import { IconAlertTriangle } from "@tabler/icons-react";
import type { Tile } from "../../../../../shared/model/wallboard/tile.ts";
import type { TileFrame } from "../../../../../shared/protocol/frame.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { richText } from "../../../messages/rich-text.tsx";
import { kindLabels } from "../form/new-tile.ts";
import classes from "./designer.module.css";

interface Props {
  tiles: readonly Tile[];
  frames: Readonly<Record<string, TileFrame>>;
  onSelect(id: string): void;
}

/** Tiles of the draft that can't be evaluated, with the reason; shown before publishing. */
export function FailedNote({ tiles, frames, onSelect }: Props) {
  const failed = tiles.filter(({ id }) => frames[id]?.state === "failed");
  return failed.map((tile) => (
    <p key={tile.id} className={classes.legible} data-bad role="status">
      <IconAlertTriangle size={16} stroke={1.6} aria-hidden="true" />
      <span>
        {richText(reasonText(frames[tile.id]?.reason), {
          tile: () => (
            <button type="button" className={classes.link} onClick={() => onSelect(tile.id)}>
              {tile.title ?? kindLabels[tile.kind].label()}
            </button>
          ),
        })}
      </span>
    </p>
  ));
}

function reasonText(reason: TileFrame["reason"]): string {
  return reason === "too_many_groups" ? messages.tooManyGroups() : messages.notEvaluated();
}
