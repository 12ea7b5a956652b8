import type { Json, ValueKind } from "../../../../shared/filter/filter.ts";
import { toNfc } from "../../../../shared/filter/to-nfc.ts";
import { isTemporal } from "../../../../shared/filter/value-kinds.ts";
import { exactJsonText, parseExactJson } from "../../../../shared/model/exact-json.ts";
import {
  type FieldType,
  isReference,
  kindOfType,
  traitsOf,
} from "../../../../shared/model/field-types.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { normalizeValue, storedText } from "../../../../shared/model/normalize-value.ts";
import {
  findOption,
  readBoolean,
  readDuration,
  readOptions,
  readPhone,
  readUrl,
  writeOptions,
} from "../../../../shared/model/read-text.ts";
import { readAmount } from "../../../../shared/read-number.ts";
import { fieldMessages as messages } from "../../messages/en/fields.ts";
import { valueMessages } from "../../messages/en/values.ts";
import { explanationText } from "../../messages/error-text.ts";
import { formatDuration } from "./duration.ts";
import { type LabelOf, markOf, optionLabel, optionsIn, optionsText } from "./format-value.ts";
import {
  formatDay,
  formatInstant,
  isSkippedTime,
  localText,
  parseDay,
  parseInstant,
} from "./instant.ts";
import { atScale, localMark, ungroupedNumber } from "./number-text.ts";

/**
 * Values as somebody types, copies and pastes them, by their kind, and by their type where that says more. What is copied is parsed
 * as the same value. How values look is in format-value.ts, which walls load too.
 */

/**
 * The value of a typed or pasted text, or why it is invalid. A text is `unsearched` as long as the server has not said what it
 * names: who ends the edit looks that up.
 */
export type Parsed =
  | { ok: true; value: Json }
  | { ok: false; message: string; unsearched?: boolean };

const valid = (value: Json): Parsed => ({ ok: true, value });
const invalid = (message: string): Parsed => ({ ok: false, message });

/**
 * Parses a text by the type of its field and validates it by the server's own functions, so that users see errors
 * immediately. The server validates everything again. Empty text is `null` for every type. `decimalMark` is that of the
 * text, if it is known; otherwise the user's own.
 */
export function parseInput(field: Field, text: string, decimalMark?: string): Parsed {
  const clean = markOf(field.type) === "prose" ? text : text.trim();
  if (clean === "") {
    return field.required ? invalid(messages.required({ field: field.label })) : valid(null);
  }
  return validated(
    field,
    (parsersOfType[field.type] ?? parsersOfKind[kindOfType[field.type]])(
      toNfc(clean),
      field,
      decimalMark,
    ),
  );
}

type Parse = (text: string, field: Field, decimalMark: string | undefined) => Parsed;

const parsersOfKind: Readonly<Record<ValueKind, Parse>> = {
  text: parseText,
  integer: parseInteger,
  decimal: parseDecimal,
  boolean: parseBoolean,
  date: (text) =>
    orInvalid(parseDay(text), messages.enterDate({ example: formatDay("2026-11-21") })),
  timestamp: (text) => orInvalid(parseInstant(text), whyNoInstant(text)),
  list: parseList,
  json: parseJson,
};

/** The types that are typed in another way than others of their kind. */
const parsersOfType: Partial<Record<FieldType, Parse>> = {
  duration: (text, _field, decimalMark) =>
    orInvalid(parseDuration(text, decimalMark), messages.enterDuration()),
  url: (text) => valid(readUrl(text)),
  phone: (text) => valid(readPhone(text)),
};

function whyNoInstant(text: string): string {
  const example = exampleInstant();
  return isSkippedTime(text)
    ? messages.skippedTime({ example })
    : messages.enterInstant({ example });
}

/** Half past two today, in the user's locale. */
function exampleInstant(): string {
  return formatInstant(new Date(new Date().setHours(14, 30, 0, 0)).toISOString());
}

function orInvalid(value: Json, message: string): Parsed {
  return value === null ? invalid(message) : valid(value);
}

/** Seconds from a typed duration, by the user's decimal mark where that of the text is not known. */
export function parseDuration(text: string, decimalMark = localMark()): number | null {
  return readDuration(text, decimalMark);
}

function parseInteger(text: string, field: Field, decimalMark = localMark()): Parsed {
  const read = readAmount(field, text, decimalMark);
  if ("problem" in read && read.problem === "percent") return invalid(messages.notPercent());
  const exact = "digits" in read ? atScale(read.digits, 0) : null;
  if (exact === null) return invalid(messages.enterInteger());
  const value = Number(exact);
  return Number.isSafeInteger(value) ? valid(value) : invalid(messages.numberTooLarge());
}

function parseDecimal(text: string, field: Field, decimalMark = localMark()): Parsed {
  const { currency = "", scale } = field;
  const read = readAmount(field, text, decimalMark);
  if ("problem" in read) {
    const { problem } = read;
    if (problem === "currency") return invalid(messages.otherCurrency({ text, currency }));
    return invalid(problem === "percent" ? messages.notPercent() : messages.enterNumber());
  }
  const exact = scale === undefined ? read.digits : atScale(read.digits, scale);
  return orInvalid(exact, messages.tooManyDecimals({ count: scale ?? 0 }));
}

/** In the words of the interface, or of files. */
function parseBoolean(text: string): Parsed {
  const isWord = (word: string) => word.toLowerCase() === text.toLowerCase();
  if (isWord(valueMessages.yes())) return valid(true);
  if (isWord(valueMessages.no())) return valid(false);
  return orInvalid(readBoolean(text), messages.enterBoolean());
}

/** The options that a text names, and what is typed of the last one if it names none yet. */
export function typedOptions(field: Field, text: string): { values: string[]; rest: string } {
  const items = readOptions(field, text);
  const found = items.flatMap(({ value }) => value ?? []);
  const open = items.slice(items.findLastIndex(({ value }) => value !== undefined) + 1);
  // Joined: an option may contain the sign that separates options.
  return { values: [...new Set(found)], rest: open.map((item) => item.text).join(", ") };
}

function parseList(text: string, field: Field): Parsed {
  const items = readOptions(field, text);
  const unknown = field.options && items.find(({ value }) => value === undefined);
  if (unknown) return invalid(messages.notAnOption({ text: unknown.text }));
  return valid([...new Set(items.map((item) => item.value ?? item.text))]);
}

function parseJson(text: string): Parsed {
  try {
    return valid(parseExactJson(text));
  } catch {
    return invalid(messages.enterJson());
  }
}

function parseText(text: string, field: Field): Parsed {
  const { names, hasLines } = traitsOf(field.type);
  if (names === "option")
    return orInvalid(findOption(field, text)?.value ?? null, messages.notAnOption({ text }));
  return valid(hasLines ? text.replaceAll("\r\n", "\n") : storedText(field, text));
}

/** Validates by the rules of the server. */
function validated(field: Field, parsed: Parsed): Parsed {
  if (!parsed.ok) return parsed;
  const result = normalizeValue(field, parsed.value);
  return result.ok ? parsed : invalid(explanationText(result.problem));
}

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
  const kind = kindOfType[field.type];
  const isDay = kind === "date";
  if (!isTemporal(kind)) return inputText(field, value, labelOf, locale);
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
  const written = textsOfType[field.type] ?? textsOfKind[kindOfType[field.type]];
  return written(value, field, labelOf, locale);
}

type Write = (
  value: Exclude<Json, null>,
  field: Field,
  labelOf?: LabelOf,
  locale?: string,
) => string;

const numberText: Write = (value, _field, _labelOf, locale) =>
  ungroupedNumber(String(value), locale);

const textsOfKind: Readonly<Record<ValueKind, Write>> = {
  text: (value, field, labelOf) => {
    if (isReference(field.type)) return labelOf?.(field, String(value)) ?? String(value);
    if (traitsOf(field.type).names === "option") return optionsText(value, field);
    return typeof value === "object" || typeof value === "boolean"
      ? exactJsonText(value)
      : String(value);
  },
  integer: numberText,
  decimal: numberText,
  boolean: (value) => (value === true ? valueMessages.yes() : valueMessages.no()),
  date: (value) => String(value),
  timestamp: (value) => localText(String(value)),
  list: (value, field) => {
    const items = optionsIn(value).map((one) => ({ value: one, text: optionLabel(field, one) }));
    return writeOptions(field, items, ", ");
  },
  json: (value) => exactJsonText(value),
};

const textsOfType: Partial<Record<FieldType, Write>> = {
  duration: (value) => formatDuration(Number(value), true),
};
