// Covers: client/src/features/grid client/src/sync
import type { Page } from "playwright";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { Model, Table } from "../../shared/model/model.ts";
import type { WireRecord } from "../../shared/protocol/record.ts";
import { apiRequest } from "./testing/api-request.ts";
import { type Visitor, visitAs } from "./testing/browser.ts";
import { goTo } from "./testing/go-to.ts";
import { makeRecord } from "./testing/grid.ts";
import { openProduct, owner } from "./testing/product.ts";

const { browser, product } = await openProduct();
let visitor: Visitor;
let page: Page;

const beds = (name: string): Table => ({
  ...{ name, label: "Beds", recordLabel: "bed", display: "number", sort: ["number"] },
  fields: [
    { name: "number", label: "Number", type: "text", required: true },
    { name: "ward", label: "Ward", type: "text" },
    { name: "patient", label: "Patient", type: "text" },
  ],
  columns: ["number", "ward", "patient"],
});

/** Each test has an empty table of its own. */
const names = Array.from({ length: 6 }, (_, at) => `beds_${at}`);
let table = "";

beforeAll(async () => {
  visitor = await visitAs(browser, product, owner);
  page = visitor.page;
  const model = await apiRequest<Model>(page, product, "GET", "/model");
  const tables = [...model.tables, ...names.map(beds)];
  await apiRequest(page, product, "PUT", "/model", { ...model, tables });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
});

beforeEach(() => {
  table = names.shift() ?? "";
});

const stored = async () => {
  const path = `/tables/${table}/records?sort=number`;
  const { records } = await apiRequest<{ records: WireRecord[] }>(page, product, "GET", path);
  return records.map(({ values }) => [values.number, values.ward ?? "", values.patient ?? ""]);
};

const copy = (text: string) =>
  page.evaluate((copied) => navigator.clipboard.writeText(copied), text);

async function openEmpty(): Promise<void> {
  await goTo(page, product, `/t/${table}`);
  await page.getByText("No beds yet").waitFor();
}

async function openWith(...numbers: string[]): Promise<void> {
  for (const number of numbers) await makeRecord(page, product, table, number, { number });
  await goTo(page, product, `/t/${table}`);
  await page.locator(".ag-row .wf-cell:not(.wf-loading)").first().waitFor();
}

/** All keys of a command are on their way before the page has handled the first. */
const press = (...keys: string[]) => Promise.all(keys.map((key) => page.keyboard.press(key)));

const begin = () => page.getByRole("button", { name: "New bed" }).first().click();

it("goes on with new records where several rows are pasted into a new one", async () => {
  await openWith("A1", "A2", "A3");
  await copy("B1\tICU\nB2\tICU\nB3\tCardio");
  await begin();
  await press("ControlOrMeta+v");
  await expect.poll(stored).toEqual([
    ...["A1", "A2", "A3"].map((number) => [number, "", ""]),
    ...[
      ["B1", "ICU", ""],
      ["B2", "ICU", ""],
      ["B3", "Cardio", ""],
    ],
  ]);
});

it("says of the undo of a pasted record that it was deleted, and changes nothing else", async () => {
  await openWith("A1", "A2");
  await copy("B1\tICU\tJo Hall");
  await begin();
  await press("ControlOrMeta+v");
  await page.getByText("3 cells pasted.").first().waitFor();
  await expect.poll(stored).toContainEqual(["B1", "ICU", "Jo Hall"]);
  await press("ControlOrMeta+z");
  await page.getByText("Undone: “B1” deleted.").first().waitFor();
  await expect.poll(stored).toEqual([
    ["A1", "", ""],
    ["A2", "", ""],
  ]);
});

it("writes all that is pasted into the first record of a table", async () => {
  await openEmpty();
  await copy("B1\tICU\nB2\tCardio");
  await begin();
  await press("ControlOrMeta+v");
  await expect.poll(stored).toEqual([
    ["B1", "ICU", ""],
    ["B2", "Cardio", ""],
  ]);
  expect(await page.getByText("Not found").count()).toBe(0);
});

it("begins a record with a row that is pasted on an empty table, and new ones with several", async () => {
  await openEmpty();
  await copy("B1\tICU\tJo Hall");
  await press("ControlOrMeta+v");
  await expect.poll(stored).toEqual([["B1", "ICU", "Jo Hall"]]);
  await press("ControlOrMeta+z");
  await page.getByText("No beds yet").waitFor();
  await copy("B1\tICU\nB2\tCardio");
  await page.getByRole("columnheader", { name: "Ward" }).focus();
  await press("ControlOrMeta+v");
  await expect.poll(stored).toEqual([
    ["B1", "ICU", ""],
    ["B2", "Cardio", ""],
  ]);
});

it("adds up to fifty records at once, as one step, and asks before it adds more", async () => {
  await openEmpty();
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `N${at}\tICU`);
  await copy(lines(50).join("\n"));
  await page.getByRole("columnheader", { name: "Number" }).focus();
  await press("ControlOrMeta+v");
  await expect.poll(async () => (await stored()).length).toBe(50);
  await page.getByText("100 cells pasted.").first().waitFor();
  await page.getByRole("button", { name: "Undo", exact: true }).first().click();
  await expect.poll(async () => (await stored()).length).toBe(0);
  await page.getByText("No beds yet").waitFor();
  await copy(lines(51).join("\n"));
  await page.getByRole("columnheader", { name: "Number" }).focus();
  await press("ControlOrMeta+v");
  await page.waitForURL(/\/changes\//);
  await page.getByRole("heading", { name: "Edit 51 beds" }).waitFor();
  await page.getByRole("button", { name: "Add 51 beds" }).click();
  await expect.poll(async () => (await stored()).length).toBe(51);
});

it("says which pasted record is not created yet, and keeps it", async () => {
  await openWith("A1");
  await copy("ICU\tJo Hall");
  await begin();
  await press("ArrowRight", "ControlOrMeta+v");
  await page
    .getByText("2 cells pasted. 1 bed not created yet: a required field is empty.")
    .first()
    .waitFor();
  await expect.poll(() => stored()).toEqual([["A1", "", ""]]);
  await press("Home");
  await page.keyboard.type("B1");
  await press("Enter");
  await expect.poll(stored).toEqual([
    ["A1", "", ""],
    ["B1", "ICU", "Jo Hall"],
  ]);
});
