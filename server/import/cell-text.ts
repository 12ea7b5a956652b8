import { withFormula, withoutFormula } from "../../shared/csv-line.ts";
import type { Json, ValueKind } from "../../shared/filter/filter.ts";
import { isNumeric } from "../../shared/filter/value-kinds.ts";
import { exactJsonText, parseExactJson } from "../../shared/model/exact-json.ts";
import { kindOfType, traitsOf } from "../../shared/model/field-types.ts";
import type { Field } from "../../shared/model/model.ts";
import { findOption } from "../../shared/model/normalize-value.ts";
import {
  type DecimalSign,
  isOtherCurrency,
  readNumber,
  withoutCurrency,
  withoutSigns,
} from "../../shared/read-number.ts";
import type { TimeReader } from "./read-time.ts";

/**
 * Values as the text of a cell of a file, by their kind. What is written is read as the same value. In reading, nothing is
 * guessed: a text that is none of the kind is passed on, for the field's own check to refuse it.
 */

/** How the cells of a column are written. */
export interface CellFormat {
  /** The text that means "empty", as no text does anyway. */
  nullText: string | undefined;
  decimal: DecimalSign | undefined;
  times: TimeReader;
}

/** Undefined for what the check of the field would accept as another value. */
type ReadCell = (text: string, format: CellFormat, field: Field) => Json | undefined;

const integer: ReadCell = (text, { decimal }) =>
  decimal === undefined ? text : (readNumber(text, decimal) ?? text);

/** A number with what its field writes beside it: the sign of its currency, or of percent. */
const decimalNumber: ReadCell = (text, { decimal }, { type, currency }) => {
  if (text.endsWith("%") && type !== "percent") return text;
  if (currency !== undefined && isOtherCurrency(text, currency)) return text;
  const bare = withoutSigns(currency === undefined ? text : withoutCurrency(text, currency)).trim();
  return decimal === undefined ? bare : (readNumber(bare, decimal) ?? text);
};

const readers: Readonly<Record<Exclude<ValueKind, "text">, ReadCell>> = {
  integer,
  decimal: decimalNumber,
  boolean: (text) => booleans[text.toLowerCase()] ?? text,
  date: (text, { times }) => times.day(text),
  /** Undefined for a time that the clocks skip. */
  timestamp: (text, { times }) => times.instant(text),
  list: (text) => readList(withFormula(text)),
  /** Undefined for what is not JSON. */
  json: readJson,
};

/** As programs and users write them in English, German, French, Spanish and Italian. */
const booleans: Readonly<Record<string, boolean | undefined>> = Object.fromEntries([
  ...["true", "yes", "y", "1", "x", "on", "✓", "ja", "wahr", "oui", "vrai", "sí", "si", "sì"].map(
    (text) => [text, true],
  ),
  ...["false", "no", "n", "0", "off", "-", "nein", "falsch", "non", "faux", "falso"].map((text) => [
    text,
    false,
  ]),
]);

/** The value of a cell, in the form that the field's own check expects; undefined where that would be another value. */
export function readCell(field: Field, text: string, format: CellFormat): Json | undefined {
  const trimmed = text.trim();
  if (trimmed === "" || text === format.nullText) return null;
  const kind = kindOfType[field.type];
  const read = kind === "text" ? withFormula(text) : readers[kind](trimmed, format, field);
  return traitsOf(field.type).names === "option" ? withOptions(field, read) : read;
}

/** Options may be written as they are typed: by value or label, whatever the case. */
function withOptions(field: Field, read: Json | undefined): Json | undefined {
  if (Array.isArray(read)) return read.map((item) => withOptions(field, item) ?? item);
  return typeof read === "string" ? (findOption(field, read)?.value ?? read) : read;
}

/** The text of a cell that `readCell` reads as the same value. */
export function writeCell({ type }: Field, value: Json): string {
  const kind = kindOfType[type];
  if (value === null) return "";
  if (kind === "json") return exactJsonText(value);
  if (kind === "list" && Array.isArray(value)) return withoutFormula(writeList(value));
  return typeof value === "string" && !isNumeric(kind) ? withoutFormula(value) : String(value);
}

/** Options joined by semicolons, or a list as JSON. */
function readList(text: string): Json {
  const list = text.startsWith("[") ? readJson(text) : undefined;
  return Array.isArray(list) ? list : text.split(";").map((part) => part.trim());
}

/** Joined by semicolons; as JSON where an option has one, or would be read as JSON. */
function writeList(values: readonly Json[]): string {
  const joined = values.join(";");
  return joined.startsWith("[") || values.some((value) => String(value).includes(";"))
    ? JSON.stringify(values)
    : joined;
}

function readJson(text: string): Json | undefined {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}
