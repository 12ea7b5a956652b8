import { atom } from "jotai/vanilla";

/** Counts notifications about users, roles and events. Only users who manage them receive any. */
export const userUpdatesAtom = atom(0);
