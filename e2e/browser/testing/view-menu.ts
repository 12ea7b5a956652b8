import type { Locator, Page } from "playwright";

/** The button that names the view and opens its menu. */
export const viewMenu = (page: Page) => page.getByRole("button", { name: /^View: / });
export const viewMenuItem = (page: Page, name: string) =>
  page.getByRole("menuitem", { name, exact: true });

/** Chooses an entry of the menu. */
export async function chooseInViewMenu(page: Page, name: string): Promise<void> {
  await viewMenu(page).click();
  await viewMenuItem(page, name).click();
}

/** Chooses one of the rarer tools above the rows. */
export async function chooseTool(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "More tools", exact: true }).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
}

/**
 * Presses a key on an item of a menu that has just opened. A menu gives the focus to its first item a moment after it is drawn: a key
 * that is pressed before would act there.
 */
export async function pressInMenu(item: Locator, key: string): Promise<void> {
  const focusWithin = item.page().locator(":focus-within");
  await item.locator("xpath=ancestor::*[@role='menu'][1]").and(focusWithin).waitFor();
  await item.press(key);
}

/** Opens the list of files that the view can be exported as. */
export async function openExport(page: Page): Promise<void> {
  await page.getByRole("button", { name: "More tools", exact: true }).click();
  await pressInMenu(page.getByRole("menuitem", { name: "Export", exact: true }), "ArrowRight");
}
