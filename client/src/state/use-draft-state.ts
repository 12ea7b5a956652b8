import { useAtomValue } from "jotai/react";
import { type DraftState, draftAtom } from "./draft-state.ts";
import { store } from "./store.ts";

/** A board in the designer, as its draft stands with my edits on it. */
export function useDraftState(board: string): DraftState {
  return useAtomValue(draftAtom(board), { store });
}
