import type { Json, ValueKind } from "../../../shared/filter/filter.ts";
import { isOrdered, orderings } from "../../../shared/filter/ordering.ts";

/** Which of two values is the largest, or the smallest. */
export interface Extreme {
  field: string;
  /** Above 0 if the first value replaces the second. */
  compare(value: Json, held: Json): number;
}

/** The extreme of a field, in Postgres' order. */
export function extremeOf(field: string, kind: ValueKind, op: "min" | "max"): Extreme | null {
  if (!isOrdered(kind)) return null;
  const { read, compare } = orderings[kind];
  const sign = op === "max" ? 1 : -1;
  return {
    field,
    compare(value, held) {
      const [a, b] = [read(value), read(held)];
      return a === null || b === null
        ? Number(a !== null) - Number(b !== null)
        : sign * compare(a, b);
    },
  };
}
