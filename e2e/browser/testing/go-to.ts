import type { Page } from "playwright";
import { notFoundMessages as messages } from "../../../client/src/messages/en/not-found.ts";
import { pseudoText } from "../../../client/src/messages/start-language.ts";
import type { Product } from "./product.ts";

/**
 * Opens a screen of the app: inside the app where the page shows it already, which is half the work of a page load. What
 * the screen before had open is closed, and so are notices; storage, unsent edits, what can be undone, and what the shell has
 * open (the review of unsaved texts, the palette) remain.
 */
export async function goTo(page: Page, { url }: Pick<Product, "url">, path: string): Promise<void> {
  if (!page.url().startsWith(`${url}/`)) {
    await page.goto(`${url}${path}`);
    return;
  }
  // The new address may belong to the screen that is shown: it has to be left first.
  await page.evaluate(followLink, "/nowhere");
  const title = messages.nothingHere();
  const heading = page.getByRole("heading", { name: title });
  await heading.or(page.getByRole("heading", { name: pseudoText(title) })).waitFor();
  await page.waitForFunction(closeNotices);
  await page.evaluate(followLink, path);
}

/** Runs in the page: what a link of the app does. */
function followLink(path: string): void {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}

/** Runs in the page, until it is true. What was announced is emptied too, as it has the same texts. */
function closeNotices(): boolean {
  for (const region of document.querySelectorAll("[data-announcer]")) region.textContent = "";
  const buttons = document.querySelectorAll<HTMLElement>(".mantine-Notification-closeButton");
  for (const button of buttons) button.click();
  return buttons.length === 0;
}
