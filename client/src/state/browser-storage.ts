/** Small texts that this browser stores by key, for its user. Where its storage is blocked or full, nothing is stored. */

export function readFromBrowser(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Null deletes it. */
export function storeInBrowser(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Nothing depends on it: what is chosen lasts until the page closes.
  }
}
