import type { ViewInfo } from "../../../shared/protocol/views.ts";
import { atomFamily } from "./atom-family.ts";
import { createAtom } from "./atom-store.ts";

/** The views of a table that the user may read, while the page follows them; null until they are loaded. */
export const viewsAtom = atomFamily<readonly ViewInfo[] | null>(null);

/** The view in which this page has moved records last: what its own user has moved is shown at once, also while they are at work. */
export const movedViewAtom = createAtom<ViewInfo | null>(null);
