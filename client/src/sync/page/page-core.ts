import { createAtom } from "../../state/atom-store.ts";
import { store } from "../../state/store.ts";
import type { ClientCore } from "../client-core.ts";

/**
 * The page's one client core. `app` sets it before the first screen inside the shell is drawn and
 * takes it away at sign-out, so that screens may simply ask for it.
 */
const coreAtom = createAtom<ClientCore | null>(null);

/** The client core of the signed-in user. */
export function pageCore(): ClientCore {
  const core = store.get(coreAtom);
  if (!core) throw new Error("There is no client core: nobody is signed in on this page.");
  return core;
}

/** Whether somebody is signed in on this page. */
export function hasPageCore(): boolean {
  return store.get(coreAtom) !== null;
}

/** Sets or takes away the page's core; only `app` does. */
export function setPageCore(core: ClientCore | null): void {
  store.set(coreAtom, core);
}
