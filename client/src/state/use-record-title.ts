import { useAtomValue } from "jotai/react";
import { atom } from "jotai/vanilla";
import { useMemo } from "react";
import { recordTitle } from "../../../shared/model/display-text.ts";
import type { Table } from "../../../shared/model/model.ts";
import { panelTitleAtom } from "./panel-title.ts";
import { store } from "./store.ts";
import { tableAtom } from "./table-state.ts";

/**
 * What a record is called: as its panel says, or by its values where a linked record is open in its place. By its id if that is
 * all there is, and null until that is known.
 */
export function useRecordTitle(table: Table | undefined, record: string | undefined) {
  const title = useMemo(
    () =>
      atom((get) => {
        if (!table || record === undefined) return null;
        const panel = get(panelTitleAtom);
        if (panel?.table === table.name && panel.record === record) return panel.title;
        const { values } = get(tableAtom(table.name)).get(record) ?? {};
        return values || panel ? recordTitle(table, record, values) : null;
      }),
    [table, record],
  );
  return useAtomValue(title, { store });
}
