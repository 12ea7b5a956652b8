import type { Json } from "../filter/filter.ts";
import type { Values } from "./model.ts";

/** The values of fields, in the order of their names; null where there is none. */
export function valuesOf(
  values: Readonly<Record<string, Json | undefined>>,
  names: readonly string[],
): Values {
  return Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
}

/** The values of the fields that are included. */
export function pickValues<Value>(
  values: Readonly<Record<string, Value>>,
  isIncluded: (field: string) => boolean,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter(([field]) => isIncluded(field)));
}

/** The object with changed properties; undefined ones are removed. */
export function patched<T extends object>(
  whole: T,
  change: { [K in keyof T]?: T[K] | undefined },
): T {
  const entries = Object.entries({ ...whole, ...change }).filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(entries) as T;
}
