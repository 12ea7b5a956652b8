/**
 * What a screen keeps for its person in this tab, so that a reload loses nothing. It ends with the tab,
 * and with the session: whoever signs in here next finds nothing of it.
 */
const PREFIX = "wf-tab:";

/** Keeps a value as JSON; null forgets it. A full storage keeps nothing: the page itself still has it. */
export function storeInTab(key: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(PREFIX + key);
    else sessionStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Nothing depends on it.
  }
}

/** What was kept, unchecked; null where there is nothing that can be read. */
export function readFromTab(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + key) ?? "null");
  } catch {
    return null;
  }
}

/** Forgets all that any screen has kept. */
export function clearTab(): void {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
    for (const key of keys) sessionStorage.removeItem(key);
  } catch {
    // A browser that refuses storage has kept nothing.
  }
}
