import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { formatDuration } from "./duration.ts";
import { type LabelOf, listOf, optionLabel } from "./format-value.ts";
import { localText } from "./instant.ts";

/**
 * A value as text that `parseInput` turns back into the same value: what an editor starts with and
 * what a copied range carries. Links give their label, which pasting looks up again.
 */
export function inputText(field: Field, value: Json | undefined, labelOf?: LabelOf): string {
  if (value === null || value === undefined) return "";
  switch (field.type) {
    case "boolean":
      return value === true ? "Yes" : "No";
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
    default:
      return typeof value === "string" || typeof value === "number"
        ? String(value)
        : JSON.stringify(value);
  }
}
