/** Keeps small texts by key. The browser's `localStorage` is one; it may refuse to be used. */
export type TextStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** The browser's own storage; null where it is blocked. */
export function browserTextStorage(): TextStorage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
