import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ViewInfo } from "../../shared/protocol/views.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { ask } from "./testing/ask.ts";
import { openBrowser, type Visitor } from "./testing/browser.ts";
import { cell, changeRecord, makeRecord, openTable, waitForText } from "./testing/grid.ts";
import { type Product, startProduct } from "./testing/product.ts";
import { twoPeople } from "./testing/two-people.ts";

let browser: Browser;
let product: Product;
let people: { mara: Visitor; ana: Visitor };
let mara: Page;
let ana: Page;
let count = 0;
let record = "";

beforeAll(async () => {
  [browser, product] = await Promise.all([openBrowser(), startProduct()]);
  people = await twoPeople(browser, product);
  mara = people.mara.page;
  ana = people.ana.page;
});

beforeEach(async () => {
  count += 1;
  record = `card-${count}`;
  const opened_at = new Date(Date.now() + count * 60_000).toISOString();
  const values = { title: `Card ${count}`, location: `Desk ${count}`, opened_at };
  await makeRecord(mara, product, "incidents", record, values);
});

afterAll(async () => {
  await browser.close();
  await product.close();
});

const column = (page: Page, state: string) => page.locator(`[data-column="${state}"]`);
const card = (page: Page, state: string) => column(page, state).locator(`[data-card="${record}"]`);
/** Wide enough for all eight states: what one drags to must be in sight. */
const wide = { width: 2400, height: 900 };
const openBoard = async (page: Page) => {
  await page.setViewportSize(wide);
  await page.goto(`${product.url}/t/incidents/board`);
  await card(page, "New").waitFor();
};
const drag = (page: Page, from: string, to: string) =>
  card(page, from).dragTo(column(page, to), { targetPosition: { x: 60, y: 20 } });

describe("the board", () => {
  it("moves a card by dragging it, and on the other's board at once", async () => {
    await Promise.all([openBoard(mara), openBoard(ana)]);
    const before = await column(ana, "Active").getAttribute("aria-label");
    await drag(mara, "New", "Active");
    await card(mara, "Active").waitFor();
    await card(ana, "Active").waitFor();
    await card(ana, "New").waitFor({ state: "detached" });
    expect(before).toBe("Active, 60 incidents");
    await ana.getByRole("region", { name: "Active, 61 incidents" }).waitFor();
  });

  it("says why a column does not take a card, which stays where it was", async () => {
    await openBoard(mara);
    await drag(mara, "New", "Closed");
    await mara.getByText("No move leads from New to Closed.").first().waitFor();
    expect(await card(mara, "New").count()).toBe(1);
    expect(await card(mara, "Closed").count()).toBe(0);
  });

  it("works without a mouse: arrows go from card to card, M offers the moves", async () => {
    await openBoard(mara);
    const link = card(mara, "New").getByRole("link");
    await link.focus();
    await mara.keyboard.press("ArrowRight");
    expect(
      await mara.evaluate(() =>
        document.activeElement?.closest("[data-column]")?.getAttribute("data-column"),
      ),
    ).toBe("Active");
    await link.focus();
    await mara.keyboard.press("m");
    await mara.getByRole("dialog", { name: /possible moves/ }).waitFor();
    await mara.getByRole("button", { name: "Resolve" }).press("Enter");
    await card(mara, "Resolved").waitFor();
  });

  it("asks for what a move needs before it runs, and puts nothing in its place when cancelled", async () => {
    await openBoard(mara);
    await drag(mara, "New", "Resolved");
    await card(mara, "Resolved").waitFor();
    await drag(mara, "Resolved", "Active");
    const dialog = mara.getByRole("dialog", { name: "Reopen" });
    await dialog.getByRole("button", { name: "Reopen" }).click();
    await dialog.getByText("A reason is needed for this move.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await card(mara, "Resolved").count()).toBe(1);
    await drag(mara, "Resolved", "Active");
    await dialog.getByLabel("Reason").fill("It came back.");
    await dialog.getByRole("button", { name: "Reopen" }).click();
    await card(mara, "Active").waitFor();
    await card(mara, "Active").getByRole("link").click();
    const panel = mara.getByRole("complementary", { name: `incident ${record}` });
    await panel.getByRole("tab", { name: "History" }).click();
    await panel.getByText("It came back.").waitFor();
  });

  it("shows who is on a card", async () => {
    await Promise.all([openBoard(mara), openBoard(ana)]);
    await card(ana, "New").getByRole("link").focus();
    await card(mara, "New").getByRole("img", { name: "Ana Lopes" }).waitFor();
  });

  it("has no accessibility problems, also on a small screen", async () => {
    await openBoard(mara);
    expect(await accessibilityProblems(mara)).toEqual([]);
    await mara.setViewportSize({ width: 400, height: 800 });
    expect(await accessibilityProblems(mara)).toEqual([]);
  });
});

describe("a board by another field", () => {
  const priority = { high: "2 - High", moderate: "3 - Moderate", low: "4 - Low" };
  let view: ViewInfo;
  let other = "";

  beforeEach(async () => {
    other = `${record}-other`;
    const location = `Desk ${count}`;
    await changeRecord(mara, product, "incidents", record, { priority: priority.moderate });
    const values = { title: `Other ${count}`, location, priority: priority.high };
    await makeRecord(mara, product, "incidents", other, values);
    view = await ask<ViewInfo>(mara, product, "POST", "/views", {
      table: "incidents",
      name: location,
      shared: true,
      filter: { field: "location", op: "eq", value: location },
      sort: ["title"],
    });
  });

  const openView = async (page: Page, more = "") => {
    await page.setViewportSize(wide);
    await page.goto(`${product.url}/t/incidents/board?view=${view.id}${more}`);
    await page.locator(`[data-card="${record}"]`).waitFor();
  };
  const columns = (page: Page) =>
    page
      .locator("[data-column]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("data-column")));
  const cards = (page: Page, value: string) =>
    column(page, value)
      .locator("[data-card]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("data-card")));
  const waitForCards = (page: Page, value: string, ...ids: string[]) =>
    expect.poll(() => cards(page, value), { timeout: 60_000 }).toEqual(ids);
  const byPriority = async (page: Page) => {
    await page.getByRole("button", { name: /^Group by: / }).click();
    await page.getByRole("menuitem", { name: "Priority", exact: true }).click();
    await column(page, priority.low).waitFor();
  };
  const menu = (page: Page) => page.getByRole("button", { name: /^View: / });
  const unsaved = (page: Page) => menu(page).and(page.getByRole("button", { name: /not saved/ }));

  it("V6 shows the records of a view in its order, and what is saved in it at once", async () => {
    await Promise.all([openView(mara), openView(ana)]);
    await waitForCards(ana, "New", record, other);
    await ask(mara, product, "PATCH", `/views/${view.id}`, { sort: ["-title"] });
    await Promise.all([mara, ana].map((page) => waitForCards(page, "New", other, record)));
    const filter = { and: [view.filter, { field: "priority", op: "eq", value: priority.high }] };
    await ask(mara, product, "PATCH", `/views/${view.id}`, { filter });
    await Promise.all([mara, ana].map((page) => waitForCards(page, "New", other)));
  });

  it("stands so for me, on the table and back, and for all once it is saved", async () => {
    await Promise.all([openView(mara), openView(ana)]);
    await byPriority(mara);
    await waitForCards(mara, priority.moderate, record);
    expect(await columns(mara)).toEqual(["1 - Critical", ...Object.values(priority), ""]);
    await unsaved(mara).waitFor();
    expect(await columns(ana)).toContain("New");
    await mara.getByRole("link", { name: "Table" }).click();
    await cell(mara, record, "title").waitFor();
    await unsaved(mara).waitFor();
    await mara.getByRole("link", { name: "Board", exact: true }).click();
    await waitForCards(mara, priority.moderate, record);
    expect(new URL(mara.url()).search).toBe(`?view=${view.id}&group=priority`);
    await mara.getByRole("button", { name: "Save", exact: true }).click();
    await waitForCards(ana, priority.moderate, record);
    await unsaved(mara).waitFor({ state: "detached" });
    expect(new URL(mara.url()).search).toBe(`?view=${view.id}`);
  });

  it("edits the field of a card that is dropped, takes it back, and the other sees both", async () => {
    await Promise.all([mara, ana].map((page) => openView(page, "&group=priority")));
    await card(mara, priority.moderate).waitFor();
    await drag(mara, priority.moderate, priority.low);
    await card(mara, priority.low).waitFor();
    await card(ana, priority.low).waitFor();
    await ana.getByRole("region", { name: "4 - Low, 1 incidents" }).waitFor();
    await card(mara, priority.low).getByRole("link").focus();
    await mara.keyboard.press("Control+z");
    await Promise.all([mara, ana].map((page) => card(page, priority.moderate).waitFor()));
    await drag(mara, priority.moderate, "");
    await card(ana, "").waitFor();
  });

  it("offers the options by keyboard", async () => {
    await openView(mara, "&group=priority");
    await card(mara, priority.moderate).getByRole("link").focus();
    await mara.keyboard.press("m");
    await mara.getByRole("dialog", { name: "Priority: options" }).waitFor();
    await mara.getByRole("button", { name: "1 - Critical" }).press("Enter");
    await card(mara, "1 - Critical").waitFor();
  });

  it("says why a locked card can't be dropped elsewhere, and leaves it where it was", async () => {
    for (const [name, from] of [
      ["resolve", "New"],
      ["close", "Resolved"],
    ])
      await ask(mara, product, "POST", `/tables/incidents/records/${record}/transitions/${name}`, {
        from,
      });
    await openView(mara, "&group=priority");
    await drag(mara, priority.moderate, priority.low);
    await mara.getByText("Priority is locked while this incident is Closed.").first().waitFor();
    expect(await card(mara, priority.moderate).count()).toBe(1);
    expect(await card(mara, priority.low).count()).toBe(0);
  });

  it("keeps what is dropped while the line is down, and asks where another has done the same", async () => {
    await openView(mara, "&group=priority");
    await mara.context().setOffline(true);
    await drag(mara, priority.moderate, priority.low);
    await card(mara, priority.low).getByText("not saved yet").waitFor();
    await changeRecord(ana, product, "incidents", record, { priority: priority.high });
    await mara.context().setOffline(false);
    const conflict = card(mara, priority.high).getByRole("button", { name: /conflict$/ });
    await conflict.click();
    const story = mara.getByRole("dialog", { name: /what became of my change/ });
    expect(await accessibilityProblems(mara)).toEqual([]);
    await story.getByRole("button", { name: "Keep mine" }).click();
    await card(mara, priority.low).waitFor();
    await conflict.waitFor({ state: "detached" });
  });

  it("is there for a table without a workflow, and not for one without options", async () => {
    await makeRecord(mara, product, "services", `Service ${count}`, { name: `Service ${count}` });
    await openTable(mara, product, "services");
    await mara.getByRole("link", { name: "Board", exact: true }).click();
    await mara.locator(`[data-column=""] [data-card="Service ${count}"]`).waitFor();
    expect(await columns(mara)).toEqual(["1 - High", "2 - Medium", "3 - Low", ""]);
    await mara.goto(`${product.url}/t/people/board`);
    await mara.getByRole("heading", { name: "There is no board here" }).waitFor();
    await mara.getByRole("link", { name: "Open the table" }).click();
    await mara.locator(".ag-row").first().waitFor();
    expect(await mara.getByRole("link", { name: "Board", exact: true }).count()).toBe(0);
  });

  it("has no accessibility problems, light and dark", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await mara.emulateMedia({ colorScheme });
      await openView(mara, "&group=priority");
      expect(await accessibilityProblems(mara)).toEqual([]);
      await mara.getByRole("button", { name: /^Group by: / }).click();
      await mara.getByRole("menuitem", { name: "State" }).waitFor();
      expect(await accessibilityProblems(mara)).toEqual([]);
    }
    await mara.emulateMedia({ colorScheme: null });
  });
});

describe("the moves of a record", () => {
  beforeAll(() => mara.setViewportSize({ width: 1440, height: 900 }));

  it("stand on its panel, and what a final state locks says why", async () => {
    await openTable(mara, product, `incidents/${record}?q=Card ${count}`);
    const panel = mara.getByRole("complementary", { name: `incident ${record}` });
    const moves = panel.getByRole("group", { name: "Moves of this incident" });
    await moves.getByRole("button", { name: "Resolve" }).click();
    await moves.getByRole("button", { name: "Close" }).click();
    await panel.getByText("This is a final state: no move leads out of it.").waitFor();
    await panel.getByLabel("Title is locked while this incident is Closed.").waitFor();
    await waitForText(cell(mara, record, "state"), "Closed");
    expect(await cell(mara, record, "title").getAttribute("aria-readonly")).toBe("true");
  });

  it("take the place of an editor in the state's cell", async () => {
    await openTable(mara, product, `incidents?q=Card ${count}`);
    await cell(mara, record, "state").click();
    await mara.keyboard.press("Enter");
    const offered = mara.getByRole("dialog", { name: "State: possible moves" });
    await offered.getByRole("button", { name: "Start work" }).click();
    await waitForText(cell(mara, record, "state"), "Active");
    await offered.waitFor({ state: "detached" });
    expect(people.mara.complaints).toEqual([]);
  });
});
