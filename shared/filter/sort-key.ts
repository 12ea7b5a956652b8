import type { SortKey } from "./filter.ts";

/** A key of an order on the wire: `-field` is descending. */
export function readSortKey(key: string): SortKey {
  return key.startsWith("-")
    ? { field: key.slice(1), descending: true }
    : { field: key, descending: false };
}

export function writeSortKey({ field, descending }: SortKey): string {
  return descending ? `-${field}` : field;
}
