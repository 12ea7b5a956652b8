// Covers: client/src/features/grid client/src/records
import type { Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import type { WireRecord } from "../../shared/protocol/record.ts";
import { apiRequest } from "./testing/api-request.ts";
import { visitAs } from "./testing/browser.ts";
import { cell, changeRecord, makeRecord, openTable } from "./testing/grid.ts";
import { openProduct, owner } from "./testing/product.ts";

const { browser, product } = await openProduct();
const ids = ["locked-1", "locked-2", "locked-3", "locked-4"];
let page: Page;

/** The second and third incident are closed, which locks their fields. */
beforeAll(async () => {
  page = (await visitAs(browser, product, owner)).page;
  await makeRecord(page, product, "groups", "Night shift", { email: "night@example.com" });
  for (const id of ids) {
    await makeRecord(page, product, "incidents", id, { title: id, group: "Night shift" });
  }
  for (const id of ["locked-2", "locked-3"]) {
    await changeRecord(page, product, "incidents", id, { resolution_code: "Fixed" });
    await runTransition(id, "resolve", "New");
    await runTransition(id, "close", "Resolved");
  }
});

const runTransition = (id: string, name: string, from: string) =>
  apiRequest(page, product, "POST", `/tables/incidents/records/${id}/transitions/${name}`, {
    from,
  });

async function stored(field: string): Promise<unknown[]> {
  const records = ids.map((id) =>
    apiRequest<WireRecord>(page, product, "GET", `/tables/incidents/records/${id}`),
  );
  return (await Promise.all(records)).map(({ values }) => values[field] ?? null);
}

/** Types a series down a column, like a fast typist who does not look at the screen. */
async function typeSeries(texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  }
}

const notices = () =>
  page
    .getByText(/is read-only while this incident is Closed/)
    .and(page.locator(".mantine-Notification-description"));

/** The list of unsaved texts has these among all that it counts. */
async function reviewTexts(count: number, ...texts: string[]): Promise<void> {
  await page.getByRole("button", { name: `${count} to review` }).click();
  for (const text of texts) await page.getByRole("dialog").getByText(text).waitFor();
  await page.keyboard.press("Escape");
}

it("stores a text typed into a locked cell as unsaved text, and goes on with the series", async () => {
  await openTable(page, product, "incidents?q=locked&sort=title");
  await cell(page, "locked-1", "category").click();
  await typeSeries(["First", "Second", "Third 3", "Fourth"]);
  await expect.poll(() => stored("category")).toEqual(["First", null, null, "Fourth"]);
  await expect.poll(() => notices().count()).toBe(1);
  await reviewTexts(2, "Second", "Third 3");
});

it("drops the text of a locked cell on Escape, and opens nothing for Enter and F2", async () => {
  await cell(page, "locked-2", "category").click();
  await page.keyboard.press("F2");
  expect(await page.locator(".wf-editor").count()).toBe(0);
  await page.keyboard.type("Dropped");
  await page.locator(".wf-editor").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".wf-editor").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "2 to review" }).waitFor();
});

it("says why a yes or no is locked, and sends nothing", async () => {
  await openTable(page, product, "incidents?q=locked&sort=title");
  await page.getByRole("button", { name: /^Fields/ }).click();
  await page.getByRole("checkbox", { name: "SLA met" }).check();
  await page.keyboard.press("Escape");
  const at = (id: string) => cell(page, id, "sla_met");
  const [, before] = await stored("sla_met");
  await at("locked-1").click();
  await page.keyboard.press("Space");
  await expect.poll(async () => (await stored("sla_met"))[0]).toBe(true);
  await at("locked-2").click();
  await page.keyboard.press("Space");
  await page.getByText("SLA met is read-only while this incident is Closed.").first().waitFor();
  expect(await at("locked-2").getAttribute("data-state")).toBeNull();
  expect((await stored("sla_met"))[1]).toBe(before);
});

it("says why a cell is read-only to who tries to edit it, also with a finger", async () => {
  const reason = "Category is read-only while this incident is Closed.";
  const notice = (on: Page) => on.locator(".mantine-Notification-description").getByText(reason);
  await openTable(page, product, "incidents?q=locked&sort=title");
  await cell(page, "locked-2", "category").click();
  await page.keyboard.press("Enter");
  await notice(page).waitFor();
  const touch = { viewport: { width: 1600, height: 900 }, hasTouch: true, isMobile: true };
  const visitor = await visitAs(browser, product, owner, touch);
  await openTable(visitor.page, product, "incidents?q=locked&sort=title");
  const locked = cell(visitor.page, "locked-3", "category");
  await locked.tap();
  const { x, y, width, height } = (await locked.boundingBox()) ?? expect.fail("no cell");
  const tap = () => visitor.page.touchscreen.tap(x + width / 2, y + height / 2);
  // Both at once: taps that are too far apart are not a double tap.
  await Promise.all([tap(), tap()]);
  await notice(visitor.page).waitFor();
  // As a browser says that the finger rests.
  await locked.dispatchEvent("contextmenu");
  await visitor.page.getByRole("menu").getByText(reason).waitFor();
  await visitor.leave();
});

it("does the same in a table of linked records", async () => {
  await openTable(page, product, "groups/Night%20shift#linked");
  const panel = page
    .getByRole("complementary", { name: "group Night shift" })
    .getByRole("tabpanel");
  const titles = panel.getByRole("textbox", { name: /^Title of/ });
  await expect.poll(() => titles.count()).toBe(ids.length);
  await titles.first().click();
  await page.keyboard.press("ControlOrMeta+a");
  await typeSeries(["New 4", "New 1", "New 2", "New 3"]);
  await expect.poll(() => stored("title")).toEqual(["New 1", "locked-2", "locked-3", "New 4"]);
  await expect.poll(() => notices().count()).toBe(1);
  await reviewTexts(4, "New 2", "New 3");
});

it("stores the text of a locked linked value when its panel closes", async () => {
  await openTable(page, product, "groups/Night%20shift#linked");
  const titles = page.getByRole("tabpanel").getByRole("textbox", { name: /^Title of/ });
  await expect.poll(() => titles.count()).toBe(ids.length);
  // What is open comes first.
  await titles.nth(2).focus();
  await page.keyboard.type("Left behind");
  await page.evaluate(() => history.pushState(null, "", "/t/groups"));
  await page.getByRole("tabpanel").waitFor({ state: "detached" });
  await reviewTexts(5, "Left behind");
});

it("stores a text typed into a cell with a conflict, which is still to be decided, and goes on with the series", async () => {
  const filter = JSON.stringify({ field: "group", op: "eq", value: "Night shift" });
  await openTable(page, product, `incidents?sort=title&filter=${encodeURIComponent(filter)}`);
  const at = cell(page, "locked-1", "category");
  await at.click();
  await page.keyboard.type("Mine");
  await page.locator(".wf-editor").waitFor();
  await changeRecord(page, product, "incidents", "locked-1", { category: "Theirs" });
  await page.keyboard.press("Enter");
  const conflict = at.and(page.locator('[data-state="conflict"]'));
  await conflict.click();
  await typeSeries(["Typed again", "Next"]);
  await page
    .getByText(/both changed Category\. Choose a value first/)
    .and(page.locator(".mantine-Notification-description"))
    .waitFor();
  await reviewTexts(7, "Typed again");
  await conflict.dblclick();
  await page.getByRole("button", { name: "Use mine" }).click();
  await expect.poll(() => stored("category")).toEqual(["Mine", null, null, "Next"]);
});
