import { useAtomValue } from "jotai/react";
import { type DraftState, draftAtom } from "./draft-state.ts";
import { store } from "./store.ts";

/** The draft of a wallboard in the designer, with the user's edits applied. */
export function useDraftState(wallboard: string): DraftState {
  return useAtomValue(draftAtom(wallboard), { store });
}
