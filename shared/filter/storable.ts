import type { Json } from "./filter.ts";

/** Postgres can't keep NUL or half a surrogate pair, so no text that holds one can be meant. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** The same for every text within a JSON value, keys included; a key that every object has is none. */
export function isStorableJson(value: Json): boolean {
  if (typeof value === "string") return isStorable(value);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isStorableJson);
  return Object.entries(value).every(
    ([key, part]) => key !== "__proto__" && isStorable(key) && isStorableJson(part),
  );
}
