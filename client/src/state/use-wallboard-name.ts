import { useAtomValue } from "jotai/react";
import { draftAtom } from "./draft-state.ts";
import { store } from "./store.ts";
import { wallboardAtom } from "./wallboard-state.ts";

/** What an open board is called, as far as this page knows it; its draft's name where it is in work. */
export function useWallboardName(board: string): string | null {
  const draft = useAtomValue(draftAtom(board), { store }).info;
  const shown = useAtomValue(wallboardAtom(board, false), { store }).board;
  return draft?.name ?? shown?.name ?? null;
}
