import { atom } from "jotai/vanilla";
import type { DisplayNotice } from "../../../shared/protocol/signals.ts";

/** The last that the server told of displays going dark or coming back; only who manages them hears it. */
export const displayUpdateAtom = atom<DisplayNotice["display"] | null>(null);
