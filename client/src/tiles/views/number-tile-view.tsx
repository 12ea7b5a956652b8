import type { ShownTile, TileFrame } from "../../../../shared/protocol/frame.ts";
import { tilesMessages as messages } from "../../messages/en/tiles.ts";
import { areaPath, linePath, rangeOf } from "../parts/line-path.ts";
import sparkLineStyles from "../parts/spark-line.module.css";
import { TileValue } from "../parts/tile-value.tsx";
import { asNumber, differenceText, unitOf, valueText } from "../tile-text.ts";
import classes from "./number-tile-view.module.css";
import type { TileViewProps } from "./tile-view-props.ts";

/** One value with its target, the comparison with the previous bucket, and its trend. */
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
  /** The compared value of the trend, if it is not the tile's own value. */
  now: number | null;
  difference: number;
}

/**
 * Compares the running bucket with the previous one up to the same moment. Null if either is unknown, as for months,
 * which differ in length.
 */
export function comparisonOf(tile: ShownTile, frame: TileFrame): Compared | null {
  const before = asNumber(frame.before);
  const running = asNumber(frame.series?.[0]?.points.at(-1)?.value);
  const now = tile.compared === "trend" ? running : asNumber(frame.value);
  if (tile.compared === undefined || before === null || now === null) return null;
  return { now: tile.compared === "trend" ? now : null, difference: now - before };
}

/** The labels of the running bucket and of the bucket it is compared with, in two parts. */
const bucketLabels = {
  minute: [messages.thisMinute, messages.vsLastMinute, messages.soFar],
  hour: [messages.thisHour, messages.vsLastHour, messages.atThisTime],
  day: [messages.today, messages.vsYesterday, messages.atThisTime],
  week: [messages.thisWeek, messages.vsLastWeek, messages.atThisTime],
  month: [messages.thisMonth, messages.vsLastMonth, messages.soFar],
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
          <span className={classes.dim}>{name()} </span>
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
        <span className={classes.dim}>{messages.sinceMidnight()}</span>
      ) : (
        <span className={classes.dim}>
          {before()} <span className={classes.moment}>{moment()}</span>
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
      <span className={classes.dim}>{messages.target()} </span>
      {valueText(tile, target)}
      {reached && <span className={classes.reached}> ✓</span>}
    </span>
  );
}

/** A trend line without axes that fills its place. */
function SparkLine({ values }: { values: readonly (number | null)[] }) {
  const range = rangeOf(values);
  return (
    <svg
      className={sparkLineStyles.spark}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={sparkLineStyles.area} d={areaPath(values, range)} />
      <path className={sparkLineStyles.line} d={linePath(values, range)} />
    </svg>
  );
}
