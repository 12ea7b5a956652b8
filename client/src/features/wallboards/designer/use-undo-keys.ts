import { useHotkeys } from "@mantine/hooks";
import type { WallboardDraft } from "../../../sync/wallboards/wallboard-draft.ts";

/** The usual keys for undo and redo; text inputs handle them themselves. */
export function useUndoKeys(draft: WallboardDraft): void {
  useHotkeys([
    ["mod+Z", () => draft.undo()],
    ["mod+shift+Z", () => draft.redo()],
    ["mod+Y", () => draft.redo()],
  ]);
}
