import type { Atom } from "./atom-store.ts";
import { store } from "./store.ts";

/** Calls back with each new value of an atom, outside React; the answer stops it. */
export function watchAtom<T>(atom: Atom<T>, callback: (value: T) => void): () => void {
  return store.sub(atom, () => callback(store.get(atom)));
}

/** The value of an atom right now. */
export function readAtom<T>(atom: Atom<T>): T {
  return store.get(atom);
}
