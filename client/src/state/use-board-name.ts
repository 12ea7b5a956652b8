import { useAtomValue } from "jotai/react";
import { boardAtom } from "./board-state.ts";
import { draftAtom } from "./draft-state.ts";
import { store } from "./store.ts";

/** What an open board is called, as far as this page knows it; its draft's name where it is in work. */
export function useBoardName(board: string): string | null {
  const draft = useAtomValue(draftAtom(board), { store }).info;
  const shown = useAtomValue(boardAtom(board, false), { store }).board;
  return draft?.name ?? shown?.name ?? null;
}
