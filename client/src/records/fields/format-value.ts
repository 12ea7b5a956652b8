import type { Json } from "../../../../shared/filter/filter.ts";
import { exactJsonText } from "../../../../shared/model/exact-json.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { valueMessages as messages } from "../../messages/en/values.ts";
import { formatDuration } from "./duration.ts";
import { formatDay, formatInstant } from "./instant.ts";
import { LABEL_WAITING } from "./label-waiting.ts";
import { formatNumber } from "./number-text.ts";
import { isEmptyOf } from "./same-value.ts";

/** The label of a linked record or user, if it is loaded. */
export type LabelOf = (field: Field, id: string) => string | undefined;

const noLabels: LabelOf = (_field, id) => id;

/** A value as text in the user's locale, as in a cell. Empty for null. */
export function formatValue(field: Field, value: Json | undefined, labelOf = noLabels): string {
  if (value === null || value === undefined || isEmptyOf(field, value)) return "";
  switch (field.type) {
    case "boolean":
      return value === true ? messages.yes() : messages.no();
    case "date":
      return formatDay(String(value));
    case "timestamp":
      return formatInstant(String(value));
    case "duration":
      return formatDuration(Number(value));
    case "integer":
      return formatNumber(value as number | string);
    case "decimal":
    case "money":
    case "percent":
      return formatDecimal(field, value as number | string);
    case "select":
      return optionLabel(field, String(value));
    case "multiSelect":
      return listOf(value)
        .map((item) => optionLabel(field, item))
        .join(", ");
    case "person":
    case "link":
      return labelOf(field, String(value)) ?? LABEL_WAITING;
    case "json":
      return exactJsonText(value);
    default:
      return typeof value === "string" ? value : JSON.stringify(value);
  }
}

function formatDecimal(field: Field, value: number | string): string {
  const digits = {
    minimumFractionDigits: field.scale ?? 0,
    maximumFractionDigits: field.scale ?? 20,
  };
  if (field.type === "money" && field.currency) {
    const style = { style: "currency", currency: field.currency } as const;
    // Without a scale an amount has at least the digits of its currency: €815.80.
    const atLeast = field.scale === undefined ? { maximumFractionDigits: 20 } : digits;
    return formatNumber(value, { ...style, ...atLeast });
  }
  const text = formatNumber(value, digits);
  return field.type === "percent" ? `${text} %` : text;
}

/** The label of an option, or its value if it has none. */
export function optionLabel(field: Field, value: string): string {
  return field.options?.find((option) => option.value === value)?.label ?? value;
}

/** The items of a list value; an empty list for any other value. */
export function listOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
