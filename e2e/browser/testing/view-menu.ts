import type { Page } from "playwright";

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

/** Opens the list of files that the view can be exported as. */
export async function openExport(page: Page): Promise<void> {
  await page.getByRole("button", { name: "More tools", exact: true }).click();
  await page.getByRole("menuitem", { name: "Export", exact: true }).press("ArrowRight");
}
