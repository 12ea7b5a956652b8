import { type Atom, atom, createStore, type PrimitiveAtom } from "jotai/vanilla";

/**
 * The only access to jotai for `sync`, which receives a store and writes atoms of this folder. A browser page
 * has one store (store.ts); a test or a bench makes one per client core.
 */
export type AtomStore = ReturnType<typeof createStore>;
export type { Atom, PrimitiveAtom };

/** A store of its own, for cores that run outside a page. */
export function createAtomStore(): AtomStore {
  return createStore();
}

/** An atom that `sync` owns for one of its objects, such as a row list's status. */
export function createAtom<T>(initial: T): PrimitiveAtom<T> {
  return atom(initial) as PrimitiveAtom<T>;
}
