import { readDate } from "./calendar-date.ts";
import { compareCodePoints } from "./code-points.ts";
import { compareDecimals, readDecimal } from "./decimal.ts";
import type { Json, ValueKind } from "./filter.ts";
import { compareInstants, readInstant } from "./instant.ts";

/**
 * How values of one kind are read from the wire and compared. `read` returns null for empty values (null,
 * missing, empty text), and for what is not a value of the kind.
 */
interface Ordering<Key> {
  read(value: Json | undefined): Key | null;
  compare(a: Key, b: Key): number;
}

/** The kinds that have an order; lists and JSON have none. */
export type OrderedKind = Exclude<ValueKind, "list" | "json">;

function ordering<Key>(read: Ordering<Key>["read"], compare: Ordering<Key>["compare"]) {
  // The key type is private to the ordering: it alone makes and compares keys.
  return { read, compare } as unknown as Ordering<unknown>;
}

const text = ordering<string>(
  (value) => (typeof value === "string" && value !== "" ? value : null),
  compareCodePoints,
);

const number = ordering(
  (value) => (typeof value === "number" || typeof value === "string" ? readDecimal(value) : null),
  compareDecimals,
);

const boolean = ordering<boolean>(
  (value) => (typeof value === "boolean" ? value : null),
  (a, b) => Number(a) - Number(b),
);

const date = ordering<number>(
  (value) => (typeof value === "string" ? readDate(value) : null),
  (a, b) => (a === b ? 0 : a - b),
);

const timestamp = ordering(
  (value) => (typeof value === "string" ? readInstant(value) : null),
  compareInstants,
);

export const orderings: Readonly<Record<OrderedKind, Ordering<unknown>>> = {
  text,
  integer: number,
  decimal: number,
  boolean,
  date,
  timestamp,
};

export function isOrdered(kind: ValueKind): kind is OrderedKind {
  return kind !== "list" && kind !== "json";
}

/** The elements of a list; null if it is empty. */
export function readList(value: Json | undefined): readonly Json[] | null {
  return Array.isArray(value) && value.length > 0 ? value : null;
}
