import { atom } from "jotai/vanilla";
import type { DisplayNotice } from "../../../shared/protocol/signals.ts";

/** The last notification that a display went offline or came back. Only users who manage displays receive any. */
export const displayUpdateAtom = atom<DisplayNotice["display"] | null>(null);
