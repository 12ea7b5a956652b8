import type { Page } from "playwright";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Visitor, visitAs } from "./testing/browser.ts";
import { cell, goToTable, makeRecord, paste, textOf, waitForText } from "./testing/grid.ts";
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
