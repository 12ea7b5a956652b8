import { useCallback, useState } from "react";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { listViews } from "../../sync/calls/views.ts";

/** The views that I may use: those of the last time until `read` has them anew. */
export function usePaletteViews(): { views: readonly ViewInfo[]; read(): void } {
  const [views, setViews] = useState<readonly ViewInfo[]>([]);
  const read = useCallback(() => {
    // without a line the palette offers what it knows
    listViews().then(setViews, () => {});
  }, []);
  return { views, read };
}
