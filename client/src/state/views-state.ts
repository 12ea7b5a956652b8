import type { ViewInfo } from "../../../shared/protocol/views.ts";
import { atomFamily } from "./atom-family.ts";
import { createAtom } from "./atom-store.ts";
import { store } from "./store.ts";

/** The views of a table that the user may read, while the page follows them; null until they are loaded. */
export const viewsAtom = atomFamily<readonly ViewInfo[] | null>(null);

/** The view whose order by hand this page has changed last: what its own user has done is shown at once, also while they are at work. */
export const movedViewAtom = createAtom<ViewInfo | null>(null);

/** Shows a view as the server has just answered it, before its notification. */
export function cacheView(view: ViewInfo): ViewInfo {
  const atom = viewsAtom(view.table);
  const known = store.get(atom);
  if (known) {
    const others = known.filter(({ id }) => id !== view.id);
    store.set(atom, [...others, view].toSorted(bySharedAndName));
  }
  return view;
}

/** As the server orders them: what is shared first, each by name. */
function bySharedAndName(a: ViewInfo, b: ViewInfo): number {
  return Number(b.shared) - Number(a.shared) || a.name.localeCompare(b.name);
}

/** The same of a view whose order by hand is another one by what its own user did. */
export function showMoved(view: ViewInfo): void {
  store.set(movedViewAtom, cacheView(view));
}
