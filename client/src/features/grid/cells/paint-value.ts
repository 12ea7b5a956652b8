import type { Json } from "../../../../../shared/filter/filter.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { cellParts, type ValuePart } from "../../../records/fields/value-parts.ts";
import type { TargetLabels } from "../../../sync/calls/target-labels.ts";
import { createElement } from "../create-element.ts";
import { setAttribute, setText } from "./set-element.ts";

/** Draws a value into a cell, without React. */
export function paintValue(
  into: HTMLElement,
  field: Field,
  value: Json | undefined,
  labels: TargetLabels,
): void {
  const parts = cellParts(field, value, labels);
  const [first] = parts;
  if (first && first.className === undefined) {
    if (first.hasDirection) setAttribute(into, "dir", "auto");
    setText(into, first.text ?? "");
    return;
  }
  if (first?.className === "wf-digits")
    into.style.setProperty("--wf-length", lengthInDigits(first.text ?? ""));
  into.replaceChildren(...parts.map(elementOf));
}

/** Separators take about half the width of a digit. */
function lengthInDigits(text: string): string {
  const narrow = text.match(/[.,'\s]/g)?.length ?? 0;
  return String(text.length - narrow / 2);
}

function elementOf(part: ValuePart): HTMLElement {
  const { className = "", text, children = [], hasDirection, isDecoration, style } = part;
  const made = createElement("span", className, text);
  if (hasDirection) made.dir = "auto";
  if (isDecoration) made.setAttribute("aria-hidden", "true");
  if (style) made.style.setProperty(style.name, style.value);
  made.append(...children.map(elementOf));
  return made;
}
