import { createStore } from "jotai/vanilla";

/** The one store, outside React: `sync` writes it with `store.set`, hooks of this folder read it. */
export const store = createStore();
