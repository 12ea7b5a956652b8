import type { ShownTile, TileFrame } from "../../../../shared/protocol/frame.ts";
import { useNow } from "../tile-clock.ts";
import { spanText, timeText } from "../tile-text.ts";
import classes from "./state-note.module.css";

const TEN_SECONDS_MS = 10_000;

/** What is to be said of a tile's figures where they are not simply true; nothing else takes room. */
export function StateNote({ tile, frame }: { tile: ShownTile; frame: TileFrame | undefined }) {
  const now = useNow(TEN_SECONDS_MS);
  const text = frame ? noteOf(tile, frame, now) : "Waiting";
  if (!text) return null;
  return (
    <p className={classes.note} data-grave={frame?.state === "failed" || undefined}>
      {text}
    </p>
  );
}

function noteOf(tile: ShownTile, frame: TileFrame, now: number): string | null {
  const { state, asOf, changedAt } = frame;
  const older = asOf ? `, figures of ${timeText(Date.parse(asOf), tile.zone)}` : "";
  switch (state) {
    case "ok":
      return null;
    case "waiting":
      return "Waiting";
    case "failed":
      return `Failed${older}`;
    case "silent":
      return changedAt ? `No news for ${spanText(now - Date.parse(changedAt))}` : "No news";
    case "suppressed":
      return "Too few to tell";
    case "hidden":
      return "Not to be seen here";
  }
}
