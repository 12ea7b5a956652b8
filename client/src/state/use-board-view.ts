import { useAtomValue } from "jotai/react";
import { type BoardView, boardAtom } from "./board-state.ts";
import { store } from "./store.ts";

/** The figures of a board that this page follows, or of its draft. */
export function useBoardView(board: string, draft: boolean): BoardView {
  return useAtomValue(boardAtom(board, draft), { store });
}
