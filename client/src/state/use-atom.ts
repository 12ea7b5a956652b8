import { useAtomValue } from "jotai/react";
import type { Atom } from "./atom-store.ts";
import { store } from "./store.ts";

/** The value of an atom of the sync core, such as a row list's status. Renders when it changes. */
export function useAtom<T>(atom: Atom<T>): T {
  return useAtomValue(atom, { store });
}
