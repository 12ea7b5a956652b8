import type { Json } from "../../../../shared/filter/filter.ts";
import type { ShownField } from "../../../../shared/protocol/frame.ts";

/** The palette's colours by name, as colours of wallboards. */
const named: Record<string, string> = {
  red: "var(--wf-bad)",
  pink: "var(--wf-pink)",
  grape: "var(--wf-violet)",
  violet: "var(--wf-violet)",
  indigo: "var(--wf-blue)",
  blue: "var(--wf-blue)",
  cyan: "var(--wf-accent)",
  teal: "var(--wf-accent)",
  green: "var(--wf-live)",
  lime: "var(--wf-live)",
  yellow: "var(--wf-yellow)",
  orange: "var(--wf-orange)",
  gray: "var(--wf-neutral)",
};

/** Colours of groups without their own colour; neighbours also differ in lightness. */
const turns = [
  "var(--wf-accent)",
  "var(--wf-violet)",
  "var(--wf-sand)",
  "var(--wf-blue)",
  "var(--wf-pink)",
  "var(--wf-neutral)",
];

/** The colour of a group: its option's colour, otherwise the next one of the series. */
export function seriesColour(field: ShownField | undefined, key: Json, index: number): string {
  const own = field?.options?.find(({ value }) => value === key)?.colour;
  return (own && named[own]) ?? turns[index % turns.length] ?? "var(--wf-accent)";
}
