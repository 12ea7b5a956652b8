import { useEffect } from "react";
import { arrivalAtom, setArrival } from "../../state/open-sheet.ts";
import { useAtom } from "../../state/use-atom.ts";
import { insertRecord } from "./actions/record-actions.ts";
import type { GridController } from "./grid-controller.ts";
import { focusCell } from "./rows/grid-focus.ts";

/**
 * Goes to where something has just been published: to the column of a field, or in a new table to the first cell of a new record. The field
 * may come with a later model than this grid has, and then with another grid.
 */
export function Arrival({ grid }: { grid: GridController }) {
  const arrival = useAtom(arrivalAtom);
  const isReady = useAtom(grid.rowList.statusAtom).phase === "ready";
  useEffect(() => {
    if (!isReady || arrival?.table !== grid.table.name) return;
    const { field, isNew } = arrival;
    if (field !== undefined && !grid.fields.has(field)) return;
    setArrival(null);
    if (isNew && grid.abilities.create) insertRecord(grid);
    if (field === undefined) return;
    grid.api.setColumnsVisible([field], true);
    grid.api.ensureColumnVisible(field);
    if (!grid.cards) focusCell(grid, 0, field);
  }, [grid, isReady, arrival]);
  return null;
}
