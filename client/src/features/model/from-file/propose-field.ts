import {
  meaningfulTexts,
  possibleDateFormats,
} from "../../../../../shared/import/detect-format.ts";
import type { FieldType } from "../../../../../shared/model/field-types.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { type DecimalSign, readNumber } from "../../../../../shared/read-number.ts";

/** The part of a field that the values of a column suggest. */
export type ProposedField = Pick<Field, "type" | "options" | "scale" | "unique">;

/** The types that a column of a file can become. */
export const columnTypes: readonly FieldType[] = [
  "text",
  "longText",
  "integer",
  "decimal",
  "boolean",
  "date",
  "timestamp",
  "select",
  "email",
  "url",
];

const TEXT_MAX_LENGTH = 500;
const SCALE_MAX_DIGITS = 10;
const OPTIONS_MAX = 200;
/** A column of few values that repeat is a selection. */
const SELECT_MAX_OPTIONS = 12;
const SELECT_MIN_REPEATS = 5;
const keyName = /(^|[^\p{L}])(id|key|code|number|no|nr|nummer)$/iu;

const booleans = ["true", "false", "yes", "no"];
const isoDay = /^\d{4}-\d\d-\d\d$/;
const isoTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/**
 * The field that the values of a column fit, as far as the first rows of the file show it. A number stays a number beside a
 * placeholder such as "N/A", which its field refuses unless the user names it as empty. A text or an option keeps it.
 */
export function proposeField(
  header: string,
  cells: readonly string[],
  decimal: DecimalSign | null,
): ProposedField {
  const texts = cells.map((cell) => cell.trim()).filter(Boolean);
  const type = typeOf(meaningfulTexts(texts), decimal);
  const proposed = fieldOfType(
    keepsAnyText.has(type) ? typeOf(texts, decimal) : type,
    texts,
    decimal,
  );
  const isKey = keyName.test(header.trim()) && texts.length === cells.length;
  const isUnique = isKey && new Set(texts).size === texts.length && texts.length > 1;
  return isUnique && ["text", "integer"].includes(proposed.type)
    ? { ...proposed, unique: true }
    : proposed;
}

/** A field of a chosen type, with the options or the digits that its values need. */
export function fieldOfType(
  type: FieldType,
  texts: readonly string[],
  decimal: DecimalSign | null,
): ProposedField {
  if (type === "select") {
    const values = [...new Set(texts.map((text) => text.trim()).filter(Boolean))];
    return { type, options: values.slice(0, OPTIONS_MAX).map((value) => ({ value })) };
  }
  if (type !== "decimal") return { type };
  const digits = meaningfulTexts(texts).map(
    (text) => plainNumber(text, decimal).split(".")[1]?.length ?? 0,
  );
  return { type, scale: Math.min(Math.max(1, ...digits), SCALE_MAX_DIGITS) };
}

const keepsAnyText: ReadonlySet<FieldType> = new Set<FieldType>(["text", "longText", "select"]);

function typeOf(texts: readonly string[], decimal: DecimalSign | null): FieldType {
  const every = (isOfType: (text: string) => boolean) => texts.every(isOfType);
  if (texts.length === 0) return "text";
  if (every((text) => booleans.includes(text.toLowerCase()))) return "boolean";
  const numbers = texts.map((text) => plainNumber(text, decimal));
  // What begins with a zero is a code: the zero would be lost.
  if (numbers.every((text) => /^-?(0|[1-9]\d{0,14})$/.test(text))) return "integer";
  if (numbers.every((text) => /^-?(0|[1-9]\d{0,20})(\.\d{1,10})?$/.test(text))) return "decimal";
  if (every((text) => isoDay.test(text))) return "date";
  if (every((text) => isoTime.test(text))) return "timestamp";
  const formats = possibleDateFormats(texts);
  if (formats.length > 0) return formats[0]?.includes("HH") ? "timestamp" : "date";
  if (every((text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text))) return "email";
  if (every((text) => /^https?:\/\/\S+$/.test(text))) return "url";
  if (texts.some((text) => text.length > TEXT_MAX_LENGTH || /[\r\n]/.test(text))) return "longText";
  const distinct = new Set(texts).size;
  const isRepeated =
    distinct <= SELECT_MAX_OPTIONS && texts.length >= distinct * SELECT_MIN_REPEATS;
  return isRepeated ? "select" : "text";
}

/** Digits of a number as the import reads it. What has a plus or brackets is a telephone number rather than a number. */
function plainNumber(text: string, decimal: DecimalSign | null): string {
  const clean = text.trim();
  const isRead = decimal !== null && /^[-−]?\d/.test(clean);
  return isRead ? (readNumber(clean, decimal) ?? clean) : clean;
}
