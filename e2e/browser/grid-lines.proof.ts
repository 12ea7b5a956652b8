// Covers: client/src/features/grid client/src/sync
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { WireRecord } from "../../shared/protocol/record.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { boxAtRest } from "./testing/box-at-rest.ts";
import { leaveBrowser, openBrowser, visitAs } from "./testing/browser.ts";
import { cell, makeRecord, openTable, waitForText } from "./testing/grid.ts";
import { addParcels, makeParcels } from "./testing/parcels.ts";
import { owner, type Product, startProduct } from "./testing/product.ts";
import { pressInMenu } from "./testing/view-menu.ts";

const ROWS = 250;
const COLUMNS = 5;

let browser: Browser;
let product: Product;
let mara: Page;
let ids: string[];
let path: string;

beforeAll(async () => {
  [browser, product] = await Promise.all([openBrowser(), startProduct()]);
  mara = (await visitAs(browser, product, owner)).page;
  await addParcels(mara, product);
  const made = await makeParcels(mara, product, { series: "lines", count: ROWS }, (index) => ({
    pieces: index,
    size: "S",
  }));
  ({ ids, path } = made);
  await openTable(mara, product, path);
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
  await countIs("250 cells");
  await header("size").click({ modifiers: ["Control"] });
  await countIs("500 cells");
  await expect.poll(() => mara.locator(".ag-cell[data-range][col-id=pieces]").count()).toBe(0);
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
  await pressInMenu(menu.getByRole("menuitem", { name: "Clear" }), "Enter");
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

it("scrolls while a range is dragged to the edge of the rows, and selects on", async () => {
  await openTable(mara, product, path);
  const [rows, first] = await Promise.all([
    boxAtRest(mara.getByRole("region", { name: "Parcels" })),
    boxAtRest(cell(mara, ids[0] ?? "", "name")),
  ]);
  const x = first.x + 10;
  await mara.mouse.move(x, first.y + 10);
  await mara.mouse.down();
  await mara.mouse.move(x, rows.y + rows.height - 8, { steps: 3 });
  const selected = async () =>
    Number.parseInt((await mara.getByTestId("range").textContent()) ?? "", 10);
  await expect.poll(selected).toBeGreaterThan(100);
  await mara.mouse.up();
  const isLastSelected = async () =>
    cell(mara, ids[(await selected()) - 1] ?? "", "name")
      .and(mara.locator("[data-range]"))
      .count();
  await expect.poll(isLastSelected).toBe(1);
});

it("duplicates the selected records, as one step that is undone", async () => {
  const filter = JSON.stringify({ field: "name", op: "in", value: ["Parcel 0", "Parcel 1"] });
  const names = async () => {
    const address = `/tables/parcels/records?filter=${encodeURIComponent(filter)}`;
    const { records } = await apiRequest<{ records: WireRecord[] }>(mara, product, "GET", address);
    return records.map(({ values }) => values.name).sort();
  };
  await openTable(mara, product, path);
  for (const index of [0, 1])
    await mara.locator(`.ag-row[row-id="${ids[index]}"] input[type="checkbox"]`).click();
  await mara.getByRole("button", { name: "Duplicate" }).click();
  await mara.getByText("2 parcels duplicated.").first().waitFor();
  await expect.poll(() => names()).toEqual(["Parcel 0", "Parcel 0", "Parcel 1", "Parcel 1"]);
  await mara.getByRole("button", { name: "Undo" }).last().click();
  await expect.poll(names).toEqual(["Parcel 0", "Parcel 1"]);
});

it("draws a line around all cells that goes on from column to column, also over linked records", async () => {
  const ops = [{ op: "create", table: "groups", values: { name: "Lines" } }];
  await apiRequest(mara, product, "POST", "/mutations", { id: "range-lines", ops });
  await makeRecord(mara, product, "incidents", "range-line", { title: "Lines", group: "Lines" });
  await openTable(mara, product, "incidents");
  await mara.locator('.ag-row [col-id="title"]').first().click();
  await mara.keyboard.press("Control+a");
  await mara.locator('.ag-cell[data-range][col-id="group"]').first().waitFor();
  const differences = () =>
    mara.locator(".ag-cell[data-range]").evaluateAll((cells) =>
      cells.map((cell) => {
        const frame = getComputedStyle(cell.querySelector(".wf-cell") as Element, "::after");
        return Math.round((cell as HTMLElement).offsetWidth - Number.parseFloat(frame.width));
      }),
    );
  await expect.poll(async () => [...new Set(await differences())]).toEqual([0]);
});
