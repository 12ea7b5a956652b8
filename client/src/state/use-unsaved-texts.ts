import { useAtomValue } from "jotai/react";
import { store } from "./store.ts";
import { type UnsavedText, unsavedTextsAtom } from "./unsaved-texts.ts";

/** What I have typed and could not save, newest first. */
export function useUnsavedTexts(): readonly UnsavedText[] {
  return useAtomValue(unsavedTextsAtom, { store });
}
