import type { Json } from "../filter/filter.ts";
import type { Field } from "./model.ts";
import { normalizeValue } from "./normalize-value.ts";

/** The default of a timestamp that means the time of creation. */
export const DEFAULT_NOW = "$now";

/** Whether a new record gets the time of its creation. */
export function isNowByDefault({
  type,
  default: initial,
}: Pick<Field, "type" | "default">): boolean {
  return type === "timestamp" && initial === DEFAULT_NOW;
}

/** The value of a new record's field if none is given; `now` is the time of its creation. */
export function initialValue(field: Field, now: string): Json {
  if (!isNowByDefault(field)) return field.default ?? null;
  const time = normalizeValue(field, now);
  return time.ok ? time.value : null;
}
