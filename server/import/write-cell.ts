import { withoutFormula } from "../../shared/csv-line.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { exactJsonText } from "../../shared/model/exact-json.ts";
import type { Field } from "../../shared/model/model.ts";

/** The text of a cell that `readCell` reads as the same value. */
export function writeCell({ type }: Field, value: Json): string {
  if (value === null) return "";
  if (type === "json") return exactJsonText(value);
  if (type === "multiSelect" && Array.isArray(value)) return withoutFormula(writeList(value));
  return typeof value === "string" && !isNumeric.has(type) ? withoutFormula(value) : String(value);
}

const isNumeric: ReadonlySet<Field["type"]> = new Set([
  "integer",
  "decimal",
  "money",
  "percent",
  "duration",
]);

/** Joined by semicolons; as JSON where an option has one, or would be read as JSON. */
function writeList(values: readonly Json[]): string {
  const joined = values.join(";");
  return joined.startsWith("[") || values.some((value) => String(value).includes(";"))
    ? JSON.stringify(values)
    : joined;
}
