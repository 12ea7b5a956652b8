// Covers: client/src/features/model/sheet client/src/features/grid client/src/features/users client/src/features/displays
import type { Locator, Page } from "playwright";
import { describe, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { visit, visitAs } from "./testing/browser.ts";
import { countShifts, SHIFT_MAX, shiftOf } from "./testing/layout-shift.ts";
import { openProduct, owner, startProduct } from "./testing/product.ts";

const { browser, product } = await openProduct({ withOwner: false });

/** From an empty installation to a team at work. */
const INTERACTIONS_MAX = 40;
/** One more field, from the grid. */
const FIELD_INTERACTIONS_MAX = 3;
const ROWS = 10;

/** Does what a user does, and counts it: a click, a key command, or one text typed into one field. */
class Hand {
  readonly #page: Page;
  count = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  async click(target: Locator): Promise<void> {
    this.count++;
    await target.click();
  }

  async type(target: Locator, text: string): Promise<void> {
    this.count++;
    await target.fill(text);
  }

  /** Types where the cursor is. */
  async typeHere(text: string): Promise<void> {
    this.count++;
    await this.#page.keyboard.type(text);
  }

  async press(keys: string): Promise<void> {
    this.count++;
    await this.#page.keyboard.press(keys);
  }
}

const { page } = await visit(browser, {
  permissions: ["clipboard-read", "clipboard-write"],
});
const hand = new Hand(page);
const began = Date.now();
const stored = async () => {
  const answer = await page.request.get(`${product.url}/api/v1/tables/machines/records?limit=50`);
  return ((await answer.json()) as { records: { values: Record<string, unknown> }[] }).records;
};

describe("a newcomer", () => {
  it("has a table with the cursor in its first cell after naming it", async () => {
    if (!product.setupLink) throw new Error("The product has an owner already.");
    await page.goto(product.setupLink);
    await hand.type(page.getByLabel("Your name"), "Ida Holm");
    await hand.type(page.getByLabel("Email"), owner.email);
    await hand.type(page.getByLabel("Password", { exact: true }), owner.password);
    await hand.click(page.getByRole("radio", { name: "Empty" }));
    await hand.click(page.getByRole("button", { name: "Create workspace" }));
    await page.getByRole("heading", { name: "Welcome, Ida" }).waitFor();
    await page.getByLabel("Table name").waitFor();
    await page.getByRole("region", { name: "Next" }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await hand.type(page.getByLabel("Table name"), "Machines");
    await hand.press("Enter");
    await page.waitForURL(/\/t\/machines$/);
    await page.locator('.ag-row [role="gridcell"]:focus').waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("col-id")))
      .toBe("title");
  });

  it("adds a field from the grid in three interactions, and is at its column", async () => {
    const before = hand.count;
    await hand.click(page.getByRole("button", { name: "Add field" }));
    const sheet = page.getByRole("dialog", { name: "New field" });
    await sheet.getByLabel("Label", { exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await hand.typeHere("Place");
    await hand.press("Enter");
    await page.getByRole("columnheader", { name: "Place" }).waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("col-id")))
      .toBe("place");
    expect(hand.count - before).toBeLessThanOrEqual(FIELD_INTERACTIONS_MAX);
  });

  it("pastes ten rows of a spreadsheet", async () => {
    const due = (row: number) => `2027-01-${String(row + 10)}`;
    const rows = Array.from(
      { length: ROWS },
      (_, row) => `Machine ${row + 1}\t${row % 2 ? "Doing" : "To do"}\t\t${due(row)}\tHall ${row}`,
    );
    await page.evaluate((text) => navigator.clipboard.writeText(text), rows.join("\n"));
    await hand.press("Home");
    await hand.press("ControlOrMeta+v");
    await expect.poll(async () => (await stored()).length).toBe(ROWS);
    await expect.poll(stored).toContainEqual(
      expect.objectContaining({
        values: expect.objectContaining({
          ...{ title: "Machine 10", status: "Doing", due: due(9), place: "Hall 9" },
        }),
      }),
    );
    expect(new URL(page.url()).pathname).toBe("/t/machines");
    // The cursor stays in the first of them.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest(".ag-row")?.textContent))
      .toContain("Machine 1");
  });

  it("renames a field from its column, whose name is selected", async () => {
    await page.getByRole("columnheader", { name: "Place" }).hover();
    await page.getByRole("button", { name: "Menu of column Place" }).click();
    await page.getByRole("menuitem", { name: "Edit field…" }).click();
    await page.getByRole("dialog", { name: "Edit Place" }).getByLabel("Label").waitFor();
    await page.keyboard.type("Location");
    await page.keyboard.press("Enter");
    await page.getByRole("columnheader", { name: "Location" }).waitFor();
  });

  it("invites a colleague from the grid's neighbourhood", async () => {
    await hand.click(page.getByRole("link", { name: "Dashboard", exact: true }));
    await hand.click(page.getByRole("button", { name: /^Invite a colleague/ }));
    const dialog = page.getByRole("dialog");
    await hand.type(dialog.getByLabel("Name"), "Sam Rivera");
    await hand.type(dialog.getByLabel("Email"), "sam@example.com");
    await hand.click(dialog.getByRole("button", { name: "Create invitation" }));
    await hand.click(dialog.getByRole("button", { name: "Copy link" }));
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toMatch(/#/);
    await hand.click(dialog.getByRole("button", { name: "Done" }));
  });

  it("pairs a wall, which shows the table", async () => {
    const wall = await visit(browser, { viewport: { width: 1920, height: 1080 } });
    await wall.page.goto(`${product.url}/display`);
    const code = (await wall.page.locator(".pairing-code .wf-visually-hidden").textContent()) ?? "";
    await hand.click(page.getByRole("button", { name: /^Put it on a screen/ }));
    const dialog = page.getByRole("dialog");
    await hand.type(dialog.getByLabel("Code on the screen"), code);
    await hand.type(dialog.getByLabel("Name"), "Hall");
    await hand.click(dialog.getByRole("button", { name: "Pair", exact: true }));
    await wall.page.locator('[data-tile="open"]').getByText(String(ROWS)).waitFor();
    await wall.leave();
    // Nothing remains to be set up.
    await page.getByRole("region", { name: "Next" }).waitFor({ state: "detached" });
  });

  it("saw nothing move on its first screen, and is in the first table of an example by one click", async () => {
    const other = await startProduct({ environment: { WATCHFLOOR_TEMPLATE: "empty" } });
    const visitor = await visitAs(browser, other, owner);
    await countShifts(visitor.page);
    await visitor.page.goto(other.url);
    await visitor.page.getByLabel("Table name").waitFor();
    await visitor.page.getByRole("region", { name: "Next" }).waitFor();
    expect(await shiftOf(visitor.page)).toBeLessThanOrEqual(SHIFT_MAX);
    await visitor.page.getByRole("button", { name: "Service desk" }).click();
    await visitor.page.waitForURL(/\/t\/incidents$/);
    await visitor.page.locator(".ag-row").first().waitFor();
    await visitor.page.getByRole("link", { name: "Wallboards", exact: true }).click();
    await visitor.page
      .getByRole("link", { name: /Service desk/ })
      .first()
      .waitFor();
    await visitor.leave();
    await other.close();
  });

  it("needed at most forty interactions for all of it", () => {
    process.stdout.write(
      `newcomer: ${hand.count} interactions, ${Math.round((Date.now() - began) / 1_000)} s by script\n`,
    );
    expect(hand.count).toBeLessThanOrEqual(INTERACTIONS_MAX);
  });
});
