// Covers: client/src/features/record client/src/records
import type { Page } from "playwright";
import { beforeEach, describe, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { goTo } from "./testing/go-to.ts";
import { cell, changeRecord, goToTable, makeRecord, waitForText } from "./testing/grid.ts";
import { openTwoUsers } from "./testing/two-users.ts";
import { chooseTool } from "./testing/view-menu.ts";

const { product, mara, ana } = await openTwoUsers();
let count = 0;
let record = "";

const panel = (page: Page) => page.getByRole("complementary", { name: `incident ${record}` });
const title = (page: Page) => panel(page).getByRole("textbox", { name: "Title" });
const openPanel = (page: Page) => goToTable(page, product, `incidents/${record}?q=Panel ${count}`);
const holds = (page: Page, text: string) =>
  page.waitForFunction(
    (expected) =>
      [...document.querySelectorAll<HTMLInputElement>("aside input, aside textarea")].some(
        (input) => input.value === expected,
      ),
    text,
  );

describe("the record panel", () => {
  beforeEach(async () => {
    count += 1;
    record = `panel-${count}`;
    await makeRecord(mara, product, "incidents", record, { title: `Panel ${count}`, state: "New" });
  });

  it("is live: what is written in it appears in the table and in the other user's panel", async () => {
    await Promise.all([openPanel(mara), openPanel(ana)]);
    await title(mara).fill("Written in the panel");
    await panel(ana)
      .getByText(/editing…/)
      .waitFor();
    await title(mara).press("Enter");
    await waitForText(cell(ana, record, "title"), "Written in the panel");
    await holds(ana, "Written in the panel");
  });

  it("asks, like a cell, when two users edited the same field", async () => {
    await Promise.all([openPanel(mara), openPanel(ana)]);
    await title(ana).fill("Ana's title");
    await title(mara).fill("Mara's title");
    await title(mara).press("Enter");
    await waitForText(cell(ana, record, "title"), "Mara's title");
    await title(ana).press("Enter");
    await panel(ana).getByText("You and mara both changed Title.").waitFor();
    await panel(ana).getByRole("button", { name: "Keep mara's" }).press("Enter");
    await holds(ana, "Mara's title");
    await title(ana).and(ana.locator(":focus")).waitFor();
  });

  it("keeps the focus when a button goes away with what it has done", async () => {
    await openPanel(mara);
    await panel(mara).getByRole("button", { name: "Start work" }).press("Enter");
    await panel(mara).getByRole("button", { name: "Start work" }).waitFor({ state: "detached" });
    await panel(mara).and(mara.locator(":focus")).waitFor();
  });

  it("takes an abandoned choice back with Escape, and saves nothing of it", async () => {
    await changeRecord(mara, product, "incidents", record, { impact: "1 - High" });
    await openPanel(mara);
    const impact = panel(mara).getByRole("combobox", { name: "Impact" });
    const isRestored = () => expect.poll(() => impact.inputValue()).toBe("1 - High");
    await isRestored();
    for (const text of ["", "3 - Low"]) {
      await impact.click();
      await impact.fill(text);
      await impact.press("Escape");
      await isRestored();
      await title(mara).click();
      await isRestored();
    }
    // Edits are saved in their order: one of the choice would be saved by now.
    await title(mara).fill("Saved after it");
    await title(mara).press("Enter");
    const at = `/tables/incidents/records/${record}`;
    const values = async () =>
      (await apiRequest<{ values: Record<string, unknown> }>(mara, product, "GET", at)).values;
    await expect.poll(async () => (await values()).title).toBe("Saved after it");
    expect((await values()).impact).toBe("1 - High");
  });

  it("shows the record's history, and restores a value as an ordinary edit", async () => {
    await openPanel(mara);
    await title(mara).fill("A mistake");
    await title(mara).press("Enter");
    await waitForText(cell(mara, record, "title"), "A mistake");
    await panel(mara).getByRole("tab", { name: "Activity" }).click();
    await panel(mara).getByRole("radiogroup", { name: "Activity" }).getByText("History").click();
    const entry = panel(mara).getByRole("listitem").filter({ hasText: "mara changed" }).first();
    await entry.getByText(`Panel ${count}`, { exact: true }).waitFor();
    await entry.getByText("A mistake", { exact: true }).waitFor();
    await entry.getByRole("button", { name: "Restore this value of Title" }).click();
    await waitForText(cell(mara, record, "title"), `Panel ${count}`);
  });

  it("says who changed a field last and from what, live, and restores an earlier value", async () => {
    await Promise.all([openPanel(mara), openPanel(ana)]);
    await title(mara).fill("Second");
    await title(mara).press("Enter");
    await holds(ana, "Second");
    await title(ana).focus();
    const line = panel(ana).getByText(new RegExp(`^mara, .*, was Panel ${count}$`));
    await line.waitFor();
    await title(mara).fill("Third");
    await title(mara).press("Enter");
    await panel(ana)
      .getByText(/^mara, .*, was Second$/)
      .waitFor();
    await title(ana).press("Alt+h");
    const earlier = ana.getByRole("dialog", { name: "History of Title" });
    await earlier.waitFor();
    await ana.keyboard.press("Escape");
    await earlier.waitFor({ state: "hidden" });
    await title(ana).press("Alt+h");
    await earlier.getByRole("button", { name: "Restore this value of Title" }).last().click();
    await holds(mara, `Panel ${count}`);
    await ana.keyboard.press("Escape");
    await title(ana).focus();
    await title(ana).press("ControlOrMeta+z");
    await ana
      .getByText(/Undone: Title of/)
      .first()
      .waitFor();
    await holds(mara, "Third");
    await title(ana).press("ControlOrMeta+Shift+z");
    await holds(mara, `Panel ${count}`);
  });

  it("restores the record as it was, and a deleted record from its address and the activity", async () => {
    await changeRecord(ana, product, "incidents", record, { title: "Wrong", notes: "Wrong too" });
    await goTo(mara, product, `/t/incidents/${record}#history`);
    await panel(mara).getByRole("button", { name: "Restore this version…" }).last().click();
    await mara.getByRole("heading", { name: /^Restore incident as of/ }).waitFor();
    await mara.getByText("Wrong too").waitFor();
    await mara.getByRole("button", { name: "Apply 1 change" }).click();
    await mara.getByText("Applied").first().waitFor();
    const at = `/tables/incidents/records/${record}`;
    const restored = async () =>
      (await apiRequest<{ values: { number: string } }>(mara, product, "GET", at)).values;
    await expect.poll(restored).toMatchObject({ title: `Panel ${count}`, notes: null });
    const { number } = await restored();
    await apiRequest(mara, product, "DELETE", `${at}?overwrite=true`);
    await goToTable(ana, product, "incidents");
    await chooseTool(ana, "Recently deleted");
    await ana.getByRole("link", { name: number }).click();
    await panel(ana)
      .getByText(/was deleted by mara/)
      .waitFor();
    await panel(ana).getByText(`Panel ${count}`, { exact: true }).waitFor();
    expect(await accessibilityProblems(ana)).toEqual([]);
    await panel(ana).getByRole("button", { name: "Restore", exact: true }).click();
    await title(ana).waitFor();
  });

  it("asks in place for what a transition needs, and lays fields out in two columns where it is wide", async () => {
    await openPanel(mara);
    await panel(mara)
      .getByRole("heading", { name: `Panel ${count}` })
      .waitFor();
    await panel(mara)
      .getByRole("button", { name: /^State: New/ })
      .click();
    await mara
      .getByRole("dialog", { name: "State and transitions" })
      .getByRole("button", { name: /^Resolve/ })
      .click();
    await panel(mara)
      .getByRole("button", { name: /^Reopen / })
      .click();
    const asked = panel(mara).getByRole("region", { name: "Reopen" });
    await asked.locator("textarea:focus, input:focus").waitFor();
    await mara.keyboard.type("Not solved");
    await expect.poll(() => asked.getByRole("textbox").inputValue()).toBe("Not solved");
    expect(await accessibilityProblems(mara)).toEqual([]);
    await mara.keyboard.press("Escape");
    await asked.waitFor({ state: "detached" });
    const columns = async () => {
      const textboxes = panel(mara).getByRole("textbox");
      const lefts = await textboxes.evaluateAll((all) =>
        all.map((one) => Math.round(one.getBoundingClientRect().left)),
      );
      return new Set(lefts).size;
    };
    const narrow = await columns();
    await panel(mara).getByRole("button", { name: "Expand" }).click();
    await expect.poll(columns).toBe(narrow + 1);
    await panel(mara).getByRole("button", { name: "Expand" }).click();
  });

  it("keeps the focus when a transition is run by a key", async () => {
    await openPanel(mara);
    await panel(mara)
      .getByRole("button", { name: /^State: New/ })
      .press("Enter");
    const states = mara.getByRole("dialog", { name: "State and transitions" });
    await states.getByRole("button", { name: /^Resolve/ }).press("Enter");
    await panel(mara)
      .getByRole("button", { name: /^Reopen / })
      .waitFor();
    await states.waitFor({ state: "detached" });
    const isInPanel = () => panel(mara).evaluate((one) => one.contains(document.activeElement));
    await expect.poll(isInPanel).toBe(true);
  });

  it("steps through the records of the list that it was opened from", async () => {
    await makeRecord(mara, product, "groups", `group-${count}`, {});
    await goTo(mara, product, "/activity");
    await mara.getByRole("link", { name: `group-${count}` }).click();
    await mara.getByRole("complementary", { name: `group group-${count}` }).waitFor();
    await mara.getByRole("button", { name: "Next record" }).click();
    await panel(mara).waitFor();
    await mara.reload();
    await panel(mara).waitFor();
    await mara.getByRole("button", { name: "Previous record" }).click();
    await mara.getByRole("complementary", { name: `group group-${count}` }).waitFor();
  });

  it("opens from the keyboard, steps through the rows and restores the focus", async () => {
    await goToTable(mara, product, "incidents?sort=number");
    const first = mara.locator('.ag-row[row-index="0"] [col-id="number"]');
    const second = mara.locator('.ag-row[row-index="1"] [col-id="number"]');
    await first.click();
    await mara.keyboard.press("Alt+Enter");
    const heading = mara.getByRole("complementary").getByRole("heading", { level: 2 });
    await heading.filter({ hasText: (await first.innerText()).trim() }).waitFor();
    await mara.getByRole("button", { name: "Next record" }).click();
    await heading.filter({ hasText: (await second.innerText()).trim() }).waitFor();
    await mara.keyboard.press("Escape");
    await heading.waitFor({ state: "detached" });
    await mara.locator('.ag-row[row-index="1"] .ag-cell-focus').waitFor();
  });

  it("reports that the record was deleted, while it is open and when it is opened later", async () => {
    await openPanel(ana);
    await openPanel(mara);
    const titleBefore = await title(ana).inputValue();
    await cell(mara, record, "title").click();
    await mara.keyboard.press("ControlOrMeta+Delete");
    await panel(ana)
      .getByText(/was deleted by mara.* These are the values that it had/)
      .waitFor();
    await panel(ana).getByText(titleBefore, { exact: true }).waitFor();
    await panel(ana).getByRole("button", { name: "Restore", exact: true }).click();
    await expect.poll(() => title(ana).inputValue()).toBe(titleBefore);
    await ana.goto(`${product.url}/t/incidents/never-was`);
    await ana.getByRole("heading", { name: "Record not found" }).waitFor();
  });

  it("is named in the breadcrumb by its title from the start, and by its id where there is none", async () => {
    await mara.addInitScript(() => {
      const shown: string[] = [];
      Object.assign(window, { shown });
      const note = () => {
        const step = document.querySelector("nav li[data-last]")?.textContent;
        if (step && shown.at(-1) !== step) shown.push(step);
      };
      const all = { subtree: true, childList: true, characterData: true };
      new MutationObserver(note).observe(document, all);
    });
    await mara.goto(`${product.url}/t/incidents/${record}?q=Panel ${count}`);
    await title(mara).waitFor();
    const heading = await panel(mara).getByRole("heading").first().textContent();
    const shown = () => mara.evaluate(() => (window as unknown as { shown: string[] }).shown);
    const last = async () => (await shown()).at(-1) ?? "";
    await expect.poll(async () => heading?.startsWith(await last())).toBe(true);
    expect(await shown()).not.toContain(record);
    await goToTable(mara, product, `incidents/not-there?q=Panel ${count}`);
    await expect.poll(last).toBe("not-there");
  });

  it("names a record once, and has values and their hints on one edge", async () => {
    await openPanel(mara);
    const at = `/tables/incidents/records/${record}`;
    const { values } = await apiRequest<{ values: { number: string } }>(mara, product, "GET", at);
    const drawn = mara.locator(":not(.wf-visually-hidden)");
    const number = panel(mara).getByText(values.number, { exact: true }).and(drawn);
    await number.waitFor();
    expect(await panel(mara).getByRole("textbox", { name: "Number" }).count()).toBe(0);
    await expect.poll(() => title(mara).count()).toBe(1);
    const priority = panel(mara).getByRole("combobox", { name: "Priority" });
    const edge = () =>
      priority.evaluate((input) => {
        const help = input.getAttribute("aria-describedby")?.split(" ")[0] ?? "";
        const words = document.createRange();
        words.selectNodeContents(document.getElementById(help) ?? input);
        const { borderInlineStartWidth } = getComputedStyle(input);
        const box = input.getBoundingClientRect().left + Number.parseFloat(borderInlineStartWidth);
        return words.getBoundingClientRect().left - box;
      });
    await expect.poll(edge).toBe(10);
  });

  it("is deleted from its menu, which leaves no row behind, until that is undone", async () => {
    await openPanel(mara);
    await panel(mara).getByRole("button", { name: "Actions for this incident" }).click();
    await mara.getByRole("menuitem", { name: "Delete incident" }).click();
    await panel(mara).waitFor({ state: "detached" });
    await cell(mara, record, "title").waitFor({ state: "detached" });
    await mara.getByText("Undo", { exact: true }).click();
    await cell(mara, record, "title").waitFor();
  });

  it("is duplicated from its menu: the copy is open, and begins in the first state without what belongs to the last", async () => {
    const transitions = `/tables/incidents/records/${record}/transitions`;
    await apiRequest(mara, product, "POST", `${transitions}/resolve`, { from: "New" });
    await openPanel(mara);
    await panel(mara).getByRole("button", { name: "Actions for this incident" }).click();
    await mara.getByRole("menuitem", { name: "Duplicate incident" }).click();
    await mara.getByText("1 incident duplicated.").first().waitFor();
    await expect.poll(() => new URL(mara.url()).pathname).not.toContain(record);
    const copy = new URL(mara.url()).pathname.split("/").at(-1) ?? "";
    const { values } = await apiRequest<{ values: Record<string, unknown> }>(
      mara,
      product,
      "GET",
      `/tables/incidents/records/${copy}`,
    );
    expect(values).toMatchObject({ title: `Panel ${count}`, state: "New", resolved_at: null });
    const open = mara.getByRole("complementary");
    await expect
      .poll(() => open.getByRole("textbox", { name: "Title" }).inputValue())
      .toBe(`Panel ${count}`);
    await open.getByRole("button", { name: "Start work" }).waitFor();
    await mara.getByText("Undo", { exact: true }).click();
    await cell(mara, copy, "title").waitFor({ state: "detached" });
    await cell(mara, record, "title").waitFor();
    // What it was a copy of is open again.
    await panel(mara).waitFor();
    expect(new URL(mara.url()).pathname).toContain(record);
  });

  it("fills a small screen, and has no accessibility problems", async () => {
    await openPanel(mara);
    await title(mara).waitFor();
    expect(await accessibilityProblems(mara)).toEqual([]);
    await mara.setViewportSize({ width: 400, height: 800 });
    await expect
      .poll(() => panel(mara).boundingBox())
      .toEqual({ x: 0, y: 0, width: 400, height: 800 });
    expect(await accessibilityProblems(mara)).toEqual([]);
    await mara.setViewportSize({ width: 1440, height: 900 });
  });
});
