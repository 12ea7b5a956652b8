import type { Json } from "./filter.ts";

/**
 * The right side of a comparison: a plain value, another field of the same record, or a variable that
 * `bindFilter` replaces. Only these exact spellings are variables; other text that starts with a dollar sign
 * is text. A text that is spelt like a variable is written `{"text":"$me"}`.
 */
export type Operand =
  | { type: "value"; value: Json }
  | { type: "field"; field: string }
  | { type: "me"; attribute: string | null }
  | { type: "now" }
  | { type: "today" }
  | { type: "ago"; seconds: number };

const SECONDS_PER_UNIT: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
};
const AGO = /^(-?)(\d{1,10})([smhdw])$/;
const AGO_MAX_SECONDS = 100 * 366 * 86_400;

/** The span of `{"ago":"4h"}` in seconds; a leading minus means the future. Null if it is malformed. */
export function agoSeconds(text: string): number | null {
  const match = AGO.exec(text);
  if (!match) return null;
  const seconds = Number(match[2]) * (SECONDS_PER_UNIT[match[3] ?? ""] ?? Number.NaN);
  if (seconds > AGO_MAX_SECONDS) return null;
  return match[1] === "-" ? -seconds : seconds;
}

function textOperand(text: string): Operand {
  if (text === "$me") return { type: "me", attribute: null };
  if (text.startsWith("$me.")) return { type: "me", attribute: text.slice(4) };
  if (text === "$now") return { type: "now" };
  if (text === "$today") return { type: "today" };
  return { type: "value", value: text };
}

/** Reads one value of a comparison. An object of an unknown form stays a plain value. */
export function readOperand(value: Json): Operand {
  if (typeof value === "string") return textOperand(value);
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    return { type: "value", value };
  }
  const [key, ...others] = Object.keys(value);
  const inner = key === undefined || others.length > 0 ? undefined : value[key];
  if (typeof inner === "string") {
    if (key === "field") return { type: "field", field: inner };
    if (key === "text") return { type: "value", value: inner };
    const seconds = key === "ago" ? agoSeconds(inner) : null;
    if (seconds !== null) return { type: "ago", seconds };
  }
  return { type: "value", value };
}

/** A text as the value of a comparison, however it is spelt. */
export function literalText(text: string): Json {
  return readOperand(text).type === "value" ? text : { text };
}

/** A value as the value of a comparison. */
export function literalOf(value: Json): Json {
  return typeof value === "string" ? literalText(value) : value;
}
