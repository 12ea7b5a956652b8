import type { Page } from "playwright";

/** The page goes to the background, as when a phone shows another app. */
export async function moveToBackground(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    Reflect.deleteProperty(document, "visibilityState");
  });
}

/** All texts in the storage of the browser. */
export function storedTexts(page: Page): Promise<string> {
  return page.evaluate(() => Object.values(localStorage).join());
}
