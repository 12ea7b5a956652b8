import type { Json, ValueKind } from "../../../../shared/filter/filter.ts";
import { isNumeric } from "../../../../shared/filter/value-kinds.ts";
import { exactJsonText } from "../../../../shared/model/exact-json.ts";
import {
  type FieldType,
  isReference,
  kindOfType,
  traitsOf,
} from "../../../../shared/model/field-types.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { valueMessages as messages } from "../../messages/en/values.ts";
import { formatNumber } from "../../ui/numbers.ts";
import { formatDuration } from "./duration.ts";
import { formatDay, formatInstant } from "./instant.ts";
import { LABEL_WAITING } from "./label-waiting.ts";
import { isEmptyOf } from "./same-value.ts";

/** The label of a linked record or user, if it is loaded. */
export type LabelOf = (field: Field, id: string) => string | undefined;

const noLabels: LabelOf = (_field, id) => id;

/**
 * How values look, by their kind, and by their type where that says more. Tiles on walls use it too, so that nothing that reads
 * typed text is imported here (typed-text.ts).
 */

/** A value as text in the user's locale, as in a cell. Empty for null. */
export function formatValue(field: Field, value: Json | undefined, labelOf = noLabels): string {
  if (value === null || value === undefined || isEmptyOf(field, value)) return "";
  const format = ofType[field.type] ?? ofKind[kindOfType[field.type]];
  return format(value, field, labelOf);
}

type Format = (value: Exclude<Json, null>, field: Field, labelOf: LabelOf) => string;

const ofKind: Readonly<Record<ValueKind, Format>> = {
  text: (value, field, labelOf) => {
    if (traitsOf(field.type).names === "option") return optionsText(value, field);
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return isReference(field.type) ? (labelOf(field, text) ?? LABEL_WAITING) : text;
  },
  boolean: (value) => (value === true ? messages.yes() : messages.no()),
  date: (value) => formatDay(String(value)),
  timestamp: (value) => formatInstant(String(value)),
  integer: (value, { ungrouped }) =>
    formatNumber(value as number | string, ungrouped ? { useGrouping: false } : {}),
  decimal: (value, field) => formatDecimal(field, value as number | string),
  list: optionsText,
  json: (value) => exactJsonText(value),
};

/** The types that show their values in another way than others of their kind. */
const ofType: Partial<Record<FieldType, Format>> = {
  duration: (value) => formatDuration(Number(value)),
  percent: (value, field) => `${formatDecimal(field, value as number | string)} %`,
};

function formatDecimal({ scale, currency }: Field, value: number | string): string {
  const digits = { minimumFractionDigits: scale ?? 0, maximumFractionDigits: scale ?? 20 };
  if (!currency) return formatNumber(value, digits);
  const style = { style: "currency", currency } as const;
  // Without a scale an amount has at least the digits of its currency: €815.80.
  const atLeast = scale === undefined ? { maximumFractionDigits: 20 } : digits;
  return formatNumber(value, { ...style, ...atLeast });
}

/** How a value is drawn: as its text, or as a mark beside or around it. */
export type Mark = "text" | "prose" | "number" | "boolean" | "options" | "user" | "link";

/** How values of a type are drawn in cells, panels and lists. */
export function markOf(type: FieldType): Mark {
  const { kind, names, hasLines } = traitsOf(type);
  if (names === "option") return "options";
  if (names === "user") return "user";
  if (names === "record") return "link";
  if (kind === "boolean") return "boolean";
  if (isNumeric(kind)) return "number";
  return hasLines && kind === "text" ? "prose" : "text";
}

/** The label of an option, or its value if it has none. */
export function optionLabel(field: Field, value: string): string {
  return field.options?.find((option) => option.value === value)?.label ?? value;
}

/** The options of a value, whether of a list or the one: history has both where a field got another type. */
export function optionsIn(value: Json): string[] {
  return Array.isArray(value) ? listOf(value) : [String(value)];
}

/** The labels of a value's options. */
export function optionsText(value: Json, field: Field): string {
  const labels = optionsIn(value).map((option) => optionLabel(field, option));
  return labels.join(", ");
}

/** The items of a list value; an empty list for any other value. */
export function listOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
