import { atom } from "jotai/vanilla";
import type { Draft } from "../../../shared/document/draft.ts";

/** The user's unsaved changes of roles, by id: they outlive the screen. Signing out leaves the page and so discards them. */
export const roleDraftsAtom = atom<Readonly<Record<string, Draft>>>({});
