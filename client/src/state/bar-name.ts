import { atom } from "jotai/vanilla";

/** What the bar above calls the screen, if that is one with a fixed name; null for what has a name of its own, such as a record. */
export const barNameAtom = atom<string | null>(null);
