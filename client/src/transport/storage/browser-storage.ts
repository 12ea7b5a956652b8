/**
 * All that a page stores in its browser goes through this module (e2e/lint/one-way.ts). Browsers may block it: by
 * a setting, by a policy, or in a private window. Then `localStorage` and `sessionStorage` throw at their mere name, and
 * IndexedDB throws or fails later. No call here throws; only `browserDatabases` may, where opening one is bound to fail
 * anyway. What could not be stored lasts as long as the page.
 */

/** Stores small texts by key. */
export type TextStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** `local` is that of the browser, `session` that of the tab. */
type Area = "local" | "session";

/** Null where it is blocked, or where the browser has none. */
export function browserStorage(area: Area = "local"): TextStorage | null {
  try {
    return (area === "local" ? localStorage : sessionStorage) ?? null;
  } catch {
    return null;
  }
}

/** Reads or writes. Returns false if the storage fails or there is none: what was to be stored stays in memory. */
export function withStorage(
  storage: TextStorage | null,
  run: (storage: TextStorage) => void,
): boolean {
  try {
    if (storage) run(storage);
    return storage !== null;
  } catch {
    return false;
  }
}

/** The stored text; null if there is none or it can't be read. */
export function readFromBrowser(key: string, area: Area = "local"): string | null {
  let found: string | null = null;
  withStorage(browserStorage(area), (storage) => {
    found = storage.getItem(key);
  });
  return found;
}

/** Stores a text; null deletes it. Returns whether it could. */
export function storeInBrowser(key: string, value: string | null, area: Area = "local"): boolean {
  return withStorage(browserStorage(area), (storage) => {
    if (value === null) storage.removeItem(key);
    else storage.setItem(key, value);
  });
}

/** Deletes all texts whose keys begin so. */
export function clearFromBrowser(prefix: string, area: Area): void {
  withStorage(browserStorage(area), (storage) => {
    const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? "");
    for (const key of keys.filter((one) => one.startsWith(prefix))) storage.removeItem(key);
  });
}

/** The databases of the browser. May throw where they are blocked. */
export function browserDatabases(): IDBFactory {
  return indexedDB;
}

/** Which storage the browser refuses. */
export interface BlockedStorage {
  /** No session can be opened. */
  cookies: boolean;
  /** Edits don't survive the page: those that were not sent, and steps to undo. */
  edits: boolean;
  /** Preferences, drafts of documents, and texts that are being typed don't survive the page. */
  preferences: boolean;
}

/** Tries what the browser stores, and leaves nothing behind. */
export async function findBlockedStorage(): Promise<BlockedStorage> {
  return {
    cookies: !canStoreCookies(),
    edits: !canStore("session") || !(await canListDatabases()),
    preferences: !canStore("local"),
  };
}

const PROBE = "watchfloor.probe";

function canStore(area: Area): boolean {
  return storeInBrowser(PROBE, "", area) && storeInBrowser(PROBE, null, area);
}

/** Whether this site may store cookies. `navigator.cookieEnabled` is true in Chrome also where it may not. */
export function canStoreCookies(): boolean {
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is on https only.
    document.cookie = `${PROBE}=1; SameSite=Strict`;
    const isStored = document.cookie.includes(PROBE);
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is on https only.
    document.cookie = `${PROBE}=; Max-Age=0`;
    return isStored;
  } catch {
    return false;
  }
}

/** Listing needs the same access as opening, and creates none. */
async function canListDatabases(): Promise<boolean> {
  try {
    await browserDatabases().databases?.();
    return true;
  } catch {
    return false;
  }
}
