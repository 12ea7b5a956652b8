import { deepEqual } from "../document/deep-equal.ts";
import { compareDecimals, readDecimal } from "../filter/decimal.ts";
import type { Json, ValueKind } from "../filter/filter.ts";
import { compareInstants, readInstant } from "../filter/instant.ts";
import { isEmptyValue } from "../filter/value-kinds.ts";

/**
 * Whether two wire values of one field are equal: decides between "unchanged" and a conflict. Different
 * notations of one value (1.5 and 1.50, one instant in two zones) are equal.
 */
export function sameValue(kind: ValueKind, a: Json, b: Json): boolean {
  if (a === b) return true;
  if (a === null || b === null) return isEmptyValue(kind, a) && isEmptyValue(kind, b);
  switch (kind) {
    case "decimal":
    case "integer":
      return sameNumber(a, b);
    case "timestamp":
      return sameInstant(a, b);
    case "list":
    case "json":
      return deepEqual(a, b);
    case "text":
    case "boolean":
    case "date":
      return false;
  }
}

function sameNumber(a: Json, b: Json): boolean {
  const [left, right] = [a, b].map((value) =>
    typeof value === "number" || typeof value === "string" ? readDecimal(value) : null,
  );
  return left != null && right != null && compareDecimals(left, right) === 0;
}

function sameInstant(a: Json, b: Json): boolean {
  const [left, right] = [a, b].map((value) =>
    typeof value === "string" ? readInstant(value) : null,
  );
  return left != null && right != null && compareInstants(left, right) === 0;
}
