import { useAtomValue } from "jotai/react";
import { store } from "./store.ts";
import { type WallboardView, wallboardAtom } from "./wallboard-state.ts";

/** The values of a wallboard that this page follows, or of its draft. */
export function useWallboardView(wallboard: string, draft: boolean): WallboardView {
  return useAtomValue(wallboardAtom(wallboard, draft), { store });
}
