import type { Json } from "../../shared/filter/filter.ts";
import type { LogChange } from "../store/log-change.ts";

/** Memory of an object, an array or a text besides its content, and of a plain value or a name. */
const HEADER_BYTES = 16;
const SLOT_BYTES = 8;
const CHAR_BYTES = 2;

/** Approximate memory of a change: a bound, not a measurement. Walks its values once, without encoding them. */
export function changeBytes({ record, before, after }: LogChange): number {
  return bytesOf(record) + bytesOf(before) + bytesOf(after) + CHANGE_BYTES;
}

/** Author, time, ids: short and of about the same size in every change. */
const CHANGE_BYTES = 500;

function bytesOf(value: Json | Readonly<Record<string, Json>>): number {
  if (typeof value === "string") return HEADER_BYTES + value.length * CHAR_BYTES;
  if (typeof value !== "object" || value === null) return SLOT_BYTES;
  let bytes = HEADER_BYTES;
  if (Array.isArray(value)) for (const item of value) bytes += bytesOf(item);
  else
    for (const name in value)
      bytes += SLOT_BYTES + bytesOf((value as Record<string, Json>)[name] ?? null);
  return bytes;
}
