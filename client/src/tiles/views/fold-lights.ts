import type { TileRow } from "../../../../shared/protocol/frame.ts";
import { HEAD_EM, type TileSize } from "../tile-size.ts";
import { asNumber } from "../tile-text.ts";
import { othersText, worstAlert } from "./fold-parts.ts";

const othersKey = { others: true };

/** Whether a light combines several groups, which have no value together unless they are counted. */
export function isOthers({ key }: TileRow): boolean {
  return key === othersKey;
}

/** The minimum height of a light with its gap, in em, as in lights-tile-view.module.css. */
const MIN_LIGHT_EM = 0.48;

/**
 * The lights that fit; the last one says how many others there are, and shows the worst of their alerts. Their sum is
 * known only for counts.
 */
export function foldLights(
  rows: readonly TileRow[],
  {
    columns,
    tileSize,
    counted,
  }: { columns: number; tileSize: TileSize | undefined; counted: boolean },
): TileRow[] {
  const lines = tileSize ? Math.floor((tileSize.height - HEAD_EM) / MIN_LIGHT_EM) : rows.length;
  const places = Math.max(lines, 1) * columns;
  if (rows.length <= places) return [...rows];
  const others = rows.slice(places - 1);
  const sum = others.reduce((total, { value }) => total + (asNumber(value) ?? 0), 0);
  const label = othersText(others.length);
  const last = { key: othersKey, label, value: counted ? sum : null };
  return [...rows.slice(0, places - 1), { ...last, alert: worstAlert(others) }];
}
