import { Anchor } from "@mantine/core";
import { IconEyeCheck, IconEyeOff } from "@tabler/icons-react";
import type { Tile } from "../../../../../shared/model/wallboard/tile.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
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

/** Whether all text is readable on the chosen screen from the chosen distance. */
export function LegibleNote({ unreadable, viewing, tiles, onSelect }: Props) {
  const { diagonalInches, distanceMetres } = viewing;
  const viewed = { inches: diagonalInches, metres: metres.format(distanceMetres) };
  if (unreadable.length === 0) {
    return (
      <p className={classes.legible}>
        <IconEyeCheck size={16} stroke={1.6} aria-hidden="true" />
        {messages.legible(viewed)}
      </p>
    );
  }
  return (
    <p className={classes.legible} data-bad>
      <IconEyeOff size={16} stroke={1.6} aria-hidden="true" />
      {messages.tooSmall(viewed)}{" "}
      {unreadable.slice(0, NAMED_MAX).map(({ id, metres: from }) => (
        <Anchor key={id} component="button" inherit underline="always" onClick={() => onSelect(id)}>
          {messages.readableUpTo({ tile: nameOf(tiles, id), metres: metres.format(from) })}
        </Anchor>
      ))}
      {unreadable.length > NAMED_MAX && messages.andMore({ count: unreadable.length - NAMED_MAX })}
    </p>
  );
}

function nameOf(tiles: readonly Tile[], id: string): string {
  const tile = tiles.find((one) => one.id === id);
  return tile?.title ?? (tile ? kindLabels[tile.kind].label() : id);
}
