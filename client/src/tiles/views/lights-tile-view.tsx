import type { CSSProperties } from "react";
import type { ShownTile, TileRow } from "../../../../shared/protocol/frame.ts";
import { tilesMessages as messages } from "../../messages/en/tiles.ts";
import { AlertShape } from "../parts/alert-mark.tsx";
import wholeRows from "../parts/whole-rows.module.css";
import { columnsFor, type LineNeed } from "../tile-size.ts";
import { valueText } from "../tile-text.ts";
import { foldLights, isOthers } from "./fold-lights.ts";
import classes from "./lights-tile-view.module.css";
import type { TileViewProps } from "./tile-view-props.ts";

/** Average character width, and the width of shape, edges and gaps, in em. */
const CHARACTER_EM = 0.5;
const AROUND_EM = 2.6;
const ROW_EM = 1.2;

/** One light for each group: shape, name, value, and the label of its alert. */
export function LightsTileView({ tile, frame, tileSize }: TileViewProps) {
  const { rows: all = [] } = frame;
  if (all.length === 0) return <p className={wholeRows.none}>{messages.noGroups()}</p>;
  const need = lightNeed(tile, all);
  const columns = tileSize ? columnsFor(all.length, tileSize, need) : 1;
  const rows = foldLights(all, { columns, tileSize, counted: !tile.measured });
  const lines = Math.ceil(rows.length / columns);
  const style = { "--columns": columns, "--lines": lines, "--line": need.width } as CSSProperties;
  return (
    <ul className={classes.lights} style={style}>
      {rows.map((row) => (
        <Light key={JSON.stringify(row.key)} row={row} value={valueText(tile, row.value)} />
      ))}
    </ul>
  );
}

/** The size of the longest light, including alert labels. */
export function lightNeed(tile: ShownTile, rows: readonly TileRow[]): LineNeed {
  const lengths = rows.map(
    ({ label, value, alert }) =>
      label.length + valueText(tile, value).length + (alert ? alert.word.length + 1 : 0),
  );
  return { width: Math.max(0, ...lengths) * CHARACTER_EM + AROUND_EM, height: ROW_EM };
}

/** A group without a value is neither well nor ill: there was nothing to measure. */
function Light({ row, value }: { row: TileRow; value: string }) {
  const { label, alert } = row;
  const isUnknown = row.value === null && !isOthers(row);
  const colour = alert?.colour ?? (isUnknown ? "none" : "green");
  const isFlashing = alert?.flash === true && !alert.acknowledged;
  return (
    <li className={classes.light} data-colour={colour} data-flash={isFlashing || undefined}>
      <AlertShape colour={colour} />
      <span dir="auto" className={classes.name}>
        {label}
      </span>
      {alert && <span className={classes.word}>{alert.word}</span>}
      <b className={classes.value}>{value}</b>
    </li>
  );
}
