import { useCallback, useSyncExternalStore } from "react";
import type { RecordView } from "../../state/record-view.ts";
import type { GridController } from "./grid-controller.ts";

/** One record of the grid as it is shown now, for what is displayed beside its row. */
export function useRecord(
  grid: GridController,
  record: string | undefined,
): RecordView | undefined {
  const subscribe = useCallback((listener: () => void) => grid.window.onRows(listener), [grid]);
  return useSyncExternalStore(subscribe, () =>
    record === undefined ? undefined : grid.window.get(record),
  );
}
