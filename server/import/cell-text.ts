import { withFormula, withoutFormula } from "../../shared/csv-line.ts";
import { writeInstant } from "../../shared/filter/clock.ts";
import type { Json, ValueKind } from "../../shared/filter/filter.ts";
import { isNumeric } from "../../shared/filter/value-kinds.ts";
import { exactJsonText, parseExactJson } from "../../shared/model/exact-json.ts";
import { type FieldType, kindOfType, traitsOf } from "../../shared/model/field-types.ts";
import type { Field } from "../../shared/model/model.ts";
import {
  findOption,
  readBoolean,
  readDuration,
  readOptions,
  readPhone,
  readUrl,
  writeOptions,
} from "../../shared/model/read-text.ts";
import { type DecimalSign, readAmount } from "../../shared/read-number.ts";
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

/** A whole number may be written with a fraction of zeros. */
const integer: ReadCell = (text, { decimal }, field) => {
  const read = readAmount(field, text, decimal);
  return "digits" in read ? read.digits.replace(/\.0+$/, "") : text;
};

const decimalNumber: ReadCell = (text, { decimal }, field) => {
  const read = readAmount(field, text, decimal);
  return "digits" in read ? read.digits : text;
};

const readersOfKind: Readonly<Record<ValueKind, ReadCell>> = {
  text: (text, _format, field) =>
    traitsOf(field.type).names === "option" ? (findOption(field, text)?.value ?? text) : text,
  integer,
  decimal: decimalNumber,
  boolean: (text) => readBoolean(text) ?? text,
  date: (text, { times }) => times.day(text),
  /** Undefined for a time that the clocks skip. */
  timestamp: (text, { times }) => times.instant(text),
  list: (text, _format, field) => readOptions(field, text).map((item) => item.value ?? item.text),
  /** Undefined for what is not JSON. */
  json: readJson,
};

/** The types that are written in another way than others of their kind. */
const readersOfType: Partial<Record<FieldType, ReadCell>> = {
  duration: (text, { decimal = "." }) => readDuration(text, decimal) ?? text,
  url: readUrl,
  phone: readPhone,
};

/** The value of a cell, in the form that the field's own check expects; undefined where that would be another value. */
export function readCell(field: Field, written: string, format: CellFormat): Json | undefined {
  const text = withFormula(written);
  if (text.trim() === "" || [written, text].includes(format.nullText ?? "")) return null;
  const kind = kindOfType[field.type];
  const read = readersOfType[field.type] ?? readersOfKind[kind];
  return read(kind === "text" ? text : text.trim(), format, field);
}

/** The text of a cell that `readCell` reads as the same value. */
export function writeCell(field: Field, value: Json): string {
  const kind = kindOfType[field.type];
  if (value === null) return "";
  if (kind === "json") return jsonCell(value);
  if (kind === "list" && Array.isArray(value)) {
    const items = value.map((item) => ({ value: String(item), text: String(item) }));
    return withoutFormula(writeOptions(field, items, ";"));
  }
  return typeof value === "string" && !isNumeric(kind) ? withoutFormula(value) : String(value);
}

/** The same in a column of a file whose numbers may have a decimal comma. */
export function writeInColumn(field: Field, value: Json, { decimal }: CellFormat): string {
  const text = writeCell(field, value);
  const isComma = decimal === "," && isNumeric(kindOfType[field.type]);
  return isComma ? text.replace(".", ",") : text;
}

/**
 * The same for reading rather than for an import: options by their labels, and instants as the clock of a zone shows them, in a form that
 * spreadsheets read as times. Links and users are named by whoever knows their labels.
 */
export function writeReadable(field: Field, value: Json, zone: string): string {
  const labelOf = (option: string) =>
    field.options?.find((one) => one.value === option)?.label ?? option;
  const kind = kindOfType[field.type];
  if (kind === "list" && Array.isArray(value)) {
    const items = value.map((item) => ({ value: String(item), text: labelOf(String(item)) }));
    return withoutFormula(writeOptions(field, items, ", "));
  }
  if (typeof value !== "string") return writeCell(field, value);
  if (traitsOf(field.type).names === "option") return withoutFormula(labelOf(value));
  const instantMs = kind === "timestamp" ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(instantMs)) return writeCell(field, value);
  return writeInstant(instantMs, zone).slice(0, "YYYY-MM-DDTHH:mm:ss".length).replace("T", " ");
}

/** No spreadsheet that splits a line by another sign than ours runs a part of it as a formula. */
function jsonCell(value: Json): string {
  return exactJsonText(value).replace(
    /(?<=[;|])[=+\-@]/g,
    (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`,
  );
}

function readJson(text: string): Json | undefined {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}
