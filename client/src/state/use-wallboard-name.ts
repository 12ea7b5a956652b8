import { useAtomValue } from "jotai/react";
import { draftAtom } from "./draft-state.ts";
import { store } from "./store.ts";
import { wallboardAtom } from "./wallboard-state.ts";

/** What an open wallboard is called, as far as this page knows it; its draft's name where it is in work. */
export function useWallboardName(wallboard: string): string | null {
  const draft = useAtomValue(draftAtom(wallboard), { store }).info;
  const shown = useAtomValue(wallboardAtom(wallboard, false), { store }).board;
  return draft?.name ?? shown?.name ?? null;
}
