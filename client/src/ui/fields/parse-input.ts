import type { Json } from "../../../../shared/filter/filter.ts";
import { parseExactJson } from "../../../../shared/model/exact-json.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { normalizeValue } from "../../../../shared/model/normalize-value.ts";
import { parseDuration } from "./duration.ts";
import { formatDay, formatInstant, parseDay, parseInstant } from "./instant.ts";
import { atScale, plainNumber } from "./number-text.ts";

/** What a typed or pasted text means for a field, or why it means nothing. */
export type Parsed = { ok: true; value: Json } | { ok: false; message: string };

const valid = (value: Json): Parsed => ({ ok: true, value });
const invalid = (message: string): Parsed => ({ ok: false, message });

/**
 * Reads a text by the type of its field and judges it by the server's own functions, so that a person
 * learns at once what is wrong; the server judges everything again. Empty text is `null` for every type.
 */
export function parseInput(field: Field, text: string): Parsed {
  const clean = field.type === "longText" ? text : text.trim();
  if (clean === "") {
    return field.required ? invalid(`${field.label} is required.`) : valid(null);
  }
  return validated(field, parseTyped(field, clean.normalize("NFC")));
}

function parseTyped(field: Field, text: string): Parsed {
  switch (field.type) {
    case "integer":
      return parseInteger(text);
    case "decimal":
    case "money":
    case "percent":
      return parseDecimal(field, text);
    case "boolean":
      return parseBoolean(text);
    case "date":
      return orInvalid(parseDay(text), `Enter a date such as ${formatDay("2026-11-21")}.`);
    case "timestamp":
      return orInvalid(parseInstant(text), `Enter a date and time such as ${exampleInstant()}.`);
    case "duration":
      return orInvalid(parseDuration(text), "Write a duration such as 2h 30m.");
    case "select":
      return orInvalid(findOption(field, text), `“${text}” is not one of the options.`);
    case "multiSelect":
      return parseList(field, text);
    case "json":
      return parseJson(text);
    default:
      return parseText(field, text);
  }
}

/** Half past two today, as the reader writes it. */
function exampleInstant(): string {
  return formatInstant(new Date(new Date().setHours(14, 30, 0, 0)).toISOString());
}

function orInvalid(value: Json, message: string): Parsed {
  return value === null ? invalid(message) : valid(value);
}

function parseInteger(text: string): Parsed {
  const plain = plainNumber(text);
  const exact = plain === null ? null : atScale(plain, 0);
  if (exact === null) return invalid("Write a whole number.");
  const value = Number(exact);
  return Number.isSafeInteger(value) ? valid(value) : invalid("That number is too large.");
}

function parseDecimal(field: Field, text: string): Parsed {
  const plain = plainNumber(text);
  if (plain === null) return invalid("Write a number.");
  const exact = field.scale === undefined ? plain : atScale(plain, field.scale);
  return orInvalid(exact, `At most ${field.scale} digits after the point.`);
}

function parseBoolean(text: string): Parsed {
  if (/^(true|yes|y|1|x|on|✓)$/i.test(text)) return valid(true);
  if (/^(false|no|n|0|off|-)$/i.test(text)) return valid(false);
  return invalid("Write yes or no.");
}

/** The option with that value or label, whatever the case. */
function findOption(field: Field, text: string): string | null {
  const wanted = text.toLowerCase();
  const options = field.options ?? [];
  const found =
    options.find((option) => option.value === text) ??
    options.find((option) => option.value.toLowerCase() === wanted) ??
    options.find((option) => option.label?.toLowerCase() === wanted);
  return found?.value ?? null;
}

/** The options that a text names so far, and what it says last that is none yet. */
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
    if (value === null) return invalid(`“${item}” is not one of the options.`);
    values.add(value);
  }
  return valid([...values]);
}

function parseJson(text: string): Parsed {
  try {
    return valid(parseExactJson(text));
  } catch {
    return invalid("That is not valid JSON.");
  }
}

/** "example.org", "www.example.org/a?b": a web address as people say it. */
const HOST_WITHOUT_SCHEME =
  /^(?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+\p{L}{2,}(?::\d{1,5})?(?:[/?#]\S*)?$/u;

function parseText(field: Field, text: string): Parsed {
  if (field.type === "longText") return valid(text.replaceAll("\r\n", "\n"));
  const line = text.replace(/\s*[\r\n]+\s*/g, " ");
  if (field.type === "url" && HOST_WITHOUT_SCHEME.test(line)) return valid(`https://${line}`);
  return valid(field.type === "phone" ? line.replace(/[\s()/.-]/g, "") : line);
}

/** The server's own judgement, here only sooner. */
function validated(field: Field, parsed: Parsed): Parsed {
  if (!parsed.ok) return parsed;
  const result = normalizeValue(field, parsed.value);
  return result.ok ? parsed : invalid(result.problem.message);
}
