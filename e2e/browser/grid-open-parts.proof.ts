// Covers: client/src/features/grid client/src/sync
import type { Locator } from "playwright";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { apiRequest } from "./testing/api-request.ts";
import { boxAtRest } from "./testing/box-at-rest.ts";
import { cell, changeRecord, goToTable, makeRecord, recordsShown } from "./testing/grid.ts";
import { holdTimers } from "./testing/hold-timers.ts";
import { openTwoUsers } from "./testing/two-users.ts";
import { pressInMenu } from "./testing/view-menu.ts";

/** Rows are put where they belong after a longer pause than this. */
const REALIGN_FROM_MS = 2_000;

const { product, users, mara: page } = await openTwoUsers();
let count = 0;
let place = "";

beforeAll(async () => {
  await makeRecord(page, product, "groups", "Night shift", { email: "night@example.com" });
});

/** Six rows, sorted by title, in a view of their own. */
beforeEach(async () => {
  count += 1;
  place = `place-${count}`;
  for (const title of ["A", "B", "C", "D", "E", "F"]) {
    const values = { title, state: "New", location: place, group: "Night shift" };
    await makeRecord(page, product, "incidents", idOf(title), values);
  }
  const filter = JSON.stringify({ field: "location", op: "eq", value: place });
  await goToTable(page, product, `incidents?sort=title&filter=${encodeURIComponent(filter)}`);
  await expect.poll(order).toBe("ABCDEF");
});

const idOf = (title: string) => `${place}-${title.toLowerCase()}`;
const order = async () => (await recordsShown(page)).map((id) => id.at(-1)?.toUpperCase()).join("");
const at = (title: string, field: string) => cell(page, idOf(title), field);
const press = (key: string) => page.keyboard.press(key);
const focused = (on: Locator) => on.and(page.locator(":focus")).waitFor();
const hasFocus = (within: Locator) => within.and(page.locator(":focus-within")).waitFor();
const byAna = (title: string, set: Record<string, unknown>) =>
  changeRecord(users.ana.page, product, "incidents", idOf(title), set);

/**
 * Opens something, and then has the rows put where they belong: A, which was edited, at the end, and D, which a colleague edits, at the
 * beginning or out of the view.
 */
async function moveRows(open: () => Promise<void>, set: Record<string, unknown> = { title: "0" }) {
  const realign = await holdTimers(page, REALIGN_FROM_MS);
  await at("A", "title").click();
  await page.keyboard.type("Z");
  await press("Enter");
  await open();
  await byAna("D", set);
  const word = "title" in set ? "moved" : "left this view";
  await page
    .locator(`.ag-row[row-id="${idOf("D")}"]`)
    .filter({ hasText: word })
    .waitFor();
  await realign();
  await expect.poll(order).toBe("title" in set ? "DBCEFA" : "BCEFA");
  // The focus follows its record a frame after the rows are drawn.
  await boxAtRest(at("A", "title"));
}

describe("while rows move or leave", () => {
  const menu = () => page.getByRole("menu", { name: /^Cell / });

  it("the menu of a cell has the focus, closes by Escape and gives the focus back", async () => {
    const corner = { position: { x: 6, y: 10 } };
    const handle = (title: string) =>
      page.locator(`.ag-row[row-id="${idOf(title)}"] .wf-gutter-cell`).first();
    await moveRows(async () => {
      await handle("C").click(corner);
      await handle("E").click({ ...corner, modifiers: ["Shift"] });
      await at("D", "title").click({ button: "right" });
      await hasFocus(menu());
    });
    await hasFocus(menu());
    await press("Escape");
    await menu().waitFor({ state: "detached" });
    await focused(at("D", "title"));
    // The keys act where the focus is.
    await press("ControlOrMeta+ArrowDown");
    await focused(at("A", "title"));
  });

  it("the menu of a cell gives the focus to another row if its own has left the view", async () => {
    await moveRows(
      async () => {
        await at("D", "title").click({ button: "right" });
        await hasFocus(menu());
      },
      { location: "elsewhere" },
    );
    await hasFocus(menu());
    await press("Escape");
    await menu().waitFor({ state: "detached" });
    await focused(page.locator(".ag-row .ag-cell"));
  });

  it("the transitions of a record follow its row, have the focus, close by Escape and give it back", async () => {
    const transitions = page.getByRole("dialog", { name: "State: available transitions" });
    const below = async () =>
      (await boxAtRest(transitions)).y - (await boxAtRest(at("D", "state"))).y;
    let before = 0;
    await moveRows(async () => {
      await at("D", "state").dblclick();
      await hasFocus(transitions);
      before = await below();
    });
    await expect.poll(below).toBe(before);
    await hasFocus(transitions);
    await press("Escape");
    await transitions.waitFor({ state: "detached" });
    await focused(at("D", "state"));
  });

  it("the transitions of a record close when a colleague deletes it, and don't return with it", async () => {
    const transitions = page.getByRole("dialog", { name: "State: available transitions" });
    await at("D", "state").dblclick();
    await hasFocus(transitions);
    const path = `/tables/incidents/records/${idOf("D")}`;
    await apiRequest(users.ana.page, product, "DELETE", `${path}?overwrite=true`);
    await transitions.waitFor({ state: "detached" });
    await focused(at("D", "state"));
    await apiRequest(users.ana.page, product, "POST", `${path}/restore`);
    await page.locator(`.ag-row[row-id="${idOf("D")}"]:not(.wf-row-deleted)`).waitFor();
    await boxAtRest(at("D", "state"));
    expect(await transitions.count()).toBe(0);
  });

  it("a dialog about a record gives the focus back to its cell, wherever that is", async () => {
    const dialog = page.getByRole("dialog", { name: "Reopen" });
    const path = `/tables/incidents/records/${idOf("D")}/transitions/resolve`;
    await byAna("D", { resolution_code: "Fixed" });
    await apiRequest(users.ana.page, product, "POST", path, { from: "New" });
    await at("D", "state").filter({ hasText: "Resolved" }).waitFor();
    await moveRows(async () => {
      await at("D", "state").dblclick();
      await page.getByRole("button", { name: "Reopen" }).press("Enter");
      await hasFocus(dialog);
    });
    await hasFocus(dialog);
    await press("Escape");
    await dialog.waitFor({ state: "detached" });
    await focused(at("D", "state"));
  });

  it("the status of an edit has the focus, closes by Escape and gives the focus back", async () => {
    const status = page.getByRole("dialog", { name: /Priority/ });
    await at("D", "priority").click();
    await press("Enter");
    await page.locator(".wf-editor input").fill("1 - Critical");
    await byAna("D", { priority: "4 - Low" });
    await page.locator(".wf-editor-notice").waitFor();
    await press("Enter");
    await at("D", "priority").and(page.locator('[data-state="conflict"]')).waitFor();
    await moveRows(async () => {
      await at("D", "priority").dblclick();
      await hasFocus(status);
    });
    await hasFocus(status);
    await press("Escape");
    await status.waitFor({ state: "detached" });
    await focused(at("D", "priority"));
  });

  it("a text that is typed in the record panel stays there, also after a correction", async () => {
    const title = page.getByRole("complementary").getByRole("textbox", { name: "Title" });
    await at("E", "title").click();
    await press("Alt+Enter");
    await title.waitFor();
    await moveRows(async () => {
      await at("E", "title").click();
      await title.click();
      await press("End");
      await page.keyboard.type("ab");
      await press("Backspace");
    });
    await page.keyboard.type("c");
    await expect.poll(() => title.inputValue()).toBe("Eac");
    await press("Escape");
    await press("Escape");
  });

  it("a header has the focus", async () => {
    const header = page.locator('.ag-header-cell[col-id="priority"]');
    await moveRows(async () => {
      await at("E", "title").click();
      await header.focus();
    });
    await focused(header);
  });

  it("an editor closes by Escape, and the focus is in its cell", async () => {
    await at("D", "priority").click();
    await press("Enter");
    await page.locator(".wf-editor input").waitFor();
    await byAna("D", { location: "elsewhere" });
    await page.locator(`.ag-row[row-id="${idOf("D")}"]`, { hasText: "left this view" }).waitFor();
    await press("Escape");
    await page.locator(".wf-editor").waitFor({ state: "detached" });
    await focused(at("D", "priority"));
  });
});

describe("what opens over the rows", () => {
  it("the menu of a column gives the focus to its header, or to a cell when it hides the column", async () => {
    const header = page.locator('.ag-header-cell[col-id="category"]');
    const item = page.getByRole("menuitem", { name: "Hide" });
    await header.press("Alt+Enter");
    await item.waitFor();
    await press("Escape");
    await item.waitFor({ state: "detached" });
    await focused(header);
    await press("Alt+Enter");
    await pressInMenu(item, "Enter");
    await header.waitFor({ state: "detached" });
    await focused(page.locator(".ag-row .ag-cell"));
  });

  it("a click on a cell beside an open menu goes to that cell", async () => {
    const header = page.locator('.ag-header-cell[col-id="priority"]');
    for (const open of [
      () => header.press("Alt+Enter"),
      () => at("B", "title").click({ button: "right" }),
      () => at("B", "state").dblclick(),
    ]) {
      await open();
      const part = page.getByRole("menu").or(page.getByRole("dialog"));
      await hasFocus(part);
      await at("A", "title").click();
      await part.waitFor({ state: "detached" });
      await focused(at("A", "title"));
      await press("ArrowDown");
      await focused(at("B", "title"));
    }
  });

  it("a click beside the buttons of a popover leaves the focus in it, so that Escape closes it", async () => {
    const transitions = page.getByRole("dialog", { name: "State: available transitions" });
    await at("D", "state").dblclick();
    await hasFocus(transitions);
    await transitions.click({ position: { x: 3, y: 3 } });
    await hasFocus(transitions);
    await press("Escape");
    await transitions.waitFor({ state: "detached" });
    await focused(at("D", "state"));
  });

  it("a click on the card of a linked record leaves the focus in the rows", async () => {
    await at("B", "title").click();
    await at("B", "group").locator(".wf-link").hover();
    const card = page.locator("[data-link-card]");
    await card.getByText("night@example.com").click();
    await focused(at("B", "title"));
    await press("Escape");
    await card.waitFor({ state: "detached" });
    await focused(at("B", "title"));
  });

  it("a dialog from a menu gives the focus back to the button of the menu", async () => {
    const button = page.getByRole("button", { name: /^View: / });
    await button.press("Enter");
    await pressInMenu(page.getByRole("menuitem", { name: "Save as new view" }), "Enter");
    await hasFocus(page.getByRole("dialog"));
    await press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await focused(button);
  });

  it("the dialog that edits many records gives the focus back to its button", async () => {
    const button = page.getByRole("button", { name: "More tools", exact: true });
    await button.press("Enter");
    await pressInMenu(page.getByRole("menuitem", { name: "Edit all…" }), "Enter");
    await hasFocus(page.getByRole("dialog"));
    await press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await focused(button);
  });
});
