import { useEffect, useState } from "react";
import type { RecordView } from "../../state/record-view.ts";
import type { GridController } from "./grid-controller.ts";

/** One record of the grid as it is shown now, followed for as long as something stands beside it. */
export function useRecord(
  grid: GridController,
  record: string | undefined,
): RecordView | undefined {
  const [, rerender] = useState(0);
  useEffect(
    () => (record === undefined ? undefined : grid.window.onRows(() => rerender((n) => n + 1))),
    [grid, record],
  );
  return record === undefined ? undefined : grid.window.get(record);
}
