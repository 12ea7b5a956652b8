import type { Json } from "../../../../shared/filter/filter.ts";
import { toNfc } from "../../../../shared/filter/to-nfc.ts";
import { parseExactJson } from "../../../../shared/model/exact-json.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { normalizeValue } from "../../../../shared/model/normalize-value.ts";
import { fieldMessages as messages } from "../../messages/en/fields.ts";
import { valueMessages } from "../../messages/en/values.ts";
import { explanationText } from "../../messages/error-text.ts";
import { parseDuration } from "./duration.ts";
import { formatDay, formatInstant, isSkippedTime, parseDay, parseInstant } from "./instant.ts";
import { atScale, isOtherCurrency, plainNumber, withoutCurrency } from "./number-text.ts";

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
  const clean = field.type === "longText" ? text : text.trim();
  if (clean === "") {
    return field.required ? invalid(messages.required({ field: field.label })) : valid(null);
  }
  return validated(field, parseTyped(field, toNfc(clean), decimalMark));
}

function parseTyped(field: Field, text: string, decimalMark?: string): Parsed {
  switch (field.type) {
    case "integer":
      return parseInteger(text, decimalMark);
    case "decimal":
    case "money":
    case "percent":
      return parseDecimal(field, text, decimalMark);
    case "boolean":
      return parseBoolean(text);
    case "date":
      return orInvalid(parseDay(text), messages.enterDate({ example: formatDay("2026-11-21") }));
    case "timestamp":
      return orInvalid(parseInstant(text), whyNoInstant(text));
    case "duration":
      return orInvalid(parseDuration(text, decimalMark), messages.enterDuration());
    case "select":
      return orInvalid(findOption(field, text), messages.notAnOption({ text }));
    case "multiSelect":
      return parseList(field, text);
    case "json":
      return parseJson(text);
    default:
      return parseText(field, text);
  }
}

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

function parseInteger(text: string, decimalMark?: string): Parsed {
  if (text.endsWith("%")) return invalid(messages.notPercent());
  const plain = plainNumber(text, decimalMark);
  const exact = plain === null ? null : atScale(plain, 0);
  if (exact === null) return invalid(messages.enterInteger());
  const value = Number(exact);
  return Number.isSafeInteger(value) ? valid(value) : invalid(messages.numberTooLarge());
}

function parseDecimal(field: Field, text: string, decimalMark?: string): Parsed {
  if (field.type !== "percent" && text.endsWith("%")) return invalid(messages.notPercent());
  const { currency, scale } = field;
  if (currency !== undefined && isOtherCurrency(text, currency)) {
    return invalid(messages.otherCurrency({ text, currency }));
  }
  const amount = currency === undefined ? text : withoutCurrency(text, currency);
  const plain = plainNumber(amount, decimalMark);
  if (plain === null) return invalid(messages.enterNumber());
  const exact = scale === undefined ? plain : atScale(plain, scale);
  return orInvalid(exact, messages.tooManyDecimals({ count: scale ?? 0 }));
}

function parseBoolean(text: string): Parsed {
  const isWord = (word: string) => word.toLowerCase() === text.toLowerCase();
  if (isWord(valueMessages.yes())) return valid(true);
  if (isWord(valueMessages.no())) return valid(false);
  if (/^(true|yes|y|1|x|on|✓)$/i.test(text)) return valid(true);
  if (/^(false|no|n|0|off|-)$/i.test(text)) return valid(false);
  return invalid(messages.enterBoolean());
}

/** The option with that value or label, ignoring case. */
function findOption(field: Field, text: string): string | null {
  const wanted = text.toLowerCase();
  const options = field.options ?? [];
  const found =
    options.find((option) => option.value === text) ??
    options.find((option) => option.value.toLowerCase() === wanted) ??
    options.find((option) => option.label?.toLowerCase() === wanted);
  return found?.value ?? null;
}

/** The options that a text names, and its last item if that is not an option yet. */
export function readOptions(field: Field, text: string): { values: string[]; rest: string } {
  const items = itemsOf(text);
  const found = items.flatMap((item) => findOption(field, item) ?? []);
  const last = items.at(-1) ?? "";
  return { values: [...new Set(found)], rest: findOption(field, last) === null ? last : "" };
}

function itemsOf(text: string): string[] {
  const items = text.split(/[,;\n]/).map((item) => item.trim());
  return items.filter(Boolean);
}

function parseList(field: Field, text: string): Parsed {
  const values = new Set<string>();
  for (const item of itemsOf(text)) {
    const value = field.options ? findOption(field, item) : item;
    if (value === null) return invalid(messages.notAnOption({ text: item }));
    values.add(value);
  }
  return valid([...values]);
}

function parseJson(text: string): Parsed {
  try {
    return valid(parseExactJson(text));
  } catch {
    return invalid(messages.enterJson());
  }
}

/** "example.org", "www.example.org/a?b": a web address without its scheme. */
const HOST_WITHOUT_SCHEME =
  /^(?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+\p{L}{2,}(?::\d{1,5})?(?:[/?#]\S*)?$/u;

function parseText(field: Field, text: string): Parsed {
  if (field.type === "longText") return valid(text.replaceAll("\r\n", "\n"));
  const line = text.replace(/\s*[\r\n]+\s*/g, " ");
  if (field.type === "url" && HOST_WITHOUT_SCHEME.test(line)) return valid(`https://${line}`);
  return valid(field.type === "phone" ? line.replace(/[\s()/.-]/g, "") : line);
}

/** Validates by the rules of the server. */
function validated(field: Field, parsed: Parsed): Parsed {
  if (!parsed.ok) return parsed;
  const result = normalizeValue(field, parsed.value);
  return result.ok ? parsed : invalid(explanationText(result.problem));
}
