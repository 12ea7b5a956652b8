// Covers: client/src/features/record client/src/features/grid
import type { Locator, Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { boxAtRest } from "./testing/box-at-rest.ts";
import {
  cell,
  changeRecord,
  goToTable,
  makeRecord,
  openTable,
  waitForText,
} from "./testing/grid.ts";
import { openTwoUsers } from "./testing/two-users.ts";

const { product, mara, ana } = await openTwoUsers();

beforeAll(async () => {
  await makeRecord(mara, product, "groups", "Night shift", { email: "night@example.com" });
  for (const id of ["linked-1", "linked-2"]) {
    await makeRecord(mara, product, "incidents", id, { title: id, group: "Night shift" });
  }
});

const panel = (page: Page, name: string) => page.getByRole("complementary", { name });
const focusedPanel = (name: string) => panel(mara, name).and(mara.locator(":focus-within"));
const linked = (page: Page) => panel(page, "group Night shift").getByRole("tabpanel");
const titlesOf = (page: Page) => linked(page).getByRole("textbox", { name: /^Title of/ });

it("opens a linked record on top of the panel, and returns by its button and by Esc", async () => {
  await openTable(mara, product, "incidents/linked-1?q=linked");
  const open = panel(mara, "incident linked-1").getByRole("link", { name: "Open Night shift" });
  await open.click();
  const group = panel(mara, "group Night shift");
  const mail = group.getByRole("link", { name: "Write to night@example.com" });
  await expect.poll(() => mail.getAttribute("href")).toBe("mailto:night@example.com");
  await expect.poll(() => mail.getAttribute("rel")).toContain("noopener");
  expect(await accessibilityProblems(mara)).toEqual([]);
  await group.getByRole("button", { name: "Back" }).click();
  await open.click();
  await focusedPanel("group Night shift").waitFor();
  await mara.keyboard.press("Escape");
  await panel(mara, "incident linked-1").waitFor();
  expect(new URL(mara.url()).pathname).toBe("/t/incidents/linked-1");
});

it("opens a linked record from its chip in the grid, by card, arrow and key, and creates one while linking", async () => {
  await goToTable(mara, product, "incidents?q=linked");
  const chip = cell(mara, "linked-1", "group").locator(".wf-link");
  const isOpen = async () => {
    await focusedPanel("group Night shift").waitFor();
    await mara.keyboard.press("Escape");
    await focusedPanel("incident linked-1").waitFor();
    await expect.poll(() => mara.evaluate(() => history.state)).toBeNull();
    await mara.keyboard.press("Escape");
    await panel(mara, "incident linked-1").waitFor({ state: "detached" });
  };
  // In the middle of its row, like the marks beside it.
  const middle = async (at: Locator) => {
    const { y, height } = await boxAtRest(at);
    return y + height / 2;
  };
  const ofCell = await middle(cell(mara, "linked-1", "group"));
  expect(Math.abs((await middle(chip)) - ofCell)).toBeLessThan(0.5);
  await chip.hover();
  const card = mara.locator("[data-link-card]");
  await card.getByText("night@example.com").waitFor();
  expect(await accessibilityProblems(mara)).toEqual([]);
  await card.getByRole("button", { name: "Open" }).click();
  await isOpen();
  await chip.hover();
  const arrow = chip.locator(".wf-link-open");
  const [ofArrow, around] = [
    await boxAtRest(arrow),
    await boxAtRest(cell(mara, "linked-1", "group")),
  ];
  // At the end of the cell, however long the chip is: a click that selects or edits the cell must not open the record.
  expect(around.x + around.width - (ofArrow.x + ofArrow.width)).toBeLessThan(16);
  await arrow.click();
  await isOpen();
  await cell(mara, "linked-1", "group").click();
  await mara.keyboard.press("Alt+Shift+Enter");
  await isOpen();
  await openTable(ana, product, "incidents?q=linked");
  await cell(mara, "linked-2", "group").click();
  await mara.keyboard.type("Day shift");
  await mara.getByRole("option", { name: "Create “Day shift”" }).waitFor();
  // Enter alone would leave the cell with a text that names nothing.
  await mara.keyboard.press("ArrowDown");
  await mara.keyboard.press("Enter");
  await waitForText(cell(ana, "linked-2", "group"), "Day shift");
  await changeRecord(mara, product, "incidents", "linked-2", { group: "Night shift" });
});

it("lists the records that link to this one, live for another user, and shows them as a view", async () => {
  await goToTable(ana, product, "groups/Night%20shift");
  await panel(ana, "group Night shift").getByRole("tab", { name: "Related" }).click();
  await linked(ana).getByRole("heading", { name: "2 incidents · Group" }).waitFor();
  await makeRecord(mara, product, "incidents", "linked-0", { title: "0", group: "Night shift" });
  await linked(ana).getByRole("heading", { name: "3 incidents · Group" }).waitFor();
  expect(await accessibilityProblems(ana)).toEqual([]);
  // The newest first, by their numbers.
  await linked(ana).getByRole("table").getByRole("link").last().click();
  await panel(ana, "incident linked-1").waitFor();
  await ana.keyboard.press("Escape");
  await panel(ana, "group Night shift").getByRole("tab", { name: "Related" }).click();
  // They are edited in place, and followed.
  const titles = titlesOf(ana);
  // Rows load one by one.
  await expect.poll(() => titles.count()).toBe(3);
  const isFocused = (at: Locator) => at.evaluate((one) => one === document.activeElement);
  // In a text that is wrapped the arrows go from line to line.
  await titles.nth(1).fill("several words in ".repeat(20));
  await titles.nth(1).press("ArrowUp");
  await ana.keyboard.type("here ");
  await expect.poll(() => titles.nth(1).inputValue()).toContain("here ");
  await titles.nth(1).press("ArrowDown");
  await expect.poll(() => isFocused(titles.nth(1))).toBe(true);
  await titles.nth(1).fill("linked from the group");
  await titles.nth(1).press("Enter");
  await waitForText(cell(mara, "linked-2", "title"), "linked from the group");
  await expect
    .poll(() => titles.nth(2).evaluate((one) => one === document.activeElement))
    .toBe(true);
  await changeRecord(mara, product, "incidents", "linked-2", { title: "linked-2" });
  await expect.poll(() => titles.nth(1).inputValue()).toBe("linked-2");
  await linked(ana).getByRole("button", { name: "New incident" }).click();
  const title = ana.getByRole("complementary", { name: /^incident/ }).getByLabel("Title");
  await title.fill("linked-3");
  await title.press("Enter");
  await ana.getByRole("button", { name: "Back" }).click();
  await panel(ana, "group Night shift").getByRole("tab", { name: "Related" }).click();
  await linked(ana).getByRole("heading", { name: "4 incidents · Group" }).waitFor();
  await linked(ana).getByRole("link", { name: "Show in the table" }).click();
  await ana.getByText("4 incidents").waitFor();
});

it("leaves the focus to a cell in which the user types until the panel appears", async () => {
  await makeRecord(mara, product, "incidents", "typed-1", { title: "typed" });
  let show: () => void = () => {};
  const shown = new Promise<void>((resolve) => {
    show = resolve;
  });
  // The code of the panel: its request waits until half of the text is typed.
  await mara.route(/record-panel-.*\.js/, async (route) => {
    await shown;
    await route.continue();
  });
  await openTable(mara, product, "incidents?q=typed");
  await mara.locator('.ag-row[row-id="typed-1"]').hover();
  await mara.getByRole("button", { name: "Open incident typed-1" }).click();
  await cell(mara, "typed-1", "title").click();
  await mara.keyboard.type("one ");
  show();
  await panel(mara, "incident typed-1").waitFor();
  await mara.keyboard.type("two");
  await mara.keyboard.press("Enter");
  await waitForText(cell(mara, "typed-1", "title"), "one two");
  await waitForText(cell(mara, "typed-1", "title"), "one two");
  await mara.unroute(/record-panel-.*\.js/);
});

it("leads no key past a row that is still loading", async () => {
  const isRead = Promise.withResolvers<void>();
  await ana.routeWebSocket(/socket/, (page) => {
    const server = page.connectToServer();
    page.onMessage(async (message) => {
      if (`${message}`.includes('"linked-2"')) await isRead.promise;
      server.send(message);
    });
  });
  await openTable(ana, product, "groups/Night%20shift#linked");
  // Below the headers: the newest first.
  const row = (place: number) => linked(ana).getByRole("row").nth(place);
  const input = (place: number) => row(place).getByRole("textbox", { name: /^Title of/ });
  const isFocused = (at: Locator) => at.evaluate((one) => one === document.activeElement);
  const before = input(2);
  await before.focus();
  await expect.poll(() => titlesOf(ana).count()).toBe(3);
  await expect.poll(() => row(3).getAttribute("aria-busy")).toBe("true");
  await before.press("ArrowDown");
  await expect.poll(() => isFocused(before)).toBe(true);
  await before.press("Enter");
  await expect.poll(() => isFocused(before)).toBe(true);
  isRead.resolve();
  await expect.poll(() => row(3).getAttribute("aria-busy")).toBe("false");
  await before.press("ArrowDown");
  await expect.poll(() => isFocused(input(3))).toBe(true);
});

it("shows no record under the name of the next one while that is loading", async () => {
  const isRead = Promise.withResolvers<void>();
  await mara.routeWebSocket(/socket/, (page) => {
    const server = page.connectToServer();
    page.onMessage(async (message) => {
      if (`${message}`.includes('"linked-2"')) await isRead.promise;
      server.send(message);
    });
  });
  await openTable(mara, product, "groups/Night%20shift#linked");
  await linked(mara).getByRole("table").getByRole("link").nth(1).click();
  const titleOf = (name: string) => panel(mara, name).getByRole("textbox", { name: "Title" });
  await expect.poll(() => titleOf("incident linked-0").inputValue()).toBe("0");
  await mara.getByRole("button", { name: "Next record" }).click();
  await panel(mara, "incident linked-2").waitFor();
  expect(await titleOf("incident linked-2").count()).toBe(0);
  isRead.resolve();
  await expect.poll(() => titleOf("incident linked-2").inputValue()).toBe("linked-2");
});

it("lists only what the reader can read", async () => {
  const read = { filter: { field: "title", op: "eq", value: "linked-1" } };
  const grants = { groups: { read: true }, incidents: { read } };
  const role = await apiRequest<{ id: string }>(mara, product, "POST", "/roles", {
    name: "Narrow",
    rights: [],
    grants,
  });
  const { items } = await apiRequest<{ items: { id: string; name: string }[] }>(
    mara,
    product,
    "GET",
    "/users",
  );
  const id = items.find(({ name }) => name === "Ana Lopes")?.id;
  await apiRequest(mara, product, "PATCH", `/users/${id}`, { role: role.id });
  await openTable(ana, product, "groups/Night%20shift");
  await panel(ana, "group Night shift").getByRole("tab", { name: "Related" }).click();
  await linked(ana).getByRole("heading", { name: "1 incident · Group" }).waitFor();
});
