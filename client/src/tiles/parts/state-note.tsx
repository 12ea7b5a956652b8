import type { ShownTile, TileFrame } from "../../../../shared/protocol/frame.ts";
import { tilesMessages as messages } from "../../messages/en/tiles.ts";
import { useNow } from "../tile-clock.ts";
import { spanText, timeText } from "../tile-text.ts";
import classes from "./state-note.module.css";

const TEN_SECONDS_MS = 10_000;

/** A note if a tile's values are missing, old or withheld. */
export function StateNote({ tile, frame }: { tile: ShownTile; frame: TileFrame | undefined }) {
  const now = useNow(TEN_SECONDS_MS);
  const text = frame ? noteOf(tile, frame, now) : messages.waiting();
  if (!text) return null;
  return (
    <p className={classes.note} data-grave={frame?.state === "failed" || undefined}>
      {text}
    </p>
  );
}

function noteOf(tile: ShownTile, frame: TileFrame, now: number): string | null {
  const { state, asOf, changedAt } = frame;
  switch (state) {
    case "ok":
      return null;
    case "waiting":
      return messages.waiting();
    case "failed":
      return asOf
        ? messages.failedOlder({ time: timeText(Date.parse(asOf), tile.zone) })
        : messages.failed();
    case "silent":
      return changedAt
        ? messages.noChangeFor({ time: spanText(now - Date.parse(changedAt)) })
        : messages.noChange();
    case "suppressed":
      return messages.suppressed();
    case "hidden":
      return messages.hidden();
  }
}
