// Covers: client/src/features/grid client/src/sync
import { beforeAll, expect, it } from "vitest";
import { apiRequest } from "./testing/api-request.ts";
import { boxAtRest } from "./testing/box-at-rest.ts";
import { visitAs } from "./testing/browser.ts";
import { cell, makeRecord, openTable } from "./testing/grid.ts";
import { addParcels, makeParcels } from "./testing/parcels.ts";
import { openProduct, owner } from "./testing/product.ts";
import { pressInMenu } from "./testing/view-menu.ts";

const { browser, product } = await openProduct();
let ids: string[];

beforeAll(async () => {
  const { page } = await visitAs(browser, product, owner);
  await addParcels(page, product);
  ({ ids } = await makeParcels(page, product, { series: "width", count: 5 }));
  await page.context().close();
});

it("shares the width that is left over among columns that nobody sized, and not while a cell is edited", async () => {
  const { page } = await visitAs(browser, product, owner);
  const header = (field: string) => page.locator(`.ag-header-cell[col-id="${field}"]`);
  const widthOf = async (field: string) => (await header(field).boundingBox())?.width ?? 0;
  const gap = () =>
    page.evaluate(() => {
      const right = (one: string) =>
        Math.max(
          ...[...document.querySelectorAll(one)].map((each) => each.getBoundingClientRect().right),
        );
      return Math.abs(right(".ag-grid-viewport") - right(".ag-header-cell[col-id]"));
    });
  const resize = async (width: number) => {
    const before = await page.locator(".ag-grid-viewport").boundingBox();
    await page.setViewportSize({ width, height: 900 });
    const viewport = page.locator(".ag-grid-viewport");
    await expect.poll(async () => (await viewport.boundingBox())?.width).not.toBe(before?.width);
  };
  await openTable(page, product, "parcels?sort=place");
  await expect.poll(gap).toBeLessThan(2);
  const pinned = await widthOf("place");
  const narrow = await widthOf("size");
  await header("size").press("Alt+Enter");
  await pressInMenu(page.getByRole("menuitem", { name: "Arrange" }), "ArrowRight");
  await pressInMenu(page.getByRole("menuitem", { name: "Wider" }), "Enter");
  await expect.poll(() => widthOf("size")).toBeGreaterThan(narrow);
  await page.keyboard.press("Escape");
  await expect.poll(gap).toBeLessThan(2);
  const [size, note] = [await widthOf("size"), await widthOf("note")];
  await resize(2000);
  await expect.poll(gap).toBeLessThan(2);
  expect([await widthOf("place"), await widthOf("size")]).toEqual([pinned, size]);
  const wide = await widthOf("note");
  expect(wide).toBeGreaterThan(note);
  await cell(page, ids[1] ?? "", "name").dblclick();
  await page.getByRole("textbox", { name: "Name", exact: true }).waitFor();
  await resize(1700);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  await expect.poll(() => widthOf("note")).toBe(wide);
  await page.keyboard.press("Escape");
  await expect.poll(gap).toBeLessThan(2);
  await resize(1440);
  await openTable(page, product, "parcels?sort=place");
  await expect.poll(gap).toBeLessThan(2);
  expect([await widthOf("place"), await widthOf("size")]).toEqual([pinned, size]);
});

it("shows the whole label of every header, with its buttons", async () => {
  const { page } = await visitAs(browser, product, owner);
  await makeRecord(page, product, "incidents", "wide-1", { title: "Wide" });
  await openTable(page, product, "incidents?sort=number,title");
  for (const label of ["Number", "Title", "State", "Priority"]) {
    const header = page.getByRole("columnheader", { name: label });
    await header.hover();
    await header.getByRole("button", { name: `Sort by ${label}` }).waitFor();
    const missing = () =>
      header
        .locator(".wf-header-label")
        .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    await expect.poll(missing, { message: label }).toBe(0);
  }
});

it.each([1024, 1440, 2560])(
  "covers and moves nothing with the tools of a selection, %i px wide",
  async (width) => {
    const { page } = await visitAs(browser, product, owner);
    await page.setViewportSize({ width, height: 1000 });
    await openTable(page, product, "parcels?sort=place");
    const begin = page
      .getByRole("toolbar", { name: "Table" })
      .getByRole("button", { name: /^New/ });
    const rows = page.locator(".ag-grid-viewport");
    const beginBefore = await boxAtRest(begin);
    const rowsBefore = await boxAtRest(rows);
    await page.getByRole("checkbox").first().click();
    const tools = await boxAtRest(page.getByRole("toolbar", { name: "1 selected" }));
    expect(await boxAtRest(begin)).toEqual(beginBefore);
    expect(await boxAtRest(rows)).toEqual(rowsBefore);
    expect(tools.y).toBeGreaterThanOrEqual(rowsBefore.y + rowsBefore.height);
    expect(tools.x + tools.width).toBeLessThanOrEqual(width);
  },
);

it("leaves the columns in place while a cell is edited, although a colleague saves others for the view", async () => {
  const { page } = await visitAs(browser, product, owner);
  const columns = ["name", "note", "size"].map((field) => ({ field }));
  const view = { table: "parcels", name: "Before", shared: true, columns };
  const { id } = await apiRequest<{ id: string }>(page, product, "POST", "/views", view);
  await openTable(page, product, `parcels?view=${id}`);
  const header = (field: string) => page.locator(`.ag-header-cell[col-id="${field}"]`);
  const leftOf = async (field: string) => (await header(field).boundingBox())?.x ?? 0;
  await page.locator(".ag-row [col-id=name]").first().dblclick();
  const editor = page.locator(".wf-editor, .wf-editor-popup");
  await editor.waitFor();
  const shown = await Promise.all(["name", "note", "size"].map(leftOf));
  const saved = { name: "After", columns: [{ field: "size", width: 400 }, ...columns.slice(0, 2)] };
  await apiRequest(page, product, "PATCH", `/views/${id}`, saved);
  const show = page.getByRole("button", { name: "This view was changed · Show" });
  await show.waitFor();
  expect(await Promise.all(["name", "note", "size"].map(leftOf))).toEqual(shown);
  await page.keyboard.press("Escape");
  await show.click();
  await expect.poll(async () => (await leftOf("size")) < (await leftOf("name"))).toBe(true);
});
