import type { ErrorTextKey } from "../error-texts/error-texts.ts";
import { isPlainDate } from "./calendar-date.ts";
import { isExactNumber } from "./decimal.ts";
import type { Json } from "./filter.ts";
import { isPlainInstant } from "./instant.ts";
import type { OrderedKind } from "./ordering.ts";
import { isStorable } from "./storable.ts";

/** A filter value validated for its kind, in the form that both interpreters use. */
export type Literal = string | boolean;

const DAY_LENGTH = 10;

const readers: Readonly<Record<OrderedKind, (value: Json) => Literal | null>> = {
  text: (value) => (typeof value === "string" && isStorable(value) && value !== "" ? value : null),
  integer: readNumber,
  decimal: readNumber,
  boolean: (value) => (typeof value === "boolean" ? value : null),
  date: (value) => {
    if (typeof value !== "string") return null;
    if (isPlainInstant(value)) return value.slice(0, DAY_LENGTH);
    return isPlainDate(value) ? value : null;
  },
  timestamp: (value) => (typeof value === "string" && isPlainInstant(value) ? value : null),
};

function readNumber(value: Json): Literal | null {
  if (typeof value !== "number" && typeof value !== "string") return null;
  return isExactNumber(value) ? String(value) : null;
}

/** The value as a literal of the kind, or null if it can't be one (empty text included). */
export function readLiteral(kind: OrderedKind, value: Json): Literal | null {
  return readers[kind](value);
}

/** The sentence for the expected form of a value of the kind. */
export const literalForms = {
  text: "filter.formText",
  integer: "filter.formInteger",
  decimal: "filter.formDecimal",
  boolean: "filter.formBoolean",
  date: "filter.formDate",
  timestamp: "filter.formTimestamp",
} as const satisfies Record<OrderedKind, ErrorTextKey>;
