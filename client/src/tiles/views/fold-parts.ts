import type { Json } from "../../../../shared/filter/filter.ts";
import type { Alert } from "../../../../shared/protocol/frame.ts";
import { tilesMessages as messages } from "../../messages/en/tiles.ts";
import { HEAD_EM, type TileSize } from "../tile-size.ts";

/** A group of a breakdown, or several of them as one. */
export interface Part {
  key: string;
  label: string;
  value: Json;
  size: number;
  colour: string;
  /** How many groups it stands for; 0 where that is not known. */
  groups: number;
  /** The threshold that holds for it; of several groups that of the worst. */
  alert: Alert | null;
}

/** The least height of a line, in sizes of the tile's words: as in breakdown-tile-view.module.css. */
const MIN_LINE_EM = 0.48;

/**
 * The parts that there is room for: the last line says how many others there are, so that nobody takes
 * what is seen for all. What they come to is known where records are counted.
 */
export function foldParts(
  parts: readonly Part[],
  tileSize: TileSize | undefined,
  counted: boolean,
): Part[] {
  const lines = tileSize ? Math.floor((tileSize.height - HEAD_EM) / MIN_LINE_EM) : parts.length;
  if (lines < 2 || parts.length <= lines) return [...parts];
  const tail = parts.slice(lines - 1);
  const size = tail.reduce((sum, part) => sum + part.size, 0);
  const groups = tail.reduce((sum, part) => sum + part.groups, 0);
  return [
    ...parts.slice(0, lines - 1),
    {
      key: "rest",
      label: othersText(tail.some((part) => part.groups === 0) ? 0 : groups),
      value: counted ? size : null,
      size: counted ? size : 0,
      colour: "var(--tile-grey)",
      groups,
      alert: worstAlert(tail),
    },
  ];
}

/** From good to bad. The wall's bundle holds no schemas, so this is listed again. */
const bySeverity: readonly Alert["colour"][] = ["green", "blue", "yellow", "orange", "red"];

/** The worst alert of several rows; null where none has one. */
export function worstAlert(rows: readonly { alert?: Alert | null | undefined }[]): Alert | null {
  const severity = ({ colour }: Alert) => bySeverity.indexOf(colour);
  const alerts = rows.flatMap(({ alert }) => alert ?? []);
  return alerts.toSorted((a, b) => severity(b) - severity(a))[0] ?? null;
}

/** The label of several groups together. */
export function othersText(groups: number): string {
  return groups > 0 ? messages.othersCount({ count: groups }) : messages.others();
}
