// Covers: client/src/features/grid client/src/records
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import type { Field, Model } from "../../shared/model/model.ts";
import { visitAs } from "./testing/browser.ts";
import { cell, goToTable, makeRecord, waitForText } from "./testing/grid.ts";
import { typePipelined } from "./testing/pipelined-keys.ts";
import { openProduct, owner } from "./testing/product.ts";

const { browser, product } = await openProduct();
let page: Page;

describe("cells with more content than space", () => {
  beforeAll(async () => {
    ({ page } = await visitAs(browser, product, owner));
    const options = ["North", "East", "South", "West"].map((value) => ({ value }));
    const answer = await page.request.get(`${product.url}/api/v1/model`);
    const model = (await answer.json()) as Model;
    const fields: Field[] = [
      { name: "name", label: "Name", type: "text" },
      { name: "sides", label: "Sides", type: "multiSelect", options },
      { name: "cost", label: "Cost", type: "money", scale: 2, currency: "EUR" },
    ];
    const table = { name: "parcels", label: "Parcels", recordLabel: "parcel", display: "name" };
    const columns = fields.map(({ name }) => name);
    const made = await page.request.put(`${product.url}/api/v1/model`, {
      data: { ...model, tables: [...model.tables, { ...table, fields, columns, sort: ["name"] }] },
      headers: { origin: product.url },
    });
    expect(made.ok(), await made.text()).toBe(true);
  });

  it("chooses several options from a list, or by the beginning of their names", async () => {
    await makeRecord(page, product, "parcels", "p1", { name: "One", sides: ["West"] });
    await goToTable(page, product, "parcels");
    await cell(page, "p1", "sides").click();
    await page.keyboard.press("F2");
    const east = page.getByRole("option", { name: "East" });
    await east.click();
    await expect.poll(() => east.getAttribute("aria-selected")).toBe("true");
    await page.getByRole("option", { name: "West" }).click();
    await page.keyboard.type(", so");
    await page.keyboard.press("Enter");
    await waitForText(cell(page, "p1", "sides"), "EastSouth");
    // Enter on an option that the arrows lead to takes one of several, and goes on with the others.
    await cell(page, "p1", "sides").click();
    for (const key of ["F2", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    const north = page.getByRole("option", { name: "North" });
    await expect.poll(() => north.getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Enter");
    await waitForText(cell(page, "p1", "sides"), "EastSouthNorth");
  });

  it("takes options that are typed down a column by the beginning of their names, each in its own cell", async () => {
    for (const id of ["p2", "p3"]) await makeRecord(page, product, "parcels", id, { name: id });
    await goToTable(page, product, "parcels");
    await cell(page, "p2", "sides").click();
    await typePipelined(page, "we\nNorth, so\n", 20);
    await waitForText(cell(page, "p3", "sides"), "NorthSouth");
    await waitForText(cell(page, "p2", "sides"), "West");
  });

  it("a filter of them offers the options, one of which must be contained", async () => {
    await makeRecord(page, product, "parcels", "p9", { name: "Nine", sides: ["North"] });
    await goToTable(page, product, "parcels");
    await cell(page, "p9", "name").waitFor();
    await page
      .getByRole("toolbar", { name: "Table" })
      .getByRole("button", { name: "Filter" })
      .click();
    await page.getByRole("option", { name: "Sides", exact: true }).click();
    await page.getByRole("combobox", { name: "Value for Sides" }).click();
    await page.getByRole("option", { name: "South" }).click();
    await page.getByRole("button", { name: "Add group" }).waitFor();
    await cell(page, "p9", "name").waitFor({ state: "detached" });
    await cell(page, "p1", "name").waitFor();
  });

  it("a filter takes what was typed, however soon Escape closes it", async () => {
    await makeRecord(page, product, "parcels", "p8", { name: "Eight" });
    await goToTable(page, product, "parcels");
    await cell(page, "p1", "name").waitFor();
    const toolbar = page.getByRole("toolbar", { name: "Table" });
    await toolbar.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("combobox", { name: "Filter by…" }).fill("name");
    await page.keyboard.press("Enter");
    const value = page.getByRole("textbox", { name: "Value for Name" });
    await value.focus();
    await page.keyboard.insertText("Eight");
    await page.keyboard.press("Escape");
    await value.waitFor({ state: "detached" });
    await cell(page, "p1", "name").waitFor({ state: "detached" });
    await cell(page, "p8", "name").waitFor();
  });

  it("never truncates a number: it is complete, or hashes", async () => {
    await makeRecord(page, product, "parcels", "p4", {
      name: "Two",
      cost: "12345678901234567890.50",
    });
    await makeRecord(page, product, "parcels", "p5", { name: "Three", cost: "1234.50" });
    await goToTable(page, product, "parcels");
    const widthOf = (record: string) =>
      cell(page, record, "cost")
        .locator(".wf-digits")
        .evaluate((element) => element.clientWidth);
    await waitForText(cell(page, "p4", "cost"), "€12,345,678,901,234,567,890.50");
    await expect.poll(() => widthOf("p4")).toBeGreaterThan(0);
    // No width is left over that the column could share.
    await page.setViewportSize({ width: 650, height: 800 });
    await expect.poll(() => widthOf("p4")).toBe(0);
    await expect.poll(() => widthOf("p5")).toBeGreaterThan(0);
  });
});
