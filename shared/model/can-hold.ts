import type { Json } from "../filter/filter.ts";
import { kindOfType } from "./field-types.ts";
import type { Field } from "./model.ts";

const BIGINT_MIN = -(2n ** 63n);
const BIGINT_MAX = 2n ** 63n - 1n;

/** Whether the column of a field can store a value in its wire form, whatever the field's rules say. */
export function canHold({ type }: Field, value: Json): boolean {
  switch (kindOfType[type]) {
    case "integer":
      return isBigint(value);
    case "decimal":
      return typeof value === "string" && /^(?:-?\d+(?:\.\d+)?|NaN|-?Infinity)$/.test(value);
    case "boolean":
      return typeof value === "boolean";
    case "list":
      return Array.isArray(value) && value.every((one) => one === null || typeof one === "string");
    case "json":
      return true;
    case "text":
    case "date":
    case "timestamp":
      return typeof value === "string";
  }
}

function isBigint(value: Json): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (typeof value !== "string" || !/^-?\d{1,19}$/.test(value)) return false;
  return BigInt(value) >= BIGINT_MIN && BigInt(value) <= BIGINT_MAX;
}
