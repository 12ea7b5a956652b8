// Covers: client/src/app client/src/ui
import type { Locator } from "playwright";
import { beforeAll, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { cell, changeRecord, makeRecord, waitForText } from "./testing/grid.ts";
import { openTwoUsers } from "./testing/two-users.ts";

/** A morning at the service desk by keyboard alone, while a colleague works on the same records. */

const { product, mara: page, ana } = await openTwoUsers();
const records = ["keys-0", "keys-1", "keys-2"];
/** More presses of Tab than any screen needs. */
const TAB_MAX = 60;

beforeAll(async () => {
  for (const id of records) {
    await makeRecord(page, product, "incidents", id, { title: `Keyboard ${id}`, group: "Network" });
  }
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.addInitScript(() => {
    addEventListener("pointerdown", () => document.body.setAttribute("data-pointer", ""), true);
  });
});

async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

const type = (text: string) => page.keyboard.type(text);

const hasFocus = (at: Locator) =>
  at.evaluate((element) => element.contains(document.activeElement)).catch(() => false);

/** Waits until a popover has taken the focus. */
const focusIn = (at: Locator) => expect.poll(() => hasFocus(at)).toBe(true);

/** Presses Tab until the element, or something in it, has the focus. */
async function tabTo(at: Locator, key = "Tab"): Promise<void> {
  await at.waitFor();
  for (let presses = 0; presses < TAB_MAX; presses += 1) {
    if (await hasFocus(at)) return;
    await press(key);
  }
  throw new Error(`Tab does not reach ${at}.`);
}

/** The row and the column of the cell with the focus. */
const focused = () =>
  page.evaluate(() => {
    const at = document.activeElement?.closest("[col-id]");
    const row = at?.closest("[row-index]")?.getAttribute("row-index");
    return `${row} ${at?.getAttribute("col-id")}`;
  });

/** Goes from any cell to one of a row, by arrows. Keys wait while rows are drawn, so each is waited for. */
async function goTo(row: number, field: string): Promise<void> {
  await focusIn(page.locator(".ag-root"));
  await press("Control+Home");
  await expect.poll(focused).toBe("0 number");
  await press(...Array(row).fill("ArrowDown"));
  await expect.poll(focused).toBe(`${row} number`);
  for (
    let presses = 0;
    presses < TAB_MAX && (await focused()) !== `${row} ${field}`;
    presses += 1
  ) {
    const before = await focused();
    await press("ArrowRight");
    await expect.poll(focused).toMatch(new RegExp(`^${row} (?!${before.split(" ")[1]}$)`));
  }
  await expect.poll(() => focused()).toBe(`${row} ${field}`);
}

/** Nobody who works by keyboard may find themselves at the top of the page after a step. */
async function step(name: string, run: () => Promise<void>): Promise<void> {
  await run();
  const isLost = () => page.evaluate(() => document.activeElement === document.body);
  await expect.poll(isLost, { message: name }).toBe(false);
  expect(await page.locator("[data-pointer]").count(), name).toBe(0);
}

const title = (at: number) => cell(page, records[at] ?? "", "title");

it("goes through a working day without the pointer, beside a colleague", async () => {
  await page.goto(product.url);
  await page.getByRole("heading", { name: /^Good / }).waitFor();
  await step("opens a table, searches and sorts it", async () => {
    await press("Control+k");
    await focusIn(page.getByRole("textbox", { name: "Search or jump to" }));
    await type("incidents");
    await press("Enter");
    await page.waitForURL("**/t/incidents");
    await tabTo(page.getByRole("searchbox", { name: "Search in this table" }));
    await type("keyboard");
    await page.getByText("3 incidents", { exact: true }).waitFor();
    await tabTo(page.locator(".ag-root"));
    await press("Control+Home", "ArrowUp", "Enter");
    await page.waitForURL(/sort=number/);
    await press("ArrowDown");
    await page.locator('.ag-row[row-index="0"][row-id="keys-0"]').waitFor();
  });
  await step("edits, copies, pastes, fills and takes back", async () => {
    await goTo(0, "title");
    await type("Screen of the keyboard team stays dark");
    await press("Enter", "ArrowUp", "Control+c", "ArrowDown", "Control+v");
    await waitForText(title(1), "Screen of the keyboard team stays dark");
    await press("ArrowUp", "Shift+ArrowDown", "Shift+ArrowDown", "Control+d");
    await waitForText(title(2), "Screen of the keyboard team stays dark");
    await press("Control+z");
    await waitForText(title(2), "Keyboard keys-2");
  });
  await step("runs a transition", async () => {
    await goTo(0, "state");
    await press("Enter");
    await focusIn(page.getByRole("dialog", { name: "State: available transitions" }));
    await press("Enter");
    await waitForText(cell(page, "keys-0", "state"), "Active");
  });
  await step("decides a conflict that the editor announced", async () => {
    await goTo(1, "title");
    await press("F2");
    await type(", again");
    await changeRecord(ana, product, "incidents", "keys-1", { title: "Keyboard of Ana" });
    await page.getByText("Ana Lopes just saved").first().waitFor();
    await press("Enter");
    await title(1).and(page.locator('[data-state="conflict"]')).waitFor();
    await press("ArrowUp", "Alt+ArrowDown");
    await focusIn(page.getByRole("heading", { name: "You and Ana Lopes both changed Title." }));
    // Enter decides nothing before one of the buttons is gone to.
    await press("Enter", "Tab");
    await focusIn(page.getByRole("button", { name: "Use mine" }));
    await press("Enter");
    await waitForText(title(1), "Screen of the keyboard team stays dark, again");
  });
  const panel = page.getByRole("complementary", { name: "incident keys-1" });
  await step("comments on the record and follows its link", async () => {
    await focusIn(title(1));
    await press("Alt+Enter");
    await tabTo(panel.getByRole("tab", { name: "Fields" }));
    await press("ArrowRight");
    await tabTo(panel.getByRole("textbox", { name: "Write a comment" }));
    await type("On my way");
    await press("Control+Enter");
    await panel.getByRole("log").getByText("On my way").waitFor();
    await press("Escape");
    await panel.waitFor({ state: "detached" });
    await goTo(1, "group");
    await press("Alt+Shift+Enter");
    await focusIn(page.getByRole("complementary", { name: "group Network" }));
    await press("Escape");
    await focusIn(panel);
    await press("Escape");
    await panel.waitFor({ state: "detached" });
  });
  await step("finds, and filters by the menu of a cell", async () => {
    await focusIn(page.locator(".ag-root"));
    await press("Control+f");
    await type("dark");
    await page.getByTestId("find-place").getByText("of 2").waitFor();
    await press("Escape");
    await goTo(0, "group");
    await press("Shift+F10");
    await focusIn(page.getByRole("menu"));
    await tabTo(page.getByRole("menuitem", { name: "Filter by this value" }), "ArrowDown");
    await press("Enter");
    await page.waitForURL(/filter=/);
  });
  await step("creates, deletes and restores a record", async () => {
    await page.getByRole("button", { name: /^Filter: 1$/ }).waitFor();
    await focusIn(cell(page, "keys-0", "group"));
    await press("Control+Enter");
    await type("Keyboard made");
    await press("Enter");
    await page.getByText("4 incidents", { exact: true }).waitFor();
    await press("Control+Delete");
    await page.getByText("1 incident deleted.").first().waitFor();
    await page.getByText("3 incidents", { exact: true }).waitFor();
    await expect.poll(focused).toMatch(/^\d/);
    await press("Control+z");
    await page.getByText("4 incidents", { exact: true }).waitFor();
  });
  await step("works on the board", async () => {
    await press("Escape", "Control+Home");
    await tabTo(page.getByRole("link", { name: "Board", exact: true }), "Shift+Tab");
    await press("Enter");
    await page.waitForURL(/\/board/);
    await tabTo(page.locator('[data-card="keys-2"]'));
    await press("Shift+ArrowRight");
    await page.locator('[data-column="Active"] [data-card="keys-2"]').waitFor();
  });
  expect(await accessibilityProblems(page)).toEqual([]);
});
