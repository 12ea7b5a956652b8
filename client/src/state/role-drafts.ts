import { atom } from "jotai/vanilla";
import type { Draft } from "../../../shared/document/draft.ts";

/** The user's unsaved changes of roles, by id: they outlive the screen. Signing out discards them, and asks first. */
export const roleDraftsAtom = atom<Readonly<Record<string, Draft>>>({});
