import type { Json } from "../../../shared/filter/filter.ts";
import type { ShownTile, TileFrame } from "../../../shared/protocol/frame.ts";
import { tilesMessages as messages } from "../messages/en/tiles.ts";
import { valueMessages } from "../messages/en/values.ts";

/**
 * The label of a group in the language of the interface: the server words yes, no, and the group without a value in
 * English. Other labels are the customer's.
 */
export function groupLabel({ group }: ShownTile, key: Json, label: string): string {
  if (!group || (key !== null && typeof key !== "boolean")) return label;
  if (key !== null) return key ? valueMessages.yes() : valueMessages.no();
  if (group.type === "boolean") return messages.notSet({ field: group.label });
  return messages.withoutValue({ field: inSentence(group.label) });
}

/** The frame of a tile with such labels. */
export function withGroupLabels(tile: ShownTile, frame: TileFrame): TileFrame {
  if (!tile.group) return frame;
  const worded = <T extends { key: Json; label: string }>(part: T): T => ({
    ...part,
    label: groupLabel(tile, part.key, part.label),
  });
  const { rows, series } = frame;
  return {
    ...frame,
    ...(rows && { rows: rows.map(worded) }),
    ...(series && { series: series.map(worded) }),
  };
}

/** A label without its capital, unless it is an abbreviation. */
function inSentence(label: string): string {
  const [first = "", second = ""] = label;
  return second === second.toLowerCase() ? first.toLowerCase() + label.slice(1) : label;
}
