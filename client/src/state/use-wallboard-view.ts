import { useAtomValue } from "jotai/react";
import { store } from "./store.ts";
import { type WallboardView, wallboardAtom } from "./wallboard-state.ts";

/** The values of a board that this page follows, or of its draft. */
export function useWallboardView(board: string, draft: boolean): WallboardView {
  return useAtomValue(wallboardAtom(board, draft), { store });
}
