import type { Json } from "../../../../shared/filter/filter.ts";
import { kindOfType } from "../../../../shared/model/field-types.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { initialsOf } from "../../ui/initials.ts";
import { userColour } from "../../ui/user-colour.ts";
import { badgeColour } from "./badge-colour.ts";
import { formatValue, markOf, optionLabel, optionsIn } from "./format-value.ts";
import { LABEL_WAITING } from "./label-waiting.ts";
import type { LookUp } from "./look-up.ts";
import { isEmptyOf } from "./same-value.ts";

/**
 * How a value looks, wherever it is shown: the one place that knows. It says so as parts, which React draws in panels, cards and lists
 * (value-mark.tsx) and the grid by hand in cells, because it may draw thousands in a second (paint-value.ts). Neither knows of types.
 * Where only a text fits, as in tiles, titles and messages, `formatValue` gives the same words.
 */

/** An element, or a text alone. Texts only ever become text nodes. */
export interface ValuePart {
  text?: string;
  /** Without it, its text alone. */
  className?: string;
  children?: readonly ValuePart[];
  /** A text has its own direction, so that the right end of it is cut off. */
  hasDirection?: boolean;
  /** Screen readers pass it over. */
  isDecoration?: boolean;
  style?: { name: "--wf-badge" | "--wf-user-colour"; value: string };
}

type Labels = Pick<LookUp, "get" | "labelOf">;

/** The parts of a value in a cell, which has one line and a width; none where it is empty. */
export function cellParts(
  field: Field,
  value: Json | undefined,
  labels: Labels,
): readonly ValuePart[] {
  if (value === null || value === undefined || isEmptyOf(field, value)) return [];
  switch (markOf(field.type)) {
    case "options":
      return optionParts(field, value);
    case "user":
      return [userOf(field, value, labels)];
    case "boolean":
      return [{ className: value === true ? "wf-yes" : "wf-no", text: formatValue(field, value) }];
    case "link":
      return [
        {
          className: "wf-link",
          children: [
            labelPart("wf-link-label", labels.labelOf(field, String(value))),
            { className: "wf-link-open" },
          ],
        },
      ];
    case "number":
      return [{ className: "wf-digits", text: formatValue(field, value) }];
    default:
      return [
        {
          text: firstLine(formatValue(field, value)),
          hasDirection: kindOfType[field.type] === "text",
        },
      ];
  }
}

/** The value as one part within other text, on as many lines as it needs; null where it is empty. */
export function inlinePart(
  field: Field,
  value: Json | undefined,
  labels: Labels,
): ValuePart | null {
  if (value === null || value === undefined || isEmptyOf(field, value)) return null;
  const mark = markOf(field.type);
  if (mark === "user") return userOf(field, value, labels);
  if (mark === "options") return { className: "wf-badges", children: optionParts(field, value) };
  if (mark === "link") return labelPart("", labels.labelOf(field, String(value)));
  const className = mark === "prose" ? "wf-prose" : "";
  return { className, text: formatValue(field, value), hasDirection: true };
}

/** A cell shows one line. The editor shows the whole text. */
function firstLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ⏎ ");
}

function optionParts(field: Field, value: Json): ValuePart[] {
  return optionsIn(value).map((option) => {
    const colour = field.options?.find((one) => one.value === option)?.colour;
    return optionPart(optionLabel(field, option), colour);
  });
}

/** An option as a tinted badge with its word; the colour is never the only sign. */
export function optionPart(label: string, colour: string | undefined): ValuePart {
  const style = { name: "--wf-badge", value: badgeColour(colour) } as const;
  return { className: "wf-badge", text: label, hasDirection: true, style };
}

function userOf(field: Field, value: Json, labels: Labels): ValuePart {
  const user = labels.get(field, String(value));
  return userPart(user?.label, user?.colour);
}

/** A user as avatar and name, as far as that is loaded. */
export function userPart(name: string | undefined, colour: string | undefined): ValuePart {
  const avatar: ValuePart = {
    className: "wf-avatar",
    text: name === undefined ? "" : initialsOf(name),
    isDecoration: true,
    ...(colour && { style: { name: "--wf-user-colour", value: userColour(colour) } }),
  };
  return { className: "wf-user", children: [avatar, labelPart("wf-user-name", name)] };
}

/** A label, or a bar in its place until it is loaded. */
export function labelPart(className: string, label: string | undefined): ValuePart {
  const isWaiting = label === undefined || label === LABEL_WAITING;
  const waiting = [{ className: "wf-waiting", text: LABEL_WAITING }];
  return {
    className,
    hasDirection: true,
    ...(isWaiting ? { children: waiting } : { text: label }),
  };
}
