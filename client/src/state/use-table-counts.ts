import { useAtomValue } from "jotai/react";
import { store } from "./store.ts";
import { type TableCount, tableCountsAtom } from "./table-counts.ts";

/** The number of records that I may read, by table; a table not counted yet is absent. */
export function useTableCounts(): Readonly<Record<string, TableCount>> {
  return useAtomValue(tableCountsAtom, { store });
}
