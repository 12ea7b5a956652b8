import { toNfc } from "../../../../../shared/filter/to-nfc.ts";
import {
  commonDecimal,
  detectDecimal,
  meaningfulTexts,
  possibleDateFormats,
} from "../../../../../shared/import/detect-format.ts";
import { type FieldType, kindOfType } from "../../../../../shared/model/field-types.ts";
import type { Field, Table } from "../../../../../shared/model/model.ts";
import { readBoolean } from "../../../../../shared/model/read-text.ts";
import { type DecimalSign, readAmount } from "../../../../../shared/read-number.ts";

/** The part of a field that the values of a column suggest. */
export type ProposedField = Pick<
  Field,
  "type" | "options" | "scale" | "currency" | "ungrouped" | "unique" | "target"
>;

/** The types that a column of a file can become. */
export const columnTypes: readonly FieldType[] = [
  "text",
  "longText",
  "integer",
  "decimal",
  "money",
  "percent",
  "boolean",
  "date",
  "timestamp",
  "select",
  "email",
  "url",
];

const TEXT_MAX_LENGTH = 500;
/** Coordinates of maps have up to 15. */
const SCALE_MAX_DIGITS = 20;
const OPTIONS_MAX = 200;
/** A column of few values that repeat is a selection. */
const SELECT_MAX_OPTIONS = 12;
const SELECT_MIN_REPEATS = 5;
const keyName = /(^|[^\p{L}])(id|key|code|number|no|nr|nummer)$/iu;

/** A digit or a single letter may be yes or no, but also a number or a code; a cross is nothing else. */
const isBoolean = (text: string) =>
  readBoolean(text) !== null && (text.length > 1 || /^[x✓]$/i.test(text));
const isoDay = /^\d{4}-\d\d-\d\d$/;
const isoTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/** A column with its decimal sign, and the field that it fits. */
export interface ProposedColumn {
  cells: readonly string[];
  decimal: DecimalSign | null;
  field: ProposedField;
}

/**
 * The fields that the columns of a file fit. Where the numbers of one don't say how fractions are written (`1.234`), those of the other
 * columns decide, as in the import.
 */
export function proposeFields(
  header: readonly string[],
  columns: readonly (readonly string[])[],
): ProposedColumn[] {
  const nameOf = (at: number) => header[at] ?? "";
  const numbers = columns.filter((cells, at) => {
    const { type } = proposeField(nameOf(at), cells, detectDecimal(cells));
    return type === "integer" || isAmount(type);
  });
  const common = commonDecimal(numbers);
  return columns.map((cells, at) => {
    const decimal = detectDecimal(cells) ?? common;
    return { cells, decimal, field: proposeField(nameOf(at), cells, decimal) };
  });
}

/** Values that are looked up together, in one call for each table (target-labels.ts): they have to fit into an address. */
const LINK_SAMPLE = 8;
const LINK_COLUMNS_MAX = 12;
/** A longer text is no name. */
const NAME_MAX_LENGTH = 60;
const LINK_TABLES_MAX = 30;

/**
 * By the places of columns, the tables that they may link to: all sampled values are labels of records there, and of no other table. Only a
 * proposal, as later rows may name others. The first text stays where no other one would be left to name the new records.
 */
export async function proposeLinks(
  columns: readonly ProposedColumn[],
  tables: readonly Table[],
  labelsAmong: (table: string, texts: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<ReadonlyMap<number, string>> {
  const samples = columns
    .map(({ cells, field }, at) => ({ at, field, texts: field.unique ? [] : sampleOf(cells) }))
    .filter(({ field, texts }) => ["text", "select"].includes(field.type) && texts.length > 1)
    .filter(({ texts }) => texts.every(({ length }) => length <= NAME_MAX_LENGTH))
    .slice(0, LINK_COLUMNS_MAX);
  if (samples.length === 0) return new Map();
  const all = [...new Set(samples.flatMap(({ texts }) => texts))];
  const found = new Map<number, string[]>();
  for (const { name } of tables.filter(hasLabels).slice(0, LINK_TABLES_MAX)) {
    // A table that can't be read now is not proposed.
    const labels = await labelsAmong(name, all).catch(() => new Set<string>());
    for (const { at, texts } of samples) {
      if (texts.every((text) => labels.has(text))) found.set(at, [...(found.get(at) ?? []), name]);
    }
  }
  const links = new Map(
    [...found].flatMap(([at, [name, other]]) => (name && !other ? [[at, name] as const] : [])),
  );
  const texts = columns.flatMap(({ field }, at) => (field.type === "text" ? [at] : []));
  const [first] = texts;
  if (first !== undefined && texts.every((at) => links.has(at))) links.delete(first);
  return links;
}

function sampleOf(cells: readonly string[]): string[] {
  const texts = cells.map((cell) => toNfc(cell.trim())).filter(Boolean);
  return [...new Set(meaningfulTexts(texts))].slice(0, LINK_SAMPLE);
}

/** Records of a table whose names are no texts are not looked up by them. */
function hasLabels({ display, fields }: Table): boolean {
  return fields.some(
    ({ name, type }) => name === display && kindOfType[type] === "text" && type !== "link",
  );
}

/**
 * The field that the values of a column fit, as far as the first rows of the file show it. A number stays a number beside a
 * placeholder such as "N/A", which its field refuses unless the user names it as empty. A text or an option keeps it.
 */
export function proposeField(
  header: string,
  cells: readonly string[],
  decimal: DecimalSign | null,
): ProposedField {
  const texts = cells.map((cell) => toNfc(cell.trim())).filter(Boolean);
  const type = typeOf(meaningfulTexts(texts), decimal);
  const proposed = fieldOfType(
    keepsAnyText.has(type) ? typeOf(texts, decimal) : type,
    texts,
    decimal,
  );
  const isKey = keyName.test(header.trim()) && texts.length === cells.length;
  const isUnique = isKey && new Set(texts).size === texts.length && texts.length > 1;
  const isCode = proposed.type === "integer" && (isUnique || countsNothing(meaningfulTexts(texts)));
  return {
    ...proposed,
    ...(isCode && { ungrouped: true }),
    ...(isUnique && ["text", "integer"].includes(proposed.type) && { unique: true }),
  };
}

const YEAR = /^(1[89]|2[01])\d\d$/;
const CODE_MIN_DIGITS = 8;

/** Whether whole numbers are years, or codes of one length. */
function countsNothing(texts: readonly string[]): boolean {
  const { length = 0 } = texts[0] ?? "";
  const isCode = (text: string) => text.length === length && /^\d+$/.test(text);
  return (
    texts.every((text) => YEAR.test(text)) || (length >= CODE_MIN_DIGITS && texts.every(isCode))
  );
}

/** A field of a chosen type, with the options or the digits that its values need. */
export function fieldOfType(
  type: FieldType,
  texts: readonly string[],
  decimal: DecimalSign | null,
): ProposedField {
  if (type === "select") {
    const values = [...new Set(texts.map((text) => toNfc(text.trim())).filter(Boolean))];
    return { type, options: values.slice(0, OPTIONS_MAX).map((value) => ({ value })) };
  }
  if (!isAmount(type)) return { type };
  const currency = type === "money" ? currencyOf(texts) : undefined;
  const digits = meaningfulTexts(texts).map(
    (text) => numberOf({ type, currency }, text, decimal)?.split(".")[1]?.length ?? 0,
  );
  const least = type === "money" ? 2 : 1;
  const scale = Math.min(Math.max(least, ...digits), SCALE_MAX_DIGITS);
  return { type, scale, ...(currency && { currency }) };
}

const isAmount = (type: FieldType) => ["decimal", "money", "percent"].includes(type);

/** Common signs of currencies. */
const currencies: Readonly<Record<string, string>> = { "€": "EUR", $: "USD", "£": "GBP" };

/** The currency that all amounts name. */
function currencyOf(texts: readonly string[]): string | undefined {
  const found = new Set(
    meaningfulTexts(texts).map((text) => {
      const sign = /[€$£]|\b[A-Z]{3}\b/.exec(text)?.[0] ?? "";
      return currencies[sign] ?? sign;
    }),
  );
  const [only] = found;
  return found.size === 1 && only ? only : undefined;
}

const keepsAnyText: ReadonlySet<FieldType> = new Set<FieldType>(["text", "longText", "select"]);

function typeOf(texts: readonly string[], decimal: DecimalSign | null): FieldType {
  const every = (isOfType: (text: string) => boolean) => texts.every(isOfType);
  if (texts.length === 0) return "text";
  if (every(isBoolean)) return "boolean";
  const numbers = texts.map((text) => numberOf({ type: "decimal" }, text, decimal));
  // What begins with a zero is a code: the zero would be lost.
  const areNumbers = (form: RegExp) =>
    numbers.every((number) => number !== null && form.test(number));
  if (areNumbers(/^-?(0|[1-9]\d{0,14})$/)) return "integer";
  // Whole numbers of more digits are codes, too: as an amount they would be shown and exported with a fraction.
  const isAmountOrCode = areNumbers(/^-?(0|[1-9]\d{0,20})(\.\d{1,20})?$/);
  if (isAmountOrCode && !areNumbers(/^\d+$/)) return "decimal";
  if (every((text) => text.endsWith("%") && numberOf({ type: "percent" }, text, decimal) !== null))
    return "percent";
  const money = { type: "money", currency: currencyOf(texts) };
  if (money.currency && every((text) => numberOf(money, text, decimal) !== null)) return "money";
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

/** What is more than digits and the signs that group them is an amount, and what has a plus or brackets a telephone number. */
const BARE_NUMBER = /^[-−]?\d[\d.,'’\s]*$/;

/** Digits of a number as the import reads it; as they are written, with a zero before them too. */
function numberOf(
  field: { type: string; currency?: string | undefined },
  text: string,
  decimal: DecimalSign | null,
): string | null {
  const clean = text.trim();
  // Digits with spaces alone may be anything: a number of telephone, an account.
  const isBare = BARE_NUMBER.test(clean) && (decimal !== null || !/\s/.test(clean));
  if (field.type === "decimal" && !isBare) return null;
  const read = readAmount(field, clean, decimal ?? undefined);
  return "digits" in read ? read.digits : null;
}
