import { atom } from "jotai/vanilla";

/** The record whose comments are on the screen. */
export const shownThreadAtom = atom<{ table: string; record: string } | null>(null);
