import { useAtomValue } from "jotai/react";
import { atom } from "jotai/vanilla";
import { useMemo } from "react";
import type { Table } from "../../../shared/model/model.ts";
import { store } from "./store.ts";
import { tableAtom } from "./table-state.ts";

/** What a record is called, as soon as this page holds it; null until then. */
export function useRecordTitle(table: Table | undefined, record: string | undefined) {
  const title = useMemo(
    () =>
      atom((get) => {
        if (!table || record === undefined) return null;
        const view = get(tableAtom(table.name)).get(record);
        const value = view?.values[table.display];
        if (typeof value === "string" && value !== "") return value;
        return view?.pending === "draft" ? `New ${table.recordLabel}` : null;
      }),
    [table, record],
  );
  return useAtomValue(title, { store });
}
