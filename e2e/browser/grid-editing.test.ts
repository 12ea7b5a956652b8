import type { Page } from "playwright";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Field, Model } from "../../shared/model/model.ts";
import { type Visitor, visitAs } from "./testing/browser.ts";
import { cell, goToTable, makeRecord, paste, textOf, waitForText } from "./testing/grid.ts";
import { typePipelined } from "./testing/pipelined-keys.ts";
import { openProduct, owner } from "./testing/product.ts";

const { browser, product } = await openProduct();
let visitor: Visitor;
let page: Page;
let round = 0;
/** Five incidents of this test alone, in their order. */
let ids: string[] = [];

beforeAll(async () => {
  visitor = await visitAs(browser, product, owner);
  page = visitor.page;
});

const at = (n: number, field: string) => cell(page, ids[n] ?? "", field);
const saved = async (n: number, field: string) =>
  at(n, field).and(page.locator(":not([data-state])")).waitFor();

const focused = () => page.evaluate(() => document.activeElement?.getAttribute("col-id"));
const inRange = () => page.locator(".ag-cell[data-range]").count();

describe("editing as in a spreadsheet", () => {
  beforeEach(async () => {
    round += 1;
    ids = [1, 2, 3, 4, 5].map((n) => `edit-${round}-${n}`);
    for (const [n, id] of ids.entries()) {
      const values = {
        title: `Title ${n + 1}`,
        state: "New",
        category: "Mail",
        location: `Room ${n}`,
      };
      await makeRecord(page, product, "incidents", id, values);
    }
    const filter = JSON.stringify({ field: "id", op: "in", value: ids });
    await goToTable(page, product, `incidents?sort=location&filter=${encodeURIComponent(filter)}`);
  });

  it("goes down with Enter, right with Tab, and drops the text with Escape", async () => {
    await at(0, "title").click();
    await page.keyboard.type("First");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Second");
    await page.keyboard.press("Tab");
    await waitForText(at(0, "title"), "First");
    await waitForText(at(1, "title"), "Second");
    await expect.poll(focused).toBe("state");
    await at(2, "title").click();
    await page.keyboard.press("F2");
    await page.keyboard.type(" and never saved");
    await page.keyboard.press("Escape");
    await expect.poll(() => textOf(at(2, "title"))).toBe("Title 3");
  });

  it("pastes a range that was copied from a spreadsheet, and undoes it in one step", async () => {
    await at(1, "title").click();
    await paste(page, 'Pasted 2\r\n"Pasted ""3"""\r\nPasted 4\r\n');
    await waitForText(at(1, "title"), "Pasted 2");
    await waitForText(at(2, "title"), 'Pasted "3"');
    await waitForText(at(3, "title"), "Pasted 4");
    await expect.poll(() => textOf(at(4, "title"))).toBe("Title 5");
    await saved(3, "title");
    await page.keyboard.press("ControlOrMeta+z");
    for (const n of [1, 2, 3]) await waitForText(at(n, "title"), `Title ${n + 1}`);
    await saved(3, "title");
    await page.keyboard.press("ControlOrMeta+Shift+z");
    await waitForText(at(3, "title"), "Pasted 4");
  });

  it("pastes what it can and reports what it could not", async () => {
    await at(0, "priority").click();
    await paste(page, "2 - high\nurgent!!\n4 - Low");
    await waitForText(at(0, "priority"), "2 - High");
    await waitForText(at(2, "priority"), "4 - Low");
    await page.getByText("“urgent!!” is not one of the options.").first().waitFor();
  });

  it("selects a range, copies it, fills it down and clears it", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await at(0, "title").click();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await expect.poll(inRange).toBe(3);
    await page.keyboard.press("ControlOrMeta+c");
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe("Title 1\nTitle 2\nTitle 3");
    await page.keyboard.press("ControlOrMeta+d");
    for (const n of [1, 2]) await waitForText(at(n, "title"), "Title 1");
    await saved(2, "title");
    await page.keyboard.press("Delete");
    await at(2, "title").locator(".wf-value:empty").waitFor({ state: "attached" });
    await expect.poll(() => textOf(at(3, "title"))).toBe("Title 4");
  });

  it("selects by dragging and by Shift and click, and goes to the ends by keys", async () => {
    await at(0, "title").hover();
    await page.mouse.down();
    await at(2, "state").hover();
    await page.mouse.up();
    await expect.poll(inRange).toBe(6);
    await at(3, "title").click({ modifiers: ["Shift"] });
    await expect.poll(inRange).toBe(4);
    await page.keyboard.press("ControlOrMeta+Home");
    await expect.poll(focused).toBe("number");
    await page.keyboard.press("ControlOrMeta+End");
    await page.locator(`.ag-row[row-id="${ids[4]}"] .ag-cell-focus`).waitFor();
  });

  it("chooses from a list by typing part of it, and users by name", async () => {
    await at(0, "priority").click();
    await page.keyboard.type("crit");
    await page.keyboard.press("Enter");
    await waitForText(at(0, "priority"), "1 - Critical");
    await at(0, "assignee").click();
    await page.keyboard.type("Ma");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("Enter");
    await at(0, "assignee").locator(".wf-avatar").waitFor();
    await saved(0, "assignee");
  });

  it("leads on from an invalid value, which is marked and listed until it is corrected", async () => {
    await page.getByRole("button", { name: /Fields/ }).click();
    await page.getByRole("checkbox", { name: "Due" }).uncheck();
    await page.getByRole("checkbox", { name: "Due" }).check();
    await page.keyboard.press("Escape");
    await at(0, "due_at").click();
    await page.keyboard.type("tomorrow");
    await page.keyboard.press("Enter");
    const marked = at(0, "due_at").and(page.locator('[data-state="unreadable"]'));
    await marked.waitFor();
    await page.locator(`[row-id="${ids[1]}"] .ag-cell-focus[col-id="due_at"]`).waitFor();
    await expect.poll(() => textOf(at(0, "due_at"))).toBe("");
    const review = page.getByRole("button", { name: "1 to review" });
    await review.waitFor();
    await at(0, "due_at").click();
    await page.keyboard.press("Enter");
    await at(0, "due_at").getByRole("alert").filter({ hasText: "Enter a date" }).waitFor();
    const input = at(0, "due_at").getByRole("textbox");
    await expect.poll(() => input.inputValue()).toBe("tomorrow");
    await page.keyboard.press("Escape");
    await marked.waitFor();
    await review.waitFor();
    await page.keyboard.press("F2");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("2031-05-02 10:00");
    await page.keyboard.press("Enter");
    await review.waitFor({ state: "detached" });
    await marked.waitFor({ state: "detached" });
    await saved(0, "due_at");
  });

  it("adds a record above the rows and deletes records with undo", async () => {
    await page.getByRole("button", { name: "New incident" }).click();
    await page.locator(".ag-row-pinned .ag-cell-focus").waitFor();
    await page.keyboard.type("Made here");
    await page.keyboard.press("Enter");
    await page.locator('.ag-row-pinned [col-id="title"]', { hasText: "Made here" }).waitFor();
    await page.locator(`.ag-row[row-id="${ids[4]}"] input[type="checkbox"]`).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.locator(`.ag-row[row-id="${ids[4]}"]`).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).last().click();
    await waitForText(at(4, "title"), "Title 5");
  });
});

describe("cells with more content than space", () => {
  beforeAll(async () => {
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
