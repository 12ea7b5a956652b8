// Covers: client/src/features/board
import type { Page } from "playwright";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { cardIn, column, dragCard, focusedColumn, wide } from "./testing/board.ts";
import { goTo } from "./testing/go-to.ts";
import { cell, goToTable, makeRecord, waitForText } from "./testing/grid.ts";
import { openTwoUsers } from "./testing/two-users.ts";

const { product, mara, ana } = await openTwoUsers();
let count = 0;
let record = "";

beforeEach(async () => {
  count += 1;
  record = `card-${count}`;
  const opened_at = new Date(Date.now() + count * 60_000).toISOString();
  await makeRecord(mara, product, "incidents", record, { title: `Card ${count}`, opened_at });
});

const card = (page: Page, state: string) => cardIn(page, state, record);
const openBoard = async (page: Page) => {
  await page.setViewportSize(wide);
  await goTo(page, product, "/t/incidents/board");
  await card(page, "New").waitFor();
};
const drag = (page: Page, from: string, to: string) => dragCard(page, record, from, to);

describe("the board", () => {
  it("moves a card by dragging it, and on the other user's board at once", async () => {
    await Promise.all([openBoard(mara), openBoard(ana)]);
    await ana.getByRole("region", { name: "Active, 60 incidents" }).waitFor();
    await drag(mara, "New", "Active");
    await card(mara, "Active").waitFor();
    await card(ana, "Active").waitFor();
    await card(ana, "New").waitFor({ state: "detached" });
    await ana.getByRole("region", { name: "Active, 61 incidents" }).waitFor();
  });

  it("explains why a column does not accept a card, which stays in place", async () => {
    await openBoard(mara);
    await drag(mara, "New", "Closed");
    await mara.getByText("You can't move straight from New to Closed.").first().waitFor();
    await card(mara, "New").waitFor();
    await card(mara, "Closed").waitFor({ state: "detached" });
  });

  it("works without a mouse: arrows go from card to card, M offers the transitions", async () => {
    await openBoard(mara);
    const link = card(mara, "New").getByRole("link");
    await link.focus();
    await mara.keyboard.press("ArrowRight");
    await expect.poll(() => focusedColumn(mara)).toBe("Active");
    await link.focus();
    await mara.keyboard.press("m");
    await mara.getByRole("dialog", { name: /available transitions/ }).waitFor();
    await mara.getByRole("button", { name: "Resolve" }).press("Enter");
    await card(mara, "Resolved").waitFor();
    await expect.poll(() => focusedColumn(mara)).toBe("Resolved");
  });

  it("moves a card with Shift and an arrow to the next column that accepts it", async () => {
    await openBoard(mara);
    await card(mara, "New").getByRole("link").focus();
    await mara.keyboard.press("Shift+ArrowRight");
    await card(mara, "Active").waitFor();
    await expect.poll(() => focusedColumn(mara)).toBe("Active");
  });

  it("begins a record at the end of a column, as a draft with its value", async () => {
    await mara.setViewportSize({ width: 1440, height: 900 });
    await goTo(mara, product, "/t/incidents/board?group=priority");
    await mara.getByRole("button", { name: "New incident in 1 - Critical" }).click();
    const panel = mara.getByRole("complementary");
    await panel.getByText("Draft: only you can see it.").waitFor();
    const draft = column(mara, "1 - Critical").locator("[data-card]").filter({ hasText: "draft" });
    await draft.getByRole("link", { name: "New incident" }).waitFor();
    await panel.getByRole("textbox", { name: "Title" }).fill("Begun on the board");
    await panel.getByRole("textbox", { name: "Title" }).press("Enter");
    await column(mara, "1 - Critical").getByText("Begun on the board").waitFor();
    await draft.waitFor({ state: "detached" });
  });

  it("asks for what a transition needs before it runs, and changes nothing when cancelled", async () => {
    await openBoard(mara);
    await drag(mara, "New", "Resolved");
    await card(mara, "Resolved").waitFor();
    await drag(mara, "Resolved", "Active");
    const dialog = mara.getByRole("dialog", { name: "Reopen" });
    await dialog.getByRole("button", { name: "Reopen" }).click();
    await dialog.getByText("Enter a reason.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await card(mara, "Resolved").waitFor();
    await drag(mara, "Resolved", "Active");
    await dialog.getByLabel("Reason").fill("It came back.");
    await dialog.getByRole("button", { name: "Reopen" }).click();
    await card(mara, "Active").waitFor();
    await card(mara, "Active").getByRole("link").click();
    const panel = mara.getByRole("complementary", { name: `incident ${record}` });
    await panel.getByRole("tab", { name: "Activity" }).click();
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

describe("the transitions of a record", () => {
  beforeAll(() => mara.setViewportSize({ width: 1440, height: 900 }));

  it("are on its panel, and what a final state locks is explained", async () => {
    await goToTable(mara, product, `incidents/${record}?q=Card ${count}`);
    const panel = mara.getByRole("complementary", { name: `incident ${record}` });
    const transitions = panel.getByRole("group", { name: "Transitions of this incident" });
    await panel.getByRole("button", { name: "State: New. Change" }).click();
    const all = mara.getByRole("dialog", { name: "State and transitions" });
    await all.getByRole("button", { name: "Resolve" }).click();
    await transitions.getByRole("button", { name: "Close" }).click();
    await panel.getByText("This incident is Closed. It can't be edited or reopened.").waitFor();
    // Said once: not of each of its values, which have no inputs.
    expect(await panel.getByLabel(/is read-only while this incident is Closed/).count()).toBe(0);
    expect(await panel.getByRole("textbox").count()).toBe(0);
    expect(await panel.getByText("Leave empty to calculate it").count()).toBe(0);
    await expect.poll(() => panel.getByText(`Card ${count}`, { exact: true }).count()).toBe(1);
    await waitForText(cell(mara, record, "state"), "Closed");
    await expect.poll(() => cell(mara, record, "title").getAttribute("aria-readonly")).toBe("true");
  });

  it("replace an editor in the state's cell", async () => {
    await goToTable(mara, product, `incidents?q=Card ${count}`);
    await cell(mara, record, "state").click();
    await mara.keyboard.press("Enter");
    const offered = mara.getByRole("dialog", { name: "State: available transitions" });
    await offered.getByRole("button", { name: "Start work" }).click();
    await waitForText(cell(mara, record, "state"), "Active");
    await offered.waitFor({ state: "detached" });
  });
});
