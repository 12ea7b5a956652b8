import type { ViewInfo } from "../../../shared/protocol/views.ts";
import { atomFamily } from "./atom-family.ts";

/** The views of a table that the user may read, while the page follows them; null until they are loaded. */
export const viewsAtom = atomFamily<readonly ViewInfo[] | null>(null);
