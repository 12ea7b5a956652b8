import { useCallback, useState } from "react";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { listViews } from "../../sync/calls/views.ts";

/** The views that the user may read. Keeps the previous list until `read` has loaded a new one. */
export function usePaletteViews(): { views: readonly ViewInfo[]; read(): void } {
  const [views, setViews] = useState<readonly ViewInfo[]>([]);
  const read = useCallback(() => {
    // Offline, the palette offers the previous list.
    listViews().then(setViews, () => {});
  }, []);
  return { views, read };
}
