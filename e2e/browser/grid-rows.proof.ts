// Covers: client/src/features/grid client/src/sync
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { waitUntilComplete } from "../screenshots/take.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { boxAtRest } from "./testing/box-at-rest.ts";
import { type Visitor, visitAs } from "./testing/browser.ts";
import {
  cell,
  changeRecord,
  goToTable,
  makeRecord,
  openTable,
  recordsShown,
  sortByHeader,
  waitForText,
} from "./testing/grid.ts";
import { holdTimers } from "./testing/hold-timers.ts";
import { openProduct, owner } from "./testing/product.ts";

const { browser, product } = await openProduct();
let visitor: Visitor;
let page: Page;

const like = (part: string) =>
  encodeURIComponent(JSON.stringify({ field: "location", op: "eq", value: part }));

beforeAll(async () => {
  visitor = await visitAs(browser, product, owner);
  page = visitor.page;
});

async function makeRows(place: string, titles: string[]): Promise<string[]> {
  const ids = titles.map((title) => `${place}-${title}`.toLowerCase());
  for (const [n, title] of titles.entries()) {
    await makeRecord(page, product, "incidents", ids[n] ?? "", {
      title,
      state: "New",
      location: place,
    });
  }
  return ids;
}

describe("rows", () => {
  it.each([1440, 390])(
    "have placeholders over the whole screen while they are read, at %d px",
    async (width) => {
      await makeRows(`Porch ${width}`, ["A"]);
      const { page: slow } = await visitAs(browser, product, owner, {
        viewport: { width, height: 900 },
      });
      const released = Promise.withResolvers<void>();
      await slow.routeWebSocket(/socket/, (socket) => {
        const server = socket.connectToServer();
        socket.onMessage(async (message) => {
          if (`${message}`.includes('"incidents"')) await released.promise;
          server.send(message);
        });
      });
      await slow.goto(`${product.url}/t/incidents?filter=${like(`Porch ${width}`)}`);
      const placeholders = slow.locator('[class*="skeletonRow"]');
      await placeholders.first().waitFor();
      const region = await boxAtRest(slow.getByRole("region", { name: "Incidents" }));
      const last = await boxAtRest(placeholders.last());
      expect(last.y + last.height).toBeGreaterThanOrEqual(region.y + region.height);
      released.resolve();
      await placeholders.first().waitFor({ state: "detached" });
      await slow.context().close();
    },
  );

  it("are complete for a screenshot where there are none", async () => {
    await page.goto(`${product.url}/t/incidents?filter=${like("Nowhere")}`);
    await page.getByText("No matching incidents").waitFor();
    await waitUntilComplete(page);
  });

  it("stay in place when others change them, marked, until I realign", async () => {
    const ids = await makeRows("Attic", ["A", "B", "C", "D"]);
    await goToTable(page, product, `incidents?sort=title&filter=${like("Attic")}`);
    await expect.poll(() => recordsShown(page)).toEqual(ids);
    await cell(page, "attic-c", "title").click();
    await changeRecord(page, product, "incidents", "attic-a", { title: "Z" });
    await changeRecord(page, product, "incidents", "attic-b", { location: "Cellar" });
    await page.locator('.ag-row[row-id="attic-a"]', { hasText: "moved" }).waitFor();
    await page.locator('.ag-row[row-id="attic-b"]', { hasText: "left this view" }).waitFor();
    // A sign, which leaves the space to the title.
    const sign = page.locator('[data-mark="gone"]').first();
    await expect.poll(async () => (await sign.boundingBox())?.width).toBeLessThan(24);
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityProblems(page)).toEqual([]);
    }
    await expect.poll(() => recordsShown(page)).toEqual(ids);
    await page.getByRole("button", { name: "Update list" }).click();
    await page.locator('.ag-row[row-id="attic-b"]').waitFor({ state: "detached" });
    await expect.poll(() => recordsShown(page)).toEqual(["attic-c", "attic-d", "attic-a"]);
    const focused = page.locator('.ag-row[row-id="attic-c"] .ag-cell-focus');
    await focused.waitFor();
  });

  it("say in their first column who deleted them, which stays visible when the others are scrolled", async () => {
    await makeRows("Veranda", ["A", "B"]);
    await goToTable(page, product, `incidents?sort=title&filter=${like("Veranda")}`);
    await cell(page, "veranda-a", "title").waitFor();
    await page.request.delete(`${product.url}/api/v1/tables/incidents/records/veranda-b`, {
      params: { overwrite: "true" },
      headers: { origin: product.url },
    });
    const row = page.locator('.ag-row[row-id="veranda-b"]');
    const label = row.locator(".ag-grid-pinned-left-cells").getByText(/^deleted by /);
    await label.waitFor();
    await expect.poll(() => row.getByText(/^deleted by /).count()).toBe(1);
  });

  it("wait outside when they are new, behind a button", async () => {
    const ids = await makeRows("Bridge", ["B", "D"]);
    await goToTable(page, product, `incidents?sort=title&filter=${like("Bridge")}`);
    await makeRows("Bridge", ["A", "C"]);
    const waiting = page.getByRole("button", { name: /2 new/ });
    await waiting.waitFor();
    const button = await boxAtRest(waiting);
    const row = await boxAtRest(page.locator('.ag-row[row-id="bridge-b"]').first());
    expect(button.y + button.height).toBeLessThanOrEqual(row.y);
    await expect.poll(() => recordsShown(page)).toEqual(ids);
    await waiting.click();
    await page.locator('.ag-row[row-id="bridge-a"]').waitFor();
    await expect
      .poll(() => recordsShown(page))
      .toEqual(["bridge-a", "bridge-b", "bridge-c", "bridge-d"]);
  });

  it("are realigned by themselves when I have left the one that I moved", async () => {
    await makeRows("Tower", ["A", "B", "C"]);
    await goToTable(page, product, `incidents?sort=title&filter=${like("Tower")}`);
    await cell(page, "tower-a", "title").click();
    await page.keyboard.type("Zebra");
    await page.keyboard.press("Enter");
    await expect.poll(() => recordsShown(page)).toEqual(["tower-b", "tower-c", "tower-a"]);
    await page.locator('.ag-row[row-id="tower-b"] .ag-cell-focus').waitFor();
  });

  it("are realigned as well when I have gone on through other rows", async () => {
    await makeRows("Spire", ["A", "B", "C"]);
    await goToTable(page, product, `incidents?sort=title&filter=${like("Spire")}`);
    await cell(page, "spire-a", "title").click();
    await page.keyboard.type("Zebra");
    await page.keyboard.press("Enter");
    await page.locator('.ag-row[row-id="spire-b"] .ag-cell-focus').waitFor();
    await page.keyboard.press("ArrowDown");
    await page.locator('.ag-row[row-id="spire-c"] .ag-cell-focus').waitFor();
    await expect.poll(() => recordsShown(page)).toEqual(["spire-b", "spire-c", "spire-a"]);
  });

  it("are realigned also if the page is too busy to handle each step", async () => {
    await makeRows("Cabin", ["A", "B", "C"]);
    await goToTable(page, product, `incidents?sort=title&filter=${like("Cabin")}`);
    const letGo = await holdTimers(page);
    await cell(page, "cabin-a", "title").click();
    await page.keyboard.type("Zebra");
    await page.keyboard.press("Enter");
    await page.locator('.ag-row[row-id="cabin-b"] .ag-cell-focus').waitFor();
    await letGo();
    await expect.poll(() => recordsShown(page)).toEqual(["cabin-b", "cabin-c", "cabin-a"]);
  });

  it("are filtered, sorted and searched, and the address contains the view", async () => {
    await makeRows("Yard", ["North", "South", "West"]);
    await goToTable(page, product, `incidents?filter=${like("Yard")}`);
    await sortByHeader(page, "Title");
    await page.waitForURL(/sort=title/);
    await sortByHeader(page, "Title");
    await page.waitForURL(/sort=-title/);
    await page.locator('.ag-header-cell[col-id="title"][aria-sort="descending"]').waitFor();
    await page.waitForFunction(
      () =>
        document.querySelector(".ag-row[row-index='0']")?.getAttribute("row-id") === "yard-west",
    );
    await page.getByLabel("Search in this table").fill("outh");
    await page.waitForURL(/q=outh/);
    await page.locator('.ag-row[row-id="yard-west"]').waitFor({ state: "detached" });
    await page.reload();
    await waitForText(cell(page, "yard-south", "title"), "South");
    await expect.poll(() => recordsShown(page)).toEqual(["yard-south"]);
    await page.getByLabel("Search in this table").fill("nothing like it");
    await page.getByRole("heading", { name: "No matching incidents" }).waitFor();
    await page.getByRole("button", { name: "Show all records" }).click();
    await page.getByTestId("total").filter({ hasText: /2\d\d/ }).waitFor();
  });

  it("keep the columns as the user has arranged them", async () => {
    await openTable(page, product, "groups");
    const headers = () => page.getByRole("columnheader").allTextContents();
    const all = await headers();
    await page.getByRole("button", { name: /Fields/ }).click();
    const boxes = page.getByRole("dialog").getByRole("checkbox");
    const last = boxes.last();
    await last.click();
    await last.and(page.locator(":not(:checked)")).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(async () => (await headers()).length).toBe(all.length - 1);
    const shown = await headers();
    await page.reload();
    await page.locator(".ag-row .wf-cell:not(.wf-loading)").first().waitFor();
    await expect.poll(headers).toEqual(shown);
    await page.getByRole("button", { name: /1 hidden/ }).click();
    await page.getByRole("button", { name: "Reset" }).click();
  });

  it("has no accessibility problems, light and dark", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await goToTable(page, product, "incidents");
      await cell(page, (await recordsShown(page))[2] ?? "", "title").click();
      expect(await accessibilityProblems(page)).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: "light" });
  });
});
