import type { ShownTile, TileFrame } from "../../../../shared/protocol/frame.ts";
import { SparkLine } from "../parts/spark-line.tsx";
import { TileValue } from "../parts/tile-value.tsx";
import { asNumber, differenceText, unitOf, valueText } from "../tile-text.ts";
import classes from "./number-tile-view.module.css";
import type { TileViewProps } from "./tile-view-props.ts";

/** One value, what it should be, how it compares with the bucket before, and its trend. */
export function NumberTileView({ tile, frame, mark }: TileViewProps) {
  const line = frame.series?.[0];
  const comparison = comparisonOf(tile, frame);
  const text = valueText(tile, frame.value);
  return (
    <div className={classes.number} data-long={text.length > 2 || undefined}>
      <div className={classes.main}>
        <TileValue text={text} unit={unitOf(tile)} />
        {mark}
      </div>
      {(comparison || tile.target !== undefined) && (
        <p className={classes.foot} data-foot>
          {comparison && <Comparison tile={tile} {...comparison} />}
          {tile.target !== undefined && <TargetLabel tile={tile} value={asNumber(frame.value)} />}
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

interface Compared {
  /** What of the trend is compared, where that is not the tile's own value. */
  now: number | null;
  difference: number;
}

/**
 * The running bucket beside the one before it up to the same moment: like with like. Null where either
 * is unknown, as for months, which differ in length.
 */
export function comparisonOf(tile: ShownTile, frame: TileFrame): Compared | null {
  const before = asNumber(frame.before);
  const running = asNumber(frame.series?.[0]?.points.at(-1)?.value);
  const now = tile.compared === "trend" ? running : asNumber(frame.value);
  if (tile.compared === undefined || before === null || now === null) return null;
  return { now: tile.compared === "trend" ? now : null, difference: now - before };
}

/** What the running bucket is called, and what it is compared with, in two parts of a line. */
const bucketLabels = {
  minute: ["this minute", "vs last minute", "so far"],
  hour: ["this hour", "vs last hour", "at this time"],
  day: ["today", "vs yesterday", "at this time"],
  week: ["this week", "vs last week", "at this time"],
  month: ["this month", "vs last month", "so far"],
} as const;

/** "▲ 3 vs yesterday at this time". */
function Comparison({ tile, now, difference }: Compared & { tile: ShownTile }) {
  const { better, bucket = "day", compared } = tile;
  const [name, before, moment] = bucketLabels[bucket];
  const good = difference === 0 || !better ? undefined : difference > 0 === (better === "more");
  const arrow = difference === 0 ? "" : difference > 0 ? "▲" : "▼";
  return (
    <span className={classes.delta}>
      {now !== null && (
        <span>
          <span className={classes.dim}>{name} </span>
          {valueText(tile, now)}
        </span>
      )}
      <span className={classes.change} data-good={good}>
        {arrow && (
          <span aria-hidden="true" className={classes.arrow}>
            {arrow}
          </span>
        )}
        {differenceText(tile, difference)}
      </span>
      {compared === "level" ? (
        <span className={classes.dim}>since midnight</span>
      ) : (
        <span className={classes.dim}>
          {before} <span className={classes.moment}>{moment}</span>
        </span>
      )}
    </span>
  );
}

function TargetLabel({ tile, value }: { tile: ShownTile; value: number | null }) {
  const target = tile.target ?? 0;
  const reached = value !== null && (tile.better === "less" ? value <= target : value >= target);
  return (
    <span className={classes.target}>
      <span className={classes.dim}>target </span>
      {valueText(tile, target)}
      {reached && <span className={classes.reached}> ✓</span>}
    </span>
  );
}
