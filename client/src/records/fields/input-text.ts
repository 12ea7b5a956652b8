import type { Json } from "../../../../shared/filter/filter.ts";
import { exactJsonText } from "../../../../shared/model/exact-json.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { valueMessages as messages } from "../../messages/en/values.ts";
import { formatDuration } from "./duration.ts";
import { type LabelOf, listOf, optionLabel } from "./format-value.ts";
import { formatDay, formatInstant, localText, parseDay, parseInstant } from "./instant.ts";
import { ungroupedNumber } from "./number-text.ts";

/**
 * The initial text of an editor: a date or time as its cell shows it, in the user's locale and zone, if that parses to
 * the same value; any other value as it is copied.
 */
export function editorText(
  field: Field,
  value: Json | undefined,
  labelOf?: LabelOf,
  locale?: string,
): string {
  if (typeof value !== "string") return inputText(field, value, labelOf, locale);
  const isDay = field.type === "date";
  if (!isDay && field.type !== "timestamp") return inputText(field, value, labelOf, locale);
  const shown = isDay ? formatDay(value, locale) : formatInstant(value, locale);
  const read = isDay ? parseDay(shown, locale) : parseInstant(shown, locale);
  const isSame = isDay ? read === value : read !== null && minuteOf(read) === minuteOf(value);
  return isSame ? shown : inputText(field, value);
}

/** Cells show no seconds. */
function minuteOf(instant: string): number {
  return Math.floor(Date.parse(instant) / 60_000);
}

/**
 * A value as text that `parseInput` turns back into the same value, as in a copied range: numbers with the decimal mark of
 * the locale. Links give their label, which pasting looks up again.
 */
export function inputText(
  field: Field,
  value: Json | undefined,
  labelOf?: LabelOf,
  locale?: string,
): string {
  if (value === null || value === undefined) return "";
  switch (field.type) {
    case "boolean":
      return value === true ? messages.yes() : messages.no();
    case "integer":
    case "decimal":
    case "money":
    case "percent":
      return ungroupedNumber(String(value), locale);
    case "timestamp":
      return localText(String(value));
    case "duration":
      return formatDuration(Number(value), true);
    case "select":
      return optionLabel(field, String(value));
    case "multiSelect":
      return listOf(value)
        .map((item) => optionLabel(field, item))
        .join(", ");
    case "person":
    case "link":
      return labelOf?.(field, String(value)) ?? String(value);
    case "json":
      return exactJsonText(value);
    default:
      return typeof value === "string" || typeof value === "number"
        ? String(value)
        : exactJsonText(value);
  }
}
