import { withFormula } from "../../shared/csv-line.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { parseExactJson } from "../../shared/model/exact-json.ts";
import type { Field } from "../../shared/model/model.ts";
import { type DecimalSign, readNumber } from "../../shared/read-number.ts";
import type { TimeReader } from "./read-time.ts";

/**
 * Converts the text of a cell to the form that the field's own validation expects. Nothing is guessed or
 * adjusted: an unreadable text is passed on and refused there. Undefined for what that would accept as another value:
 * a text that is not JSON, and a time that the clocks skip.
 */
export function readCell(
  field: Field,
  text: string,
  {
    nullText,
    decimal,
    times,
  }: { nullText: string | undefined; decimal: DecimalSign | undefined; times: TimeReader },
): Json | undefined {
  const trimmed = text.trim();
  if (trimmed === "" || text === nullText) return null;
  switch (field.type) {
    case "boolean":
      return readBoolean(trimmed);
    case "timestamp":
      return times.instant(trimmed);
    case "date":
      return times.day(trimmed);
    case "multiSelect":
      return readList(withFormula(trimmed));
    case "json":
      return readJson(trimmed);
    case "integer":
    case "duration":
    case "decimal":
    case "money":
    case "percent":
      return decimal === undefined ? trimmed : (readNumber(trimmed, decimal) ?? trimmed);
    default:
      return withFormula(text);
  }
}

/** Options joined by semicolons, or a list as JSON. */
function readList(text: string): Json {
  const list = text.startsWith("[") ? readJson(text) : undefined;
  return Array.isArray(list) ? list : text.split(";").map((part) => part.trim());
}

const booleans: Record<string, boolean | undefined> = {
  true: true,
  yes: true,
  "1": true,
  false: false,
  no: false,
  "0": false,
};

function readBoolean(text: string): Json {
  return booleans[text.toLowerCase()] ?? text;
}

function readJson(text: string): Json | undefined {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}
