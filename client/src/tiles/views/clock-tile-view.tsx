import type { ShownTile } from "../../../../shared/protocol/frame.ts";
import { TileValue } from "../parts/tile-value.tsx";
import { useNow } from "../tile-clock.ts";
import { zonedText } from "../tile-text.ts";
import classes from "./clock-tile-view.module.css";

const MINUTE_MS = 60_000;

/** The time in a zone, by the server's clock. */
export function ClockTileView({ tile }: { tile: ShownTile }) {
  const now = useNow(tile.seconds ? 1_000 : MINUTE_MS);
  const text = zonedText(now, tile.zone, {
    hour: "2-digit",
    minute: "2-digit",
    ...(tile.seconds ? { second: "2-digit" } : {}),
    hourCycle: tile.hours === "12" ? "h12" : "h23",
  });
  const [time = "", half = ""] = text.split(" ");
  return (
    <div className={classes.clock}>
      <TileValue text={time} unit={half} />
      {tile.date && (
        <p className={classes.date}>
          {zonedText(now, tile.zone, { weekday: "short", day: "numeric", month: "short" })}
        </p>
      )}
    </div>
  );
}
