import type { Page } from "playwright";

/** No timer of the page that is to wait `fromMs` or longer begins, as under heavy load, until they are released. */
export async function holdTimers(on: Page, fromMs = 0): Promise<() => Promise<void>> {
  const held = await on.evaluateHandle((from) => {
    const [begin, clear] = [window.setTimeout, window.clearTimeout];
    const waiting = new Map<number, () => number>();
    const begun = new Map<number, number>();
    let lastId = 0;
    window.setTimeout = ((run: () => void, ms = 0, ...given: unknown[]) => {
      if (ms < from) return begin(run, ms, ...given);
      lastId -= 1;
      waiting.set(lastId, () => begin(run, ms, ...given));
      return lastId;
    }) as typeof window.setTimeout;
    window.clearTimeout = ((id?: number) => {
      if (id !== undefined && !waiting.delete(id)) clear(begun.get(id) ?? id);
    }) as typeof window.clearTimeout;
    return () => {
      window.setTimeout = begin;
      for (const [id, start] of waiting) begun.set(id, start());
      waiting.clear();
    };
  }, fromMs);
  return () => held.evaluate((letGo) => letGo());
}
