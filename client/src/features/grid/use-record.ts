import { useCallback, useSyncExternalStore } from "react";
import type { RecordView } from "../../state/record-view.ts";
import type { GridController } from "./grid-controller.ts";

/** The present state of a record in the grid, for popovers beside it. */
export function useRecord(
  grid: GridController,
  record: string | undefined,
): RecordView | undefined {
  const subscribe = useCallback((listener: () => void) => grid.rowList.onRows(listener), [grid]);
  return useSyncExternalStore(subscribe, () =>
    record === undefined ? undefined : grid.rowList.get(record),
  );
}
