// Covers: client/src/features/shell client/src/app
import type { Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import type { ViewInfo } from "../../shared/protocol/views.ts";
import { createRandom } from "../../shared/random.ts";
import { runSeed } from "../provision/test-seed.ts";
import { apiRequest } from "./testing/api-request.ts";
import { type Visitor, visitAs } from "./testing/browser.ts";
import { makeRecord, openTable } from "./testing/grid.ts";
import { openProduct, owner } from "./testing/product.ts";

const { browser, product } = await openProduct();
let visitor: Visitor;
let page: Page;
let view: ViewInfo;

beforeAll(async () => {
  visitor = await visitAs(browser, product, owner);
  page = visitor.page;
  await makeRecord(page, product, "incidents", "printer", { title: "Printer on fire" });
  await makeRecord(page, product, "groups", "Printing", { name: "Printing" });
  view = await apiRequest<ViewInfo>(page, product, "POST", "/views", {
    table: "incidents",
    shared: true,
    name: "By title",
    filter: { field: "title", op: "isEmpty", value: false },
    sort: ["title"],
    columns: [{ field: "title", width: 400, pinned: false, hidden: false }],
  });
});

const palette = () => page.getByRole("dialog", { name: "Command palette" });

/** Chooses the first action that the palette offers for these words. */
async function jump(searchText: string, target: string): Promise<void> {
  await page.keyboard.press("ControlOrMeta+KeyK");
  await palette().waitFor();
  await page.getByPlaceholder("Search or jump to…").fill(searchText);
  await palette().locator("button[data-action]", { hasText: target }).first().click();
  await palette().waitFor({ state: "detached" });
}

async function expectNoFailure(steps: string): Promise<void> {
  expect(await page.getByText("Something went wrong").count(), steps).toBe(0);
}

it("opens a record of the same table from within a saved view, and stays in the view", async () => {
  await openTable(page, product, `incidents?view=${view.id}`);
  await jump("Printer on fire", "Printer on fire");
  await page.getByRole("complementary", { name: "incident printer" }).waitFor();
  await expectNoFailure("from the view");
  expect(new URL(page.url()).searchParams.get("view")).toBe(view.id);
});

it("preserves the grid when a record is opened for the first time while the columns change", async () => {
  await openTable(page, product, `incidents?view=${view.id}`);
  const grid = await page.locator(".ag-root").elementHandle();
  await page.evaluate(() => history.pushState(null, "", "/t/incidents/printer"));
  await page.getByRole("complementary", { name: "incident printer" }).waitFor();
  await page.getByRole("columnheader", { name: "Priority" }).waitFor();
  await expectNoFailure("without the view");
  await expect.poll(() => grid?.evaluate((element) => element.isConnected)).toBe(true);
});

/** What the palette offers, and what is on the screen afterwards. */
const targets = [
  { searchText: "Printer on fire", target: "Printer on fire" },
  { searchText: "Printing", target: "Printing" },
  { searchText: "By title", target: "By title" },
  { searchText: "table incidents", target: "Incidents" },
  { searchText: "table groups", target: "Groups" },
  { searchText: "Dashboard", target: "Dashboard" },
  { searchText: "Wallboards", target: "Wallboards" },
  { searchText: "administration users", target: "Users" },
  { searchText: "administration roles", target: "Roles" },
  { searchText: "administration model", target: "Model" },
  { searchText: "administration displays", target: "Displays" },
  { searchText: "My profile", target: "My profile" },
];
/** Screens that the palette does not name: links lead there. */
const starts = [
  "/",
  "/t/incidents/board",
  "/t/incidents/board?record=printer",
  "/t/incidents/printer",
  "/t/groups/Printing",
  "/wallboards/service-desk",
  "/admin/model/tables/incidents",
  "/admin/security",
  "/not-there",
];
const SEED = runSeed;
const STEPS = 3;

it(`jumps from every screen to any other (seed ${SEED})`, async () => {
  const random = createRandom(SEED).next;
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  for (const start of starts) {
    await page.goto(`${product.url}${start}`);
    await page.getByRole("navigation", { name: "Main navigation" }).waitFor();
    const steps = [start];
    for (let step = 0; step < STEPS; step += 1) {
      const { searchText, target } = pick(targets);
      steps.push(searchText);
      await jump(searchText, target);
      await expectNoFailure(steps.join(" → "));
    }
  }
});
