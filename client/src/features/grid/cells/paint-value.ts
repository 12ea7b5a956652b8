import type { Json } from "../../../../../shared/filter/filter.ts";
import { kindOfType } from "../../../../../shared/model/field-types.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { badgeColour } from "../../../records/fields/badge-colour.ts";
import {
  formatValue,
  markOf,
  optionLabel,
  optionsIn,
} from "../../../records/fields/format-value.ts";
import { LABEL_WAITING } from "../../../records/fields/label-waiting.ts";
import { isEmptyOf } from "../../../records/fields/same-value.ts";
import type { TargetLabels } from "../../../sync/calls/target-labels.ts";
import { initialsOf } from "../../../ui/initials.ts";
import { userColour } from "../../../ui/user-colour.ts";
import { createElement } from "../create-element.ts";
import { setAttribute, setText } from "./set-element.ts";

/**
 * Renders a value into a cell without React, because thousands of cells may be rendered per second. Values only ever
 * become text nodes.
 */
export function paintValue(
  into: HTMLElement,
  field: Field,
  value: Json | undefined,
  labels: TargetLabels,
): void {
  if (value === null || value === undefined || isEmptyOf(field, value)) {
    into.replaceChildren();
    return;
  }
  switch (markOf(field.type)) {
    case "options":
      into.replaceChildren(...optionsIn(value).map((option) => badge(field, option)));
      return;
    case "user":
      into.replaceChildren(userElement(field, String(value), labels));
      return;
    case "boolean":
      into.replaceChildren(
        createElement("span", value === true ? "wf-yes" : "wf-no", formatValue(field, value)),
      );
      return;
    case "link":
      into.replaceChildren(linkElement(field, String(value), labels));
      return;
    case "number":
      paintNumber(into, formatValue(field, value));
      return;
    default:
      // Each text has its own direction, so that the right end of it is cut off.
      if (kindOfType[field.type] === "text") setAttribute(into, "dir", "auto");
      setText(into, firstLine(formatValue(field, value)));
  }
}

/** Sets the width of a number in digits. Separators take about half the width of a digit. */
function paintNumber(into: HTMLElement, text: string): void {
  const narrow = text.match(/[.,'\s]/g)?.length ?? 0;
  into.style.setProperty("--wf-length", String(text.length - narrow / 2));
  into.replaceChildren(createElement("span", "wf-digits", text));
}

/** A cell shows one line. The editor shows the whole text. */
function firstLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ⏎ ");
}

function badge(field: Field, value: string): HTMLElement {
  const made = createElement("span", "wf-badge", optionLabel(field, value));
  made.dir = "auto";
  const colour = field.options?.find((option) => option.value === value)?.colour;
  made.style.setProperty("--wf-badge", badgeColour(colour));
  return made;
}

function userElement(field: Field, id: string, labels: TargetLabels): HTMLElement {
  const target = labels.get(field, id);
  const avatar = createElement("span", "wf-avatar", target ? initialsOf(target.label) : "");
  avatar.setAttribute("aria-hidden", "true");
  if (target?.colour) avatar.style.setProperty("--wf-user-colour", userColour(target.colour));
  const made = createElement("span", "wf-user");
  const nameElement = labelElement("wf-user-name", target?.label);
  made.append(avatar, nameElement);
  return made;
}

function linkElement(field: Field, id: string, labels: TargetLabels): HTMLElement {
  const made = createElement("span", "wf-link");
  const label = labelElement("wf-link-label", labels.labelOf(field, id));
  made.append(label, createElement("span", "wf-link-open"));
  return made;
}

/** A label, or a bar in its place until it is loaded. */
function labelElement(className: string, label: string | undefined): HTMLElement {
  const made = createElement("span", className, label);
  made.dir = "auto";
  if (label === undefined) made.append(createElement("span", "wf-waiting", LABEL_WAITING));
  return made;
}
