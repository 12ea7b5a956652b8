// Covers: client/src/display client/src/features/wallboards client/src/tiles client/src/features/record client/src/features/grid client/src/app
import type { Page } from "playwright";
import { expect, it } from "vitest";
import { signIn } from "../harness/test-user.ts";
import { createIncident, createWallboard, pairDisplay } from "../harness/wallboards.ts";
import { visit, visitAs } from "./testing/browser.ts";
import { goTo } from "./testing/go-to.ts";
import { cell, changeRecord, goToTable, makeRecord, waitForText } from "./testing/grid.ts";
import { owner } from "./testing/product.ts";
import { openTwoUsers } from "./testing/two-users.ts";

const { browser, product, mara, ana } = await openTwoUsers();

/** Puts elements in the place of all texts, as browsers do that translate a page: the texts that the program knows are in it no more. */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      const isLeft = text.parentElement?.closest('[translate="no"], script, style');
      if (isLeft || text.data.trim() === "") continue;
      const outer = document.createElement("font");
      const inner = document.createElement("font");
      inner.textContent = text.data;
      outer.append(inner);
      text.replaceWith(outer);
    }
  });
}

it("shows the values of others in a page that the browser has translated", async () => {
  const title = "Translated before";
  await makeRecord(mara, product, "incidents", "translated", { title, state: "New" });
  await goToTable(ana, product, "incidents/translated?q=Translated");
  const heading = ana.getByRole("complementary").getByRole("heading", { level: 2 });
  await heading.getByText(title).waitFor();
  await translate(ana);
  await changeRecord(mara, product, "incidents", "translated", { title: "Translated after" });
  await waitForText(cell(ana, "translated", "title"), "Translated after");
  await expect.poll(() => heading.textContent()).toContain("Translated after");
  await expect.poll(() => heading.textContent()).not.toContain(title);
});

it("shows the values of the dashboard, and leaves for another screen", async () => {
  await goTo(ana, product, "/");
  await ana.locator("[data-card]").first().waitFor();
  const values = () => ana.locator("[data-card]").allInnerTexts();
  await translate(ana);
  const before = await values();
  await makeRecord(mara, product, "incidents", "translated-too", { title: "Too", state: "New" });
  await expect.poll(async () => (await values()).join()).not.toBe(before.join());
  await goTo(mara, product, "/");
  const others = () => mara.locator("[data-card]").allInnerTexts();
  await expect.poll(async () => (await values()).join() === (await others()).join()).toBe(true);
  await goTo(ana, product, "/activity");
  await ana.getByRole("heading", { level: 1 }).waitFor();
});

it("shows on a display what one shows that is not translated", async () => {
  const by = await signIn(product.url, owner);
  const wallboard = await createWallboard(by, "Translated wall");
  const { token } = await pairDisplay(product.url, by, [wallboard]);
  const screens = await Promise.all([visit(browser), visit(browser)]);
  const [translated, other] = [screens[0].page, screens[1].page];
  for (const page of [translated, other]) {
    const cookie = { name: "watchfloor_display", value: token, url: product.url };
    await page.context().addCookies([cookie]);
    await page.goto(`${product.url}/display`);
    await page.getByText("Up to date").waitFor();
  }
  const tiles = (page: Page) => page.locator("[data-tile]").allInnerTexts();
  const shows = async (text: string) => {
    await expect.poll(async () => (await tiles(other)).join()).toContain(text);
    await expect.poll(async () => tiles(translated)).toEqual(await tiles(other));
  };
  await translate(translated);
  const before = await tiles(translated);
  await createIncident(by);
  await expect.poll(async () => (await tiles(translated)).join()).not.toBe(before.join());
  await shows("All incidents");
  const change = (title: string, h: number) => ({
    tiles: { all: { title, layout: { x: 0, y: 0, w: 2, h } } },
  });
  const call = { ...change("All of them", 1), base: change("All incidents", 2) };
  await by.call("PATCH", `/wallboards/${wallboard}`, call);
  await by.call("POST", `/wallboards/${wallboard}/publish`, {});
  await shows("All of them");
  await translated.context().setOffline(true);
  await translated.getByText("Connection lost").waitFor();
  await expect.poll(() => translated.getByText("Up to date").count()).toBe(0);
  for (const { leave } of screens) await leave();
});

it("shows in the designer of wallboards what one shows that is not translated", async () => {
  const by = await signIn(product.url, owner);
  const wallboard = await createWallboard(by, "Translated design");
  const { page: other, leave } = await visitAs(browser, product, owner);
  const tile = (page: Page, title: string) =>
    page.getByRole("button", { name: new RegExp(`^${title}, `) });
  for (const page of [mara, other]) {
    await goTo(page, product, `/wallboards/${wallboard}`);
    await tile(page, "By state").waitFor();
  }
  const settings = mara.getByRole("complementary", { name: "Settings" });
  const main = (page: Page) => page.getByRole("main").innerText();
  /** Each has the same tile selected, since its settings are compared, too. */
  const agree = async (title: string) => {
    for (const page of [mara, other]) await tile(page, title).focus();
    await expect
      .poll(async () => (await main(mara)).split("\n"))
      .toEqual((await main(other)).split("\n"));
    await translate(mara);
  };
  await translate(mara);
  await agree("By state");
  await createIncident(by);
  await agree("All incidents");
  await settings.getByLabel("Title").fill("All of them");
  await tile(mara, "By state").press("Shift+ArrowLeft");
  await tile(other, "All of them").waitFor();
  await agree("By state");
  await mara.getByRole("button", { name: "Add tile" }).click();
  await mara.getByRole("menuitem", { name: /^Queue/ }).click();
  await mara.getByText(/shows \d+ of \d+ records at this size/).waitFor();
  await agree("All of them");
  await tile(mara, "By state").press("Delete");
  await tile(other, "By state").waitFor({ state: "detached" });
  await agree("All of them");
  await mara.getByRole("button", { name: /^Undo \(/ }).click();
  await tile(other, "By state").waitFor();
  await mara.getByRole("button", { name: "Publish" }).click();
  await other.getByText(/^Published/).waitFor();
  await agree("By state");
  // How long the connection has been lost is in a text that grows.
  const line = mara.getByRole("status").filter({ hasText: "Connection lost" });
  await mara.context().setOffline(true);
  await line.waitFor();
  await translate(mara);
  const lost = await line.innerText();
  await expect.poll(() => line.innerText()).not.toBe(lost);
  await mara.context().setOffline(false);
  await line.waitFor({ state: "detached" });
  await leave();
});

it("raises no report of the content security policy", async () => {
  await ana.addInitScript(() => {
    const reports: string[] = [];
    Object.assign(globalThis, { reports });
    addEventListener("securitypolicyviolation", ({ violatedDirective }) =>
      reports.push(violatedDirective),
    );
  });
  await ana.goto(`${product.url}/t/incidents`);
  await cell(ana, "translated", "title").waitFor();
  const reports = () =>
    ana.evaluate(() => (globalThis as unknown as { reports: string[] }).reports);
  await expect.poll(reports).toEqual([]);
});
