import type { Page } from "playwright";

/** What may move on a screen while it loads, by the browser's own measure. */
export const SHIFT_MAX = 0.02;

/** Counts every shift from here on, also those right after an input, which the usual sum leaves out. */
export async function countShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const counted = globalThis as unknown as { layoutShift: number };
    counted.layoutShift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        counted.layoutShift += (entry as unknown as { value: number }).value;
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** The sum of all shifts of this page load. */
export function shiftOf(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as { layoutShift: number }).layoutShift);
}
