import type { Locator, Page } from "playwright";
import { goTo } from "./go-to.ts";
import type { Product } from "./product.ts";

/** Opens a table and waits until its rows are there. `query` is the view, as in the address bar. */
export async function openTable(
  page: Page,
  { url }: Pick<Product, "url">,
  path: string,
): Promise<void> {
  await page.goto(`${url}/t/${path}`);
  await waitForRows(page);
}

/** Opens a table like `openTable`, but without loading the page again if it shows the app already. */
export async function goToTable(
  page: Page,
  product: Pick<Product, "url">,
  path: string,
): Promise<void> {
  await goTo(page, product, `/t/${path}`);
  await waitForRows(page);
}

function waitForRows(page: Page): Promise<void> {
  return page.locator(".ag-row .wf-cell:not(.wf-loading)").first().waitFor();
}

/** A cell by record and field, wherever it is. */
export function cell(page: Page, record: string, field: string): Locator {
  return page.locator(`.ag-row[row-id="${record}"] [col-id="${field}"]`);
}

/** The visible text of a cell. */
export async function textOf(at: Locator): Promise<string> {
  return (await at.locator(".wf-value").textContent()) ?? "";
}

/** The records on the screen from top to bottom. */
export async function recordsShown(page: Page): Promise<string[]> {
  const rows = await page.locator(".ag-row[row-id]").evaluateAll((elements) =>
    elements
      .map((element) => ({
        id: element.getAttribute("row-id") ?? "",
        top: element.getBoundingClientRect().top,
      }))
      .sort((a, b) => a.top - b.top)
      .map(({ id }) => id),
  );
  return rows;
}

/** Sorts by a column with the arrow in its header, which is there while the pointer is. */
export async function sortByHeader(page: Page, label: string): Promise<void> {
  await page.getByRole("columnheader", { name: label }).hover();
  await page.getByRole("button", { name: `Sort by ${label}`, exact: true }).click();
}

/** Waits until a cell has this text, and no other beside it. */
export async function waitForText(at: Locator, text: string): Promise<void> {
  const exactly = new RegExp(`^${text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`);
  await at.locator(".wf-value", { hasText: exactly }).waitFor();
}

/** Creates a record through the API, as the user of the page. */
export async function makeRecord(
  page: Page,
  { url }: Product,
  table: string,
  record: string,
  values: Record<string, unknown>,
): Promise<void> {
  const answer = await page.request.post(`${url}/api/v1/tables/${table}/records`, {
    data: { record, values },
    headers: { origin: url },
  });
  if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`);
}

/** Changes a record through the API, whatever its values. */
export async function changeRecord(
  page: Page,
  { url }: Product,
  table: string,
  record: string,
  set: Record<string, unknown>,
): Promise<void> {
  const answer = await page.request.patch(
    `${url}/api/v1/tables/${table}/records/${record}?overwrite=true`,
    { data: { set }, headers: { origin: url } },
  );
  if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`);
}

/** Pastes a text, or what a spreadsheet puts on the clipboard, where the focus is. */
export async function paste(page: Page, text: string, html = ""): Promise<void> {
  await page.evaluate(
    ([plain, table]) => {
      const data = new DataTransfer();
      data.setData("text/plain", plain);
      if (table !== "") data.setData("text/html", table);
      const event = new ClipboardEvent("paste", {
        clipboardData: data,
        bubbles: true,
        cancelable: true,
      });
      document.activeElement?.dispatchEvent(event);
    },
    [text, html] as const,
  );
}
