import type { Json } from "../../../../shared/filter/filter.ts";
import type { Alert } from "../../../../shared/protocol/frame.ts";
import { tilesMessages as messages } from "../../messages/en/tiles.ts";
import { HEAD_EM, type TileSize } from "../tile-size.ts";

/** One group of a breakdown, or several groups combined. */
export interface Part {
  key: string;
  label: string;
  value: Json;
  size: number;
  colour: string;
  /** The number of groups; 0 if unknown. */
  groups: number;
  /** The alert of the group, or the worst one of several groups. */
  alert: Alert | null;
}

/** The minimum height of a line, in em, as in breakdown-tile-view.module.css. */
const MIN_LINE_EM = 0.48;

/**
 * The parts that fit; the last line says how many others there are. Their sum is known only for counts.
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
      colour: "var(--wf-neutral)",
      groups,
      alert: worstAlert(tail),
    },
  ];
}

/** From good to bad. Repeated here because the display bundle contains no schemas. */
const bySeverity: readonly Alert["colour"][] = ["green", "blue", "yellow", "orange", "red"];

/** The worst alert of several rows, or null. */
export function worstAlert(rows: readonly { alert?: Alert | null | undefined }[]): Alert | null {
  const severity = ({ colour }: Alert) => bySeverity.indexOf(colour);
  const alerts = rows.flatMap(({ alert }) => alert ?? []);
  return alerts.toSorted((a, b) => severity(b) - severity(a))[0] ?? null;
}

/** The label of several groups together. */
export function othersText(groups: number): string {
  return groups > 0 ? messages.othersCount({ count: groups }) : messages.others();
}
