import { atom, type PrimitiveAtom } from "jotai/vanilla";

/** One atom for each name, created with `initial` when it is first asked for. */
export function atomFamily<T>(initial: T): (name: string) => PrimitiveAtom<T> {
  const atoms = new Map<string, PrimitiveAtom<T>>();
  return (name) => {
    const known = atoms.get(name);
    if (known) return known;
    const made = atom(initial) as PrimitiveAtom<T>;
    atoms.set(name, made);
    return made;
  };
}
