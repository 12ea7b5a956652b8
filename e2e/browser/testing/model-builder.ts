import type { Locator, Page } from "playwright";
import type { Product } from "./product.ts";

/** Opens the builder as the user of the page. */
export async function openModel(
  page: Page,
  { url }: Pick<Product, "url">,
  part = "",
): Promise<void> {
  await page.goto(`${url}/admin/model${part}`);
  await page.getByRole("heading", { name: "Model", exact: true }).waitFor();
}

/** Adds a table and names it; its first field exists already. */
export async function addTable(page: Page, label: string): Promise<void> {
  await page.getByRole("button", { name: "Add table" }).click();
  await page.getByRole("textbox", { name: "Table", exact: true }).fill(label);
}

/** Opens an existing field, by its label. */
export async function openField(page: Page, label: string): Promise<Locator> {
  await fieldsOf(page)
    .getByRole("button", { name: new RegExp(`^${label} `) })
    .click();
  return fieldsOf(page)
    .getByRole("listitem")
    .filter({ has: page.getByLabel("Type") });
}

/** Adds a field of a type, by the type's name on screen, and leaves it open. */
export async function addField(page: Page, label: string, type: string): Promise<Locator> {
  await page.getByRole("button", { name: "Add field" }).click();
  const form = fieldsOf(page)
    .getByRole("listitem")
    .filter({ has: page.getByLabel("Type") });
  await form.getByLabel("Label", { exact: true }).fill(label);
  await form.getByLabel("Type", { exact: true }).selectOption({ label: type });
  return form;
}

function fieldsOf(page: Page): Locator {
  return page.getByRole("region", { name: "Fields" });
}

/** Opens the plan of the draft. */
export async function review(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Review and publish" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish changes" });
  await dialog.getByRole("list", { name: "Steps" }).waitFor();
  return dialog;
}

/** Publishes the draft and waits until it is published. */
export async function publishModel(page: Page): Promise<void> {
  const dialog = await review(page);
  await dialog.getByRole("button", { name: "Publish changes" }).click();
  await dialog.waitFor({ state: "detached" });
}
