import type { CSSProperties } from "react";
import type { Alert, ShownTile, TileFrame } from "../../../../shared/protocol/frame.ts";
import { tilesMessages as messages } from "../../messages/en/tiles.ts";
import { AlertShape } from "../parts/alert-mark.tsx";
import { seriesColour } from "../parts/series-colour.ts";
import wholeRows from "../parts/whole-rows.module.css";
import { asNumber, unitOf, valueText } from "../tile-text.ts";
import classes from "./breakdown-tile-view.module.css";
import { foldParts, othersText, type Part } from "./fold-parts.ts";
import type { TileViewProps } from "./tile-view-props.ts";

/** A measure grouped by a field, as bars or a donut; groups beyond the limit are one part. */
export function BreakdownTileView({ tile, frame, tileSize }: TileViewProps) {
  const parts = partsOf(tile, frame);
  const lines = foldParts(parts, tileSize, !tile.measured);
  if (parts.length === 0) return <p className={wholeRows.none}>{messages.noData()}</p>;
  return tile.shape === "donut" ? (
    <Donut tile={tile} parts={parts} lines={lines} />
  ) : (
    <Bars tile={tile} parts={lines} />
  );
}

function partsOf(tile: ShownTile, { rows = [], rest }: TileFrame): Part[] {
  const parts = rows.map(({ key, label, value, alert }, index) => ({
    key: JSON.stringify(key),
    label,
    value,
    size: Math.max(asNumber(value) ?? 0, 0),
    colour: seriesColour(tile.group, key, index),
    groups: 1,
    alert: alert ?? null,
  }));
  if (!rest) return parts;
  const size = Math.max(asNumber(rest.value) ?? 0, 0);
  const { groups, value } = rest;
  const label = othersText(groups);
  return [
    ...parts,
    { key: "rest", label, value, size, colour: "var(--wf-neutral)", groups, alert: null },
  ];
}

function Bars({ tile, parts }: { tile: ShownTile; parts: readonly Part[] }) {
  const largest = Math.max(...parts.map(({ size }) => size), 1e-9);
  const unit = unitOf(tile);
  return (
    <ul
      className={`${wholeRows.rows} ${classes.bars}`}
      style={{ "--rows": parts.length } as CSSProperties}
    >
      {parts.map(({ key, label, value, size, colour, alert }) => (
        <li
          key={key}
          style={{ "--part": colour, "--size": size / largest } as CSSProperties}
          {...alertData(alert)}
        >
          <span dir="auto" className={classes.label}>
            {label}
          </span>
          <AlertWord alert={alert} />
          <b className={classes.value}>
            {valueText(tile, value)}
            {unit && <span className={classes.unit}> {unit}</span>}
          </b>
        </li>
      ))}
    </ul>
  );
}

/** The width of a bold digit, and of a line's mark with gaps, in em. */
const DIGIT_EM = 0.58;
const MARK_EM = 1.8;

interface DonutProps {
  tile: ShownTile;
  parts: readonly Part[];
  /** The parts in the legend. */
  lines: readonly Part[];
}

function Donut({ tile, parts, lines }: DonutProps) {
  const total = parts.reduce((sum, { size }) => sum + size, 0);
  const showsTotal = !tile.measured;
  const longest = Math.max(...lines.map(({ value }) => valueText(tile, value).length));
  const valueEm = longest * DIGIT_EM + MARK_EM;
  return (
    <div className={classes.donut}>
      <div className={classes.ring}>
        <svg viewBox="0 0 100 100" aria-hidden="true">
          {arcsOf(parts, total).map(({ key, colour, from, share }) => (
            <circle
              key={key}
              className={classes.arc}
              cx="50"
              cy="50"
              r="40"
              pathLength="100"
              style={{ stroke: colour }}
              strokeDasharray={`${Math.max(share - 0.8, 0.2)} 100`}
              strokeDashoffset={-from - 0.4}
            />
          ))}
        </svg>
        {showsTotal && <b className={classes.total}>{valueText(tile, total)}</b>}
      </div>
      <ul
        className={`${wholeRows.rows} ${classes.legend}`}
        style={{ "--rows": lines.length, "--value": valueEm } as CSSProperties}
      >
        {lines.map(({ key, label, value, colour, alert }) => (
          <li key={key} style={{ "--part": colour } as CSSProperties} {...alertData(alert)}>
            <span dir="auto" className={classes.label}>
              {label}
            </span>
            <AlertWord alert={alert} />
            <b className={classes.value}>{valueText(tile, value)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Colour and flashing of a row; it flashes until the alert is acknowledged. */
function alertData(alert: Alert | null) {
  if (!alert) return {};
  return {
    "data-colour": alert.colour,
    "data-flash": (alert.flash && !alert.acknowledged) || undefined,
  };
}

/** Shape and label of a group's alert. */
function AlertWord({ alert }: { alert: Alert | null }) {
  if (!alert) return null;
  return (
    <span className={classes.alert}>
      <AlertShape colour={alert.colour} />
      <span className={classes.word}>{alert.word}</span>
    </span>
  );
}

function arcsOf(parts: readonly Part[], total: number) {
  let from = 0;
  return parts
    .filter(({ size }) => size > 0 && total > 0)
    .map(({ key, size, colour }) => {
      const share = (size / total) * 100;
      const arc = { key, colour, from, share };
      from += share;
      return arc;
    });
}
