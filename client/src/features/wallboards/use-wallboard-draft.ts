import { useEffect, useState } from "react";
import type { DraftState } from "../../state/draft-state.ts";
import { useDraftState } from "../../state/use-draft-state.ts";
import type { WallboardDraft } from "../../sync/wallboards/wallboard-draft.ts";
import { followWallboard, openDraft } from "../../sync/wallboards/wallboards.ts";
import { problemText } from "../../ui/problem-text.ts";

/** Opens a board's draft and follows its values while the designer is mounted. */
export function useWallboardDraft(id: string): { draft: WallboardDraft | null; state: DraftState } {
  const [draft, setDraft] = useState<WallboardDraft | null>(null);
  const state = useDraftState(id);
  useEffect(() => {
    const opened = openDraft(id, problemText);
    const unfollow = followWallboard(id, true);
    setDraft(opened.draft);
    return () => {
      unfollow();
      opened.leave();
    };
  }, [id]);
  return { draft, state };
}
