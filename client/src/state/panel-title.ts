import { atom } from "jotai/vanilla";

/** What the panel that is open calls its record; null while no panel is there. */
export const panelTitleAtom = atom<{ table: string; record: string; title: string } | null>(null);
