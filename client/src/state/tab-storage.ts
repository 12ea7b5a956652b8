import {
  clearFromBrowser,
  readFromBrowser,
  storeInBrowser,
} from "../transport/storage/browser-storage.ts";
import { createAtom } from "./atom-store.ts";
import { store } from "./store.ts";

/**
 * State that a screen stores for its user in this tab, so that it survives a reload. It is deleted with
 * the tab and at sign-out, so the next user finds none of it.
 */
const PREFIX = "wf-tab:";
const isClearedAtom = createAtom(false);

/** Stores a value as JSON; null deletes it. If the storage is full, nothing is stored: the page itself still has the value. */
export function storeInTab(key: string, value: unknown): void {
  if (store.get(isClearedAtom)) return;
  storeInBrowser(PREFIX + key, value === null ? null : JSON.stringify(value), "session");
}

/** The stored value, not validated; null if there is none or it can't be read. */
export function readFromTab(key: string): unknown {
  try {
    return JSON.parse(readFromBrowser(PREFIX + key, "session") ?? "null");
  } catch {
    return null;
  }
}

/** Deletes everything that screens have stored, before the page is left. Nothing is stored after that. */
export function clearTab(): void {
  store.set(isClearedAtom, true);
  clearFromBrowser(PREFIX, "session");
}
