import type { Json } from "./filter.ts";

/** Postgres can't store NUL or half a surrogate pair. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** The message for a text that is not storable. */
export const NOT_STORABLE = "holds a character that can't be stored";

/**
 * Whether a name can be read: it has a visible character, and none that breaks the line or changes the
 * direction of the text beside it.
 */
export function isLegible(name: string): boolean {
  const turns = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
  return !turns.test(name) && /[^\p{C}\p{Z}\p{M}]/u.test(name);
}

/** The same for every text within a JSON value, keys included. */
export function isStorableJson(value: Json): boolean {
  if (typeof value === "string") return isStorable(value);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isStorableJson);
  return Object.entries(value).every(([key, part]) => isStorable(key) && isStorableJson(part));
}
