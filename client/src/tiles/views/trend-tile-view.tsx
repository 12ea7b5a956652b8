import type { CSSProperties } from "react";
import type { ShownTile, TileLine } from "../../../../shared/protocol/frame.ts";
import { tilesMessages as messages } from "../../messages/en/tiles.ts";
import { areaPath, heightOf, linePath, type Range, rangeOf } from "../parts/line-path.ts";
import { seriesColour } from "../parts/series-colour.ts";
import { asNumber, bucketText, unitOf, valueText } from "../tile-text.ts";
import type { TileViewProps } from "./tile-view-props.ts";
import classes from "./trend-tile-view.module.css";

/**
 * A measure over time. The browser stretches the drawing, so that no measuring is needed; labels are text around it.
 */
export function TrendTileView({ tile, frame }: TileViewProps) {
  const lines = frame.series ?? [];
  const target = tile.target === undefined ? [] : [tile.target];
  const range = rangeOf(
    lines.flatMap(({ points }) => points.map(({ value }) => asNumber(value))),
    target,
  );
  return (
    <figure className={classes.trend}>
      {lines.length > 1 && <Legend tile={tile} lines={lines} />}
      <div className={classes.plot}>
        <div className={classes.scale} aria-hidden="true">
          <span>{valueText(tile, range.high)}</span>
          <span>{valueText(tile, range.low)}</span>
        </div>
        <Drawing tile={tile} lines={lines} range={range} />
      </div>
      <Times tile={tile} line={lines[0]} />
      <figcaption className="wf-visually-hidden">{trendDescription(tile, lines)}</figcaption>
    </figure>
  );
}

function Drawing(props: { tile: ShownTile; lines: readonly TileLine[]; range: Range }) {
  const { tile, lines, range } = props;
  return (
    <svg
      className={classes.drawing}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {[0, 50, 100].map((y) => (
        <path key={y} className={classes.grid} d={`M0 ${y}H100`} />
      ))}
      {tile.target !== undefined && (
        <path className={classes.target} d={`M0 ${heightOf(tile.target, range)}H100`} />
      )}
      {lines.map((line, index) => (
        <Line
          key={String(line.key)}
          {...{ tile, line, index, range }}
          isAlone={lines.length === 1}
        />
      ))}
    </svg>
  );
}

function Line(props: {
  tile: ShownTile;
  line: TileLine;
  index: number;
  range: Range;
  isAlone: boolean;
}) {
  const { tile, line, index, range, isAlone } = props;
  const values = line.points.map(({ value }) => asNumber(value));
  const style = { "--line": seriesColour(tile.group, line.key, index) } as CSSProperties;
  return (
    <g style={style}>
      {isAlone && <path className={classes.area} d={areaPath(values, range)} />}
      <path className={classes.line} d={linePath(completeBuckets(values), range)} />
      <path className={classes.running} d={linePath(runningBucket(values), range)} />
    </g>
  );
}

/** The last bucket is incomplete, so its part of the line is dashed. */
function completeBuckets(values: readonly (number | null)[]) {
  return values.map((value, index) => (index < values.length - 1 ? value : null));
}

function runningBucket(values: readonly (number | null)[]) {
  return values.map((value, index) => (index < values.length - 2 ? null : value));
}

function Legend({ tile, lines }: { tile: ShownTile; lines: readonly TileLine[] }) {
  return (
    <ul className={classes.legend}>
      {lines.map((line, index) => (
        <li
          key={String(line.key)}
          style={{ "--line": seriesColour(tile.group, line.key, index) } as CSSProperties}
        >
          <span className={classes.name}>{line.label}</span>
          <b>{valueText(tile, line.points.at(-1)?.value)}</b>
        </li>
      ))}
    </ul>
  );
}

function Times({ tile, line }: { tile: ShownTile; line: TileLine | undefined }) {
  const points = line?.points ?? [];
  const middle = points[Math.floor((points.length - 1) / 2)];
  return (
    <div className={classes.times} aria-hidden="true">
      {[points[0], middle, points.at(-1)].map((point, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: three places that never change.
        <span key={index}>{point && bucketText(point.at, tile.bucket, tile.zone)}</span>
      ))}
    </div>
  );
}

/** The text alternative of the drawing. */
function trendDescription(tile: ShownTile, lines: readonly TileLine[]): string {
  const unit = unitOf(tile);
  return lines
    .map(({ label, points }) => {
      const [first, last] = [points[0], points.at(-1)];
      if (!first || !last) return "";
      return messages.trendDescription({
        label: label || tile.title,
        first: valueText(tile, first.value),
        time: bucketText(first.at, tile.bucket, tile.zone),
        last: valueText(tile, last.value),
        unit,
      });
    })
    .join(" ");
}
