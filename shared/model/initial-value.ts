import type { Json } from "../filter/filter.ts";
import type { Field } from "./model.ts";
import { normalizeValue } from "./normalize-value.ts";

/** The default of a timestamp that is the time at which a record is created. */
export const DEFAULT_NOW = "$now";

/** Whether a new record gets the time of its creation. */
export function isNowByDefault({
  type,
  default: initial,
}: Pick<Field, "type" | "default">): boolean {
  return type === "timestamp" && initial === DEFAULT_NOW;
}

/** What a new record holds in a field where nothing is given; `now` is the time of its creation. */
export function initialValue(field: Field, now: string): Json {
  if (!isNowByDefault(field)) return field.default ?? null;
  const time = normalizeValue(field, now);
  return time.ok ? time.value : null;
}
