import { type Explanation, explain, quote } from "../error-texts/explain.ts";
import { isPlainDate } from "../filter/calendar-date.ts";
import {
  compareDecimals,
  DECIMAL_MAX_LENGTH,
  decimalToText,
  readDecimal,
  toUnits,
} from "../filter/decimal.ts";
import type { Json, ValueKind } from "../filter/filter.ts";
import { readInstant } from "../filter/instant.ts";
import { isStorable, isStorableJson } from "../filter/storable.ts";
import { toNfc } from "../filter/to-nfc.ts";
import { isWellTagged } from "./exact-json.ts";
import { kindOfType, SHORT_TEXT_MAX_LENGTH, traitsOf } from "./field-types.ts";
import type { Field } from "./model.ts";
import { matchPattern } from "./pattern/pattern.ts";
import { utf8Length } from "./utf8-length.ts";

/**
 * Validates one value of one field by the kind and the limits of its type and converts it to the form that is stored and sent. Server
 * and browser run the same function; the server decides.
 */

export interface ValueProblem extends Explanation {
  rule: string;
}

type Normalized = { ok: true; value: Json } | { ok: false; problem: ValueProblem };

const MULTI_SELECT_MAX_OPTIONS = 50;
const JSON_MAX_BYTES = 65_536;
/** What every decimal column can store, in units of its last digit: numeric(38, scale). */
const DECIMAL_LIMIT = 10n ** 38n;

const fine = (value: Json): Normalized => ({ ok: true, value });
const wrong = (rule: string, explanation: Explanation): Normalized => ({
  ok: false,
  problem: { rule, ...explanation },
});

/** Empty text and an empty choice are `null`: there is one empty value. In JSON `""` and `[]` are not empty. */
export function normalizeValue(field: Field, value: Json): Normalized {
  if (field.expression !== undefined) return wrong("readOnly", explain("value.computed"));
  if (field.recorded !== undefined) return wrong("readOnly", explain("value.recorded"));
  if (value === null || (value === "" && field.type !== "json")) return fine(null);
  const normalized = normalizers[kindOfType[field.type]](value, field);
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

const normalizers: Record<ValueKind, Normalizer> = {
  text,
  integer,
  decimal,
  boolean: (value) =>
    typeof value === "boolean" ? fine(value) : wrong("type", explain("value.boolean")),
  date: (value) =>
    typeof value === "string" && isPlainDate(value)
      ? fine(value)
      : wrong("type", explain("value.date")),
  timestamp,
  list: options,
  json,
};

function text(value: Json, field: Field): Normalized {
  const { names, shape, maxLength = SHORT_TEXT_MAX_LENGTH } = traitsOf(field.type);
  if (names === "option") {
    const option = resolveOption(field, value);
    return option === null ? wrong("option", explain("value.option")) : fine(option);
  }
  if (typeof value !== "string") return wrong("type", explain("value.text"));
  if (!isStorable(value)) {
    return wrong("characters", explain("value.characters"));
  }
  const normal = storedText(field, value);
  if (normal === "") return fine(null);
  if (isLonger(normal, maxLength)) {
    return wrong("length", explain("value.length", { limit: maxLength }));
  }
  const isShaped = shape === undefined || shape.pattern.test(normal);
  return isShaped ? fine(normal) : wrong(field.type, explain(shape.problem));
}

/**
 * A text as its field stores it, whoever writes it and by whatever way: composed, and in one line without spaces around it unless the
 * field has lines. Two texts of a unique field that look alike would otherwise be two values.
 */
export function storedText({ type }: Pick<Field, "type">, text: string): string {
  const { hasLines, names } = traitsOf(type);
  if (hasLines || names !== undefined) return toNfc(text);
  // Not by one pattern: that would take quadratic time on long spaces.
  const lines = toNfc(text).split(/[\n\v\f\r\u0085\u2028\u2029]+/);
  return lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join(" ");
}

/** Characters are code points, as Postgres counts them. */
function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || [...text].length > max);
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

function options(value: Json, field: Field): Normalized {
  if (!Array.isArray(value)) return wrong("type", explain("value.options"));
  if (value.length === 0) return fine(null);
  if (value.length > MULTI_SELECT_MAX_OPTIONS) {
    return wrong("length", explain("value.tooManyOptions", { limit: MULTI_SELECT_MAX_OPTIONS }));
  }
  if (new Set(value).size !== value.length) return wrong("repeat", explain("value.repeatedOption"));
  const found = value.map((one) => resolveOption(field, one));
  if (found.includes(null)) return wrong("option", explain("value.options"));
  return fine([...new Set(found)]);
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
