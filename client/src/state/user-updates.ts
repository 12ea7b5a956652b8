import { atom } from "jotai/vanilla";

/** Counts what the server told of people, roles and events; only who manages them hears it. */
export const userUpdatesAtom = atom(0);
