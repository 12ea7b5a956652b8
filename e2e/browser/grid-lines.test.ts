import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { leaveBrowser, openBrowser, visitAs } from "./testing/browser.ts";
import { cell, openTable, waitForText } from "./testing/grid.ts";
import { addParcels, makeParcels } from "./testing/parcels.ts";
import { owner, type Product, startProduct } from "./testing/product.ts";

const ROWS = 250;
const COLUMNS = 5;

let browser: Browser;
let product: Product;
let mara: Page;
let ids: string[];

beforeAll(async () => {
  [browser, product] = await Promise.all([openBrowser(), startProduct()]);
  mara = (await visitAs(browser, product, owner)).page;
  await addParcels(mara, product);
  const made = await makeParcels(mara, product, { series: "lines", count: ROWS }, (index) => ({
    pieces: index,
    size: "S",
  }));
  ids = made.ids;
  await openTable(mara, product, made.path);
});

afterAll(async () => {
  await leaveBrowser(browser);
  await product.close();
});

const header = (field: string) =>
  mara.locator(`.ag-header-cell[col-id="${field}"] .wf-header-label`);
const handle = (index: number) =>
  mara.locator(`.ag-row[row-id="${ids[index]}"] .wf-gutter-cell`).first();
const countIs = (text: string) => mara.getByTestId("range").getByText(text).waitFor();
const pieces = async (index: number) => {
  const record = await apiRequest<{ values: Record<string, unknown> }>(
    mara,
    product,
    "GET",
    `/tables/parcels/records/${ids[index]}`,
  );
  return record.values.pieces;
};
/** The left of a handle: the button that opens the record is at its right. */
const corner = { position: { x: 6, y: 10 } };

it("selects columns by their headers, with rows that are not loaded", async () => {
  await header("pieces").click();
  await countIs("250 cells");
  // 0 + 1 + … + 249
  await mara.getByText("31,125").waitFor();
  expect(new URL(mara.url()).searchParams.get("sort")).toBe("place");
  await header("size").click({ modifiers: ["Shift"] });
  await countIs("500 cells");
  await header("name").click();
  await header("size").click({ modifiers: ["Control"] });
  await countIs("500 cells");
  expect(await mara.locator(".ag-cell[data-range][col-id=pieces]").count()).toBe(0);
  expect(await accessibilityProblems(mara)).toEqual([]);
});

it("selects rows by their handles: Shift extends, Ctrl adds, and dragging selects more", async () => {
  await handle(2).click(corner);
  await countIs(`${COLUMNS} cells`);
  await handle(4).click({ ...corner, modifiers: ["Shift"] });
  await countIs(`${3 * COLUMNS} cells`);
  await handle(7).click({ ...corner, modifiers: ["Control"] });
  await countIs(`${4 * COLUMNS} cells`);
  await handle(1).hover(corner);
  await mara.mouse.down();
  await handle(5).hover(corner);
  await mara.mouse.up();
  await countIs(`${5 * COLUMNS} cells`);
});

it("acts on selected rows and columns by keys", async () => {
  await handle(1).click(corner);
  await mara.keyboard.press("Shift+ArrowDown");
  await countIs(`${2 * COLUMNS} cells`);
  await header("pieces").click();
  await countIs("250 cells");
  await mara.keyboard.press("Delete");
  await mara.getByText("250 cells cleared.").first().waitFor();
  expect([await pieces(0), await pieces(249)]).toEqual([null, null]);
  await mara.keyboard.press("Control+z");
  await waitForText(cell(mara, ids[3] ?? "", "pieces"), "3");
  await cell(mara, ids[0] ?? "", "name").click();
  await mara.keyboard.press("Control+Space");
  await countIs("250 cells");
});

it("offers what can be done with a cell and its record in a menu, by pointer and by key", async () => {
  await mara.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const menu = mara.getByRole("menu", { name: "Cell Pieces" });
  await cell(mara, ids[5] ?? "", "pieces").click({ button: "right" });
  expect(await accessibilityProblems(mara)).toEqual([]);
  await menu.getByRole("menuitem", { name: "Copy", exact: true }).click();
  await mara.getByText("1 cell copied.").first().waitFor();
  await cell(mara, ids[6] ?? "", "pieces").click({ button: "right" });
  await menu.getByRole("menuitem", { name: "Paste" }).click();
  await waitForText(cell(mara, ids[6] ?? "", "pieces"), "5");
  await mara.keyboard.press("ArrowDown");
  await mara.keyboard.press("Shift+F10");
  await menu.getByRole("menuitem", { name: "Clear" }).focus();
  await mara.keyboard.press("Enter");
  await expect.poll(() => pieces(7)).toBe(null);
  await handle(8).click(corner);
  await handle(9).click({ ...corner, modifiers: ["Shift"] });
  await cell(mara, ids[9] ?? "", "pieces").click({ button: "right" });
  await menu.getByRole("menuitem", { name: "Delete 2 records" }).click();
  await mara.getByText("2 parcels deleted.").first().waitFor();
  await cell(mara, ids[6] ?? "", "pieces").click({ button: "right" });
  await menu.getByRole("menuitem", { name: "Filter by this value" }).click();
  await expect.poll(() => mara.locator(".ag-row[row-id]").count()).toBe(2);
});
