// Covers: client/src/tiles client/src/features/record client/src/features/grid client/src/app
import type { Page } from "playwright";
import { expect, it } from "vitest";
import { goTo } from "./testing/go-to.ts";
import { cell, changeRecord, goToTable, makeRecord, waitForText } from "./testing/grid.ts";
import { openTwoUsers } from "./testing/two-users.ts";

const { product, mara, ana } = await openTwoUsers();

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
