import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Field, Model } from "../../shared/model/model.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { openBrowser, type Visitor } from "./testing/browser.ts";
import { openTable, recordsShown } from "./testing/grid.ts";
import { type Product, startProduct } from "./testing/product.ts";
import { twoUsers } from "./testing/two-users.ts";

const fields: Field[] = [
  { name: "name", label: "Name", type: "text" },
  {
    name: "size",
    label: "Size",
    type: "select",
    options: [
      { value: "L", label: "Large" },
      { value: "S", label: "Small" },
    ],
  },
  { name: "cost", label: "Cost", type: "money", scale: 2, currency: "EUR" },
  { name: "urgent", label: "Urgent", type: "boolean" },
];

/** Sizes and costs of the parcels p0, p1 and so on. */
const parcels: [string | null, string][] = [
  ["S", "0.10"],
  ["L", "20.00"],
  ["S", "0.20"],
  [null, "5.00"],
  ["L", "9007199254740993.05"],
];

let browser: Browser;
let product: Product;
let users: { mara: Visitor; ana: Visitor };
let mara: Page;

beforeAll(async () => {
  [browser, product] = await Promise.all([openBrowser(), startProduct({})]);
  users = await twoUsers(browser, product);
  mara = users.mara.page;
  const model = await apiRequest<Model>(mara, product, "GET", "/model");
  const columns = fields.map(({ name }) => name);
  const table = { name: "parcels", label: "Parcels", recordLabel: "parcel", display: "name" };
  await apiRequest(mara, product, "PUT", "/model", {
    ...model,
    tables: [...model.tables, { ...table, fields, columns, sort: ["name"] }],
  });
  const ops = parcels.map(([size, cost], index) => ({
    op: "create",
    table: "parcels",
    record: `p${index}`,
    values: { name: `Parcel ${index}`, size, cost, urgent: index === 0 },
  }));
  await apiRequest(mara, product, "POST", "/mutations", { id: "parcels", ops });
});

afterAll(async () => {
  await browser.close();
  await product.close();
});

it("sorts by several fields, in an order that keys and buttons change", async () => {
  await openTable(mara, product, "parcels");
  await mara.getByRole("button", { name: "Sort" }).press("Enter");
  const menu = mara.getByRole("dialog", { name: "Sort" });
  await menu.getByRole("combobox", { name: "Sort by" }).selectOption("size");
  await menu.getByRole("button", { name: "Move Size up" }).press("Enter");
  await menu.getByLabel("Direction of Name").selectOption("descending");
  const bySizeAndName = ["p4", "p1", "p2", "p0", "p3"];
  await expect.poll(() => recordsShown(mara)).toEqual(bySizeAndName);
  expect(new URL(mara.url()).searchParams.get("sort")).toBe("size,-name");
  expect(await accessibilityProblems(mara)).toEqual([]);
  const size = await menu.getByRole("listitem").first().boundingBox();
  const name = await menu.getByRole("listitem").last().boundingBox();
  if (!size || !name) throw new Error("no keys");
  await menu.getByTitle("Drag to reorder").last().hover();
  await mara.mouse.down();
  await mara.mouse.move(size.x + 10, size.y + 2, { steps: 3 });
  await mara.mouse.up();
  await expect.poll(() => recordsShown(mara)).toEqual(["p4", "p3", "p2", "p1", "p0"]);
  await mara.keyboard.press("Escape");
  await expect
    .poll(() => mara.evaluate(() => document.activeElement?.textContent ?? ""))
    .toContain("Sort");
});
