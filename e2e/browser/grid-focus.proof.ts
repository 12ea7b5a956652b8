// Covers: client/src/features/grid client/src/sync
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { boxAtRest } from "./testing/box-at-rest.ts";
import { type Visitor, visitAs } from "./testing/browser.ts";
import { cell, changeRecord, goToTable, makeRecord, recordsShown } from "./testing/grid.ts";
import { openProduct, owner } from "./testing/product.ts";

const { browser, product } = await openProduct();
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  visitor = await visitAs(browser, product, owner);
  page = visitor.page;
});

const at = (place: string) =>
  encodeURIComponent(JSON.stringify({ field: "location", op: "eq", value: place }));

async function makeRows(place: string, titles: string[]): Promise<void> {
  for (const title of titles) {
    const id = `${place}-${title}`.toLowerCase();
    await makeRecord(page, product, "incidents", id, { title, state: "New", location: place });
  }
}

async function openRows(place: string, titles: string[]): Promise<void> {
  await makeRows(place, titles);
  await goToTable(page, product, `incidents?sort=title&filter=${at(place)}`);
  await expect.poll(() => recordsShown(page)).toHaveLength(titles.length);
}

/** The cell of a record that the browser's focus is on. */
const focused = (record: string) => page.locator(`.ag-row[row-id="${record}"] .ag-cell:focus`);

/** Presses a button from the keyboard. */
async function press(name: string | RegExp): Promise<void> {
  const button = page.getByRole("button", { name });
  await button.focus();
  await button.press("Enter");
  await button.waitFor({ state: "detached" });
}

const panel = () => page.getByRole("complementary");

describe("the focus goes to a cell of the grid", () => {
  it("when the panel of a new record above the rows is closed", async () => {
    await openRows("Vault", ["A"]);
    await page.getByRole("button", { name: /^New\s+incident/ }).click();
    const own = page.locator(".ag-grid-pinned-top-rows .ag-cell:focus");
    await own.waitFor();
    await page.keyboard.press("Alt+Enter");
    await panel().getByText("Draft: only you can see it.").waitFor();
    await panel().and(page.locator(":focus-within")).waitFor();
    await page.keyboard.press("Escape");
    await panel().waitFor({ state: "detached" });
    await own.waitFor();
    await page.keyboard.press("ControlOrMeta+Delete");
  });

  it("when the panel of a record without a row is closed", async () => {
    await makeRows("Elsewhere", ["A"]);
    await makeRows("Loft", ["A", "B"]);
    await goToTable(page, product, `incidents/elsewhere-a?sort=title&filter=${at("Loft")}`);
    await panel().getByRole("textbox", { name: "Title" }).waitFor();
    await panel().focus();
    await page.keyboard.press("Escape");
    await focused("loft-a").waitFor();
  });

  it("when new records are let in, the first of which are on the screen", async () => {
    await openRows("Quay", ["D"]);
    await cell(page, "quay-d", "title").click();
    await makeRows("Quay", ["A", "B", "C"]);
    await page.getByRole("button", { name: "3 new" }).waitFor();
    await press("3 new");
    await focused("quay-a").waitFor();
    const header = await boxAtRest(page.getByRole("columnheader", { name: "Title" }));
    const first = await boxAtRest(cell(page, "quay-a", "title"));
    expect(first.y).toBeGreaterThanOrEqual(header.y + header.height - 1);
  });

  it("when rows are sorted again", async () => {
    await openRows("Mill", ["A", "B", "C"]);
    await cell(page, "mill-a", "title").click();
    await changeRecord(page, product, "incidents", "mill-a", { title: "Z" });
    await page.getByRole("button", { name: "Update list" }).waitFor();
    await press("Update list");
    await expect.poll(() => recordsShown(page)).toEqual(["mill-b", "mill-c", "mill-a"]);
    await focused("mill-a").waitFor();
  });

  it("when the selection is cleared, and when the selected records are deleted", async () => {
    await openRows("Yurt", ["A", "B", "C"]);
    const box = page.locator('.ag-row[row-id="yurt-b"] input[type="checkbox"]');
    for (const [name, row] of [
      ["Clear selection", "yurt-b"],
      // The row of a deleted record leaves at once, and the focus goes to the next one.
      ["Delete", "yurt-c"],
    ] as const) {
      await cell(page, "yurt-c", "title").click();
      await box.check();
      await press(name);
      await focused(row).waitFor();
    }
  });
});

it("the focus goes to the headers of the grid when filter and search are cleared, because no row is there yet", async () => {
  await page.goto(`${product.url}/t/incidents?filter=${at("Nowhere at all")}`);
  await page.getByText("No matching incidents").waitFor();
  await press("Show all records");
  await page.locator(".ag-header-cell:focus").waitFor();
});
