import { z } from "zod";
import type { Json } from "./filter.ts";

/**
 * Any JSON value. `z.json()` is a recursive schema: zod tracks every object that such a schema meets, which made it the
 * most expensive part of checking an edit.
 */
export const jsonSchema: z.ZodType<Json, Json> = (z.unknown() as z.ZodType<Json, Json>)
  .refine(isJson)
  .meta({ id: "Json", description: "Any JSON value." });

/** Recursive: the nesting of what arrives was bounded before (server/policy/parse-input.ts). */
function isJson(value: unknown): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value);
    case "object":
      if (value === null) return true;
      return Array.isArray(value) ? value.every(isJson) : isJsonObject(value);
    default:
      return false;
  }
}

function isJsonObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === null;
  return isPlain && Object.values(value).every(isJson);
}
