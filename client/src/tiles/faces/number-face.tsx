import type { ShownTile, TileLine } from "../../../../shared/protocol/frame.ts";
import { Figure } from "../parts/figure.tsx";
import { SparkLine } from "../parts/spark-line.tsx";
import { asNumber, differenceText, figureText, unitOf } from "../tile-text.ts";
import type { FaceProps } from "./face-props.ts";
import classes from "./number-face.module.css";

/** One figure, what it should be, how it moved between the last two whole buckets, and the way it came. */
export function NumberFace({ tile, frame, mark }: FaceProps) {
  const line = frame.series?.[0];
  const last = line && lastBucket(line);
  const text = figureText(tile, frame.value);
  return (
    <div className={classes.number} data-long={text.length > 2 || undefined}>
      <div className={classes.main}>
        <Figure text={text} unit={unitOf(tile)} />
        {mark}
      </div>
      {(last || tile.target !== undefined) && (
        <p className={classes.foot} data-foot>
          {last && <Delta tile={tile} last={last} />}
          {tile.target !== undefined && <TargetWords tile={tile} value={asNumber(frame.value)} />}
        </p>
      )}
      {line && (
        <div className={classes.spark}>
          <SparkLine values={line.points.map(({ value }) => asNumber(value))} />
        </div>
      )}
    </div>
  );
}

/** What the last whole bucket came to, and by how much that differs from the one before it. */
export interface LastBucket {
  value: number;
  change: number | null;
}

/** Null where it is not known. The running bucket would always look low. */
export function lastBucket({ points }: TileLine): LastBucket | null {
  const [last, before] = points
    .slice(-3, -1)
    .map(({ value }) => asNumber(value))
    .reverse();
  if (last == null) return null;
  return { value: last, change: before == null ? null : last - before };
}

const bucketWords = {
  minute: ["last minute", "the minute before"],
  hour: ["last hour", "the hour before"],
  day: ["yesterday", "the day before"],
  week: ["last week", "the week before"],
  month: ["last month", "the month before"],
} as const;

/** "yesterday 12 (▲ +3)": what it was, and of that the difference, so that nobody takes it for that of today. */
function Delta({ tile, last: { value, change } }: { tile: ShownTile; last: LastBucket }) {
  const { better, bucket = "hour" } = tile;
  const [last, before] = bucketWords[bucket];
  const good = !change || !better ? undefined : change > 0 === (better === "more");
  const arrow = !change ? "" : change > 0 ? "▲" : "▼";
  return (
    <span
      className={classes.delta}
      title={change === null ? undefined : `${differenceText(tile, change)} on ${before}`}
    >
      <span className={classes.dim}>{last} </span>
      <span>
        {figureText(tile, value)}
        {change !== null && (
          <span className={classes.change} data-good={good}>
            {" ("}
            {arrow && (
              <span aria-hidden="true" className={classes.arrow}>
                {arrow}
              </span>
            )}
            {differenceText(tile, change)})
          </span>
        )}
      </span>
    </span>
  );
}

function TargetWords({ tile, value }: { tile: ShownTile; value: number | null }) {
  const target = tile.target ?? 0;
  const reached = value !== null && (tile.better === "less" ? value <= target : value >= target);
  return (
    <span className={classes.target}>
      <span className={classes.dim}>target </span>
      {figureText(tile, target)}
      {reached && <span className={classes.reached}> ✓</span>}
    </span>
  );
}
