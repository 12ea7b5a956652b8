import type { Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { leaveBrowser, openBrowser, visit } from "../browser/testing/browser.ts";
import { trackRequests, waitUntilComplete } from "./take.ts";

const PAGE = "http://localhost/page";
const PANEL = "http://localhost/panel.js";
const QUIET_FOR_LONG = 40;

let page: Page;
beforeAll(async () => {
  const visitor = await visit(await openBrowser());
  page = visitor.page;
  trackRequests(page);
});
afterAll(async () => leaveBrowser(await openBrowser()));

/** Opens a page of this script; a module that it imports is answered once the page has been quiet for long. */
async function open(script: string): Promise<void> {
  await page.route(PAGE, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<main>A table</main><script>${script}</script>`,
    }),
  );
  await page.route(PANEL, async (route) => {
    await page.evaluate(async (frames) => {
      for (let frame = 0; frame < frames; frame += 1) await new Promise(requestAnimationFrame);
    }, QUIET_FOR_LONG);
    const body = "document.body.append(document.createElement('aside'))";
    await route.fulfill({ contentType: "text/javascript", body });
  });
  await page.goto(PAGE, { waitUntil: "commit" });
  await page.locator("main").waitFor();
}

it("waits for a part whose code is still being loaded", async () => {
  await open(`import("${PANEL}")`);
  await waitUntilComplete(page);
  expect(await page.locator("aside").count()).toBe(1);
});

it("waits for tiles without values", async () => {
  await open(`
    const tile = document.createElement("section");
    tile.dataset.state = "waiting";
    tile.textContent = "Open";
    document.querySelector("main").append(tile);
    import("${PANEL}").then(async () => {
      for (let frame = 0; frame < ${QUIET_FOR_LONG}; frame += 1) await new Promise(requestAnimationFrame);
      tile.dataset.state = "ok";
    });`);
  await waitUntilComplete(page);
  expect(await page.locator("[data-state]").getAttribute("data-state")).toBe("ok");
});
