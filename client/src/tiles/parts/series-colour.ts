import type { Json } from "../../../../shared/filter/filter.ts";
import type { ShownField } from "../../../../shared/protocol/frame.ts";

/** The palette's colours by name, as colours of wallboards. */
const named: Record<string, string> = {
  red: "var(--tile-red)",
  pink: "var(--tile-pink)",
  grape: "var(--tile-violet)",
  violet: "var(--tile-violet)",
  indigo: "var(--tile-blue)",
  blue: "var(--tile-blue)",
  cyan: "var(--tile-accent)",
  teal: "var(--tile-accent)",
  green: "var(--tile-green)",
  lime: "var(--tile-green)",
  yellow: "var(--tile-yellow)",
  orange: "var(--tile-orange)",
  gray: "var(--tile-grey)",
};

/** Colours of groups without their own colour; neighbours also differ in lightness. */
const turns = [
  "var(--tile-accent)",
  "var(--tile-violet)",
  "var(--tile-sand)",
  "var(--tile-blue)",
  "var(--tile-pink)",
  "var(--tile-grey)",
];

/** The colour of a group: its option's colour, otherwise the next one of the series. */
export function seriesColour(field: ShownField | undefined, key: Json, index: number): string {
  const own = field?.options?.find(({ value }) => value === key)?.colour;
  return (own && named[own]) ?? turns[index % turns.length] ?? "var(--tile-accent)";
}
