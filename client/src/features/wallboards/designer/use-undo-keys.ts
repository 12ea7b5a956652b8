import { useHotkeys } from "@mantine/hooks";
import type { WallboardDraft } from "../../../sync/wallboards/wallboard-draft.ts";

/** Undo and redo as everywhere; inputs keep the keys for their own text. */
export function useUndoKeys(draft: WallboardDraft): void {
  useHotkeys([
    ["mod+Z", () => draft.undo()],
    ["mod+shift+Z", () => draft.redo()],
    ["mod+Y", () => draft.redo()],
  ]);
}
