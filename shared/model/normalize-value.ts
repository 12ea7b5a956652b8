import { type Explanation, explain, quote } from "../error-texts/explain.ts";
import { isPlainDate } from "../filter/calendar-date.ts";
import {
  compareDecimals,
  DECIMAL_MAX_LENGTH,
  decimalToText,
  readDecimal,
  toUnits,
} from "../filter/decimal.ts";
import type { Json } from "../filter/filter.ts";
import { readInstant } from "../filter/instant.ts";
import { isStorable, isStorableJson } from "../filter/storable.ts";
import { toNfc } from "../filter/to-nfc.ts";
import { isWellTagged } from "./exact-json.ts";
import type { Field, FieldType } from "./model.ts";
import { matchPattern } from "./pattern/pattern.ts";
import { utf8Length } from "./utf8-length.ts";

/**
 * Validates one value of one field by its type and converts it to the form that is stored and sent. Server
 * and browser run the same function; the server decides.
 */

export interface ValueProblem extends Explanation {
  rule: string;
}

type Normalized = { ok: true; value: Json } | { ok: false; problem: ValueProblem };

export const SHORT_TEXT_MAX_LENGTH = 500;
export const LONG_TEXT_MAX_LENGTH = 50_000;
const MULTI_SELECT_MAX_OPTIONS = 50;
const JSON_MAX_BYTES = 65_536;
/** What every decimal column can store, in units of its last digit: numeric(38, scale). */
const DECIMAL_LIMIT = 10n ** 38n;

const fine = (value: Json): Normalized => ({ ok: true, value });
const wrong = (rule: string, explanation: Explanation): Normalized => ({
  ok: false,
  problem: { rule, ...explanation },
});

/** Patterns of texts of these types; the database uses the same when a field is retyped. */
export const shapes = {
  email: /^[^\s@<>"]{1,64}@[^\s@<>"]{1,189}$/,
  url: /^https?:\/\/[^\s/?#]+\S*$/i,
  phone: /^\+[1-9]\d{1,14}$/,
};

/** Empty text and an empty choice are `null`: there is one empty value. In JSON `""` and `[]` are not empty. */
export function normalizeValue(field: Field, value: Json): Normalized {
  if (field.expression !== undefined) return wrong("readOnly", explain("value.computed"));
  if (field.recorded !== undefined) return wrong("readOnly", explain("value.recorded"));
  if (value === null || (value === "" && field.type !== "json")) return fine(null);
  const normalized = normalizers[field.type](value, field);
  return normalized.ok ? (misfit(field, normalized.value) ?? normalized) : normalized;
}

function misfit({ pattern, patternHint }: Field, value: Json): Normalized | null {
  if (pattern === undefined || typeof value !== "string") return null;
  const found = matchPattern(pattern, value);
  if (found === "match") return null;
  if (found === "tooLong") {
    return wrong("pattern", explain("value.patternTooLong"));
  }
  return wrong(
    "pattern",
    patternHint === undefined ? explain("value.pattern", { pattern }) : quote(patternHint),
  );
}

type Normalizer = (value: Json, field: Field) => Normalized;

const normalizers: Record<FieldType, Normalizer> = {
  text: (value) => text(value, SHORT_TEXT_MAX_LENGTH),
  longText: (value) => text(value, LONG_TEXT_MAX_LENGTH),
  person: (value) => text(value, SHORT_TEXT_MAX_LENGTH),
  link: (value) => text(value, SHORT_TEXT_MAX_LENGTH),
  email: (value) => shaped(value, "email"),
  url: (value) => shaped(value, "url"),
  phone: (value) => shaped(value, "phone"),
  integer,
  duration: integer,
  decimal,
  money: decimal,
  percent: decimal,
  boolean: (value) =>
    typeof value === "boolean" ? fine(value) : wrong("type", explain("value.boolean")),
  date: (value) =>
    typeof value === "string" && isPlainDate(value)
      ? fine(value)
      : wrong("type", explain("value.date")),
  timestamp,
  select: (value, field) => {
    const option = resolveOption(field, value);
    return option === null ? wrong("option", explain("value.option")) : fine(option);
  },
  multiSelect,
  json,
};

function text(value: Json, max: number): Normalized {
  if (typeof value !== "string") return wrong("type", explain("value.text"));
  if (!isStorable(value)) {
    return wrong("characters", explain("value.characters"));
  }
  const normal = toNfc(value);
  if (isLonger(normal, max)) return wrong("length", explain("value.length", { limit: max }));
  return fine(normal);
}

/** Characters are code points, as Postgres counts them. */
function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || [...text].length > max);
}

function shaped(value: Json, shape: keyof typeof shapes): Normalized {
  const read = text(value, SHORT_TEXT_MAX_LENGTH);
  if (!read.ok) return read;
  return shapes[shape].test(read.value as string) ? read : wrong(shape, explain(`value.${shape}`));
}

function integer(value: Json, field: Field): Normalized {
  const number = typeof value === "string" && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isSafeInteger(number)) {
    return wrong("type", explain("value.integer"));
  }
  return inRange(number, field) ?? fine(number === 0 ? 0 : number);
}

function decimal(value: Json, field: Field): Normalized {
  const scale = field.scale ?? 2;
  const written = String(value);
  if (typeof value === "object" || !/^[+-]?\d+(?:\.\d+)?$/.test(written)) {
    return wrong("type", explain("value.number"));
  }
  if (written.length > DECIMAL_MAX_LENGTH) return wrong("length", explain("value.tooLarge"));
  const units = toUnits(written, scale);
  if (units === null) return wrong("scale", explain("value.scale", { scale }));
  if (units >= DECIMAL_LIMIT || -units >= DECIMAL_LIMIT) {
    return wrong("length", explain("value.tooLarge"));
  }
  const exact = decimalToText({ digits: units, scale });
  return inRange(exact, field) ?? fine(exact);
}

function inRange(value: number | string, { minimum, maximum }: Field): Normalized | null {
  const number = readDecimal(value);
  if (number === null) return null;
  if (minimum !== undefined && compareDecimals(number, minimum) < 0) {
    return wrong("minimum", explain("value.minimum", { minimum }));
  }
  if (maximum !== undefined && compareDecimals(number, maximum) > 0) {
    return wrong("maximum", explain("value.maximum", { maximum }));
  }
  return null;
}

/** Stored as Postgres returns it in UTC: microseconds without trailing zeros, zone `+00:00`. */
function timestamp(value: Json): Normalized {
  const problem = () => wrong("type", explain("value.timestamp"));
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d[T ]/.test(value)) return problem();
  const instant = readInstant(value);
  if (!instant || !Number.isFinite(instant.seconds)) return problem();
  const iso = new Date(instant.seconds * 1_000).toISOString();
  if (!/^\d{4}-/.test(iso)) return problem();
  const micros = instant.micros
    ? `.${String(instant.micros).padStart(6, "0")}`.replace(/0+$/, "")
    : "";
  return fine(`${iso.slice(0, 19)}${micros}+00:00`);
}

function multiSelect(value: Json, field: Field): Normalized {
  if (!Array.isArray(value)) return wrong("type", explain("value.options"));
  if (value.length === 0) return fine(null);
  if (value.length > MULTI_SELECT_MAX_OPTIONS) {
    return wrong("length", explain("value.tooManyOptions", { limit: MULTI_SELECT_MAX_OPTIONS }));
  }
  if (new Set(value).size !== value.length) return wrong("repeat", explain("value.repeatedOption"));
  const options = value.map((one) => resolveOption(field, one));
  if (options.includes(null)) return wrong("option", explain("value.options"));
  return fine([...new Set(options)]);
}

function json(value: Json): Normalized {
  if (utf8Length(JSON.stringify(value)) > JSON_MAX_BYTES) {
    return wrong("length", explain("value.jsonTooLarge"));
  }
  if (!isWellTagged(value)) return wrong("type", explain("value.jsonNumberKey"));
  return isStorableJson(value) ? fine(value) : wrong("characters", explain("value.jsonCharacters"));
}

/** The option that a value means: a removed one means its replacement. */
function resolveOption({ options = [] }: Field, value: Json): string | null {
  const found =
    options.find((option) => option.value === value) ??
    options.find(({ formerly }) => typeof value === "string" && formerly?.includes(value));
  return found?.value ?? null;
}
