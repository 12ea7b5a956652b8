import { IconEyeCheck, IconEyeOff } from "@tabler/icons-react";
import type { Tile } from "../../../../../shared/model/wallboard/tile.ts";
import { kindLabels } from "../form/new-tile.ts";
import type { Unreadable } from "../legible-text.ts";
import classes from "./designer.module.css";
import type { Viewing } from "./screens.ts";

interface Props {
  unreadable: readonly Unreadable[];
  viewing: Viewing;
  tiles: readonly Tile[];
  onSelect(id: string): void;
}

const metres = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const NAMED_MAX = 3;

/** Whether everything can be read from where people stand, by the size of the screen and the distance. */
export function LegibleNote({ unreadable, viewing, tiles, onSelect }: Props) {
  const { diagonalInches, distanceMetres } = viewing;
  const viewingLabel = `on ${diagonalInches}″ from ${metres.format(distanceMetres)} m`;
  if (unreadable.length === 0) {
    return (
      <p className={classes.legible}>
        <IconEyeCheck size={16} stroke={1.6} aria-hidden="true" />
        Every tile can be read {viewingLabel}.
      </p>
    );
  }
  return (
    <p className={classes.legible} data-bad>
      <IconEyeOff size={16} stroke={1.6} aria-hidden="true" />
      Too small to be read {viewingLabel}:{" "}
      {unreadable.slice(0, NAMED_MAX).map(({ id, metres: from }) => (
        <button key={id} type="button" className={classes.link} onClick={() => onSelect(id)}>
          {nameOf(tiles, id)} (up to {metres.format(from)} m)
        </button>
      ))}
      {unreadable.length > NAMED_MAX && `and ${unreadable.length - NAMED_MAX} more`}
    </p>
  );
}

function nameOf(tiles: readonly Tile[], id: string): string {
  const tile = tiles.find((one) => one.id === id);
  return tile?.title ?? (tile ? kindLabels[tile.kind].label : id);
}
