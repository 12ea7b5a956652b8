// Covers: client/src/features/record client/src/records
import type { Page } from "playwright";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { apiRequest } from "./testing/api-request.ts";
import { type Visitor, visitAs } from "./testing/browser.ts";
import { goToTable, makeRecord } from "./testing/grid.ts";
import { openProduct, owner } from "./testing/product.ts";
import { untilIdle } from "./testing/until-idle.ts";

const { browser, product } = await openProduct();
let visitor: Visitor;
let page: Page;
let count = 0;
let record = "";

beforeAll(async () => {
  visitor = await visitAs(browser, product, owner);
  page = visitor.page;
});

beforeEach(async () => {
  count += 1;
  record = `field-${count}`;
  await makeRecord(page, product, "incidents", record, { title: `Field ${count}`, state: "New" });
  await goToTable(page, product, `incidents/${record}?q=Field ${count}`);
});

const panel = () => page.getByRole("complementary", { name: `incident ${record}` });

describe("a field of the record panel", () => {
  it("stores a day that was picked in the calendar when the user goes on to another field", async () => {
    const open = panel().getByRole("button", { name: "Choose Due in a calendar" });
    await open.click();
    // The input keeps the focus: the day and the time are text in it, which can be typed on.
    const due = panel().getByRole("textbox", { name: "Due" });
    await page.getByRole("button", { name: "Tomorrow" }).click();
    const day = (await due.inputValue()).slice(0, 10);
    await due.fill(`${day} 07:08`);
    await page.keyboard.press("Alt+ArrowDown");
    await page.keyboard.press("ArrowDown");
    await panel().getByRole("textbox", { name: "Title" }).click();
    const path = `/tables/incidents/records/${record}`;
    const stored = async () =>
      (await apiRequest<{ values: { due_at: string | null } }>(page, product, "GET", path)).values
        .due_at;
    await expect.poll(stored).not.toBeNull();
    // A week later than the day after this one.
    const at = await page.evaluate((from) => {
      const date = new Date(`${from}T07:08`);
      date.setDate(date.getDate() + 7);
      return date.toISOString();
    }, day);
    expect(new Date((await stored()) ?? "").toISOString()).toBe(at);
  });

  it("goes on from what Enter has saved, although the next key comes before that is drawn", async () => {
    const title = panel().getByRole("textbox", { name: "Title" });
    await title.click();
    await page.keyboard.press("End");
    // Without a task of the page between the keys.
    await title.evaluate(typeOn, [" one", "Enter", " two", "Enter"]);
    await expect.poll(() => title.inputValue()).toBe(`Field ${count} one two`);
    const path = `/tables/incidents/records/${record}`;
    const stored = () => apiRequest<{ values: { title: string } }>(page, product, "GET", path);
    await expect.poll(async () => (await stored()).values.title).toBe(`Field ${count} one two`);
    await untilIdle(page);
    expect(await panel().getByText("Use mine").count()).toBe(0);
  });

  it("has its history as soon as the server can be reached again", async () => {
    // A record that was touched has its history read ahead, so the page begins anew.
    await page.route("**/history?*", (route) => route.abort());
    await page.reload();
    await panel().getByRole("tab", { name: "Activity" }).click();
    await panel().getByText("The server can't be reached.").first().waitFor();
    await page.unroute("**/history?*");
    await panel().getByRole("listitem").filter({ hasText: "mara created" }).waitFor();
    // The browser writes each aborted call to the console.
    expect(visitor.consoleErrors.splice(0).length).toBeGreaterThan(0);
  });
});

it("explains a field by the help of the model, in its panel and its column", async () => {
  const help = "Leave empty to calculate it from impact and urgency.";
  await panel().getByText(help).waitFor();
  const input = panel().getByRole("combobox", { name: "Priority" });
  const describedBy = (await input.getAttribute("aria-describedby")) ?? "";
  const texts = describedBy.split(" ").map((id) => page.locator(`[id="${id}"]`).textContent());
  expect(await Promise.all(texts)).toContain(help);
  // All columns are drawn.
  await page.setViewportSize({ width: 3200, height: 900 });
  const header = page.getByRole("columnheader", { name: "Priority" });
  await header.getByTitle(help).waitFor();
  await expect.poll(() => header.getAttribute("aria-description")).toBe(help);
  await header.press("Alt+Enter");
  await page.getByRole("menu").getByText(help).waitFor();
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 1440, height: 900 });
});

it("shows on a touch screen the history button of the line that was tapped, and of no other", async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const touch = await visitAs(browser, product, owner, phone);
  await touch.page.goto(`${product.url}/t/incidents/${record}`);
  const opened = touch.page.getByRole("complementary", { name: `incident ${record}` });
  const clocks = () =>
    opened
      .getByRole("button", { expanded: false })
      .evaluateAll((all) =>
        all
          .filter(
            (one) =>
              one.querySelector(".tabler-icon-history") && getComputedStyle(one).opacity !== "0",
          )
          .map((one) => one.closest("[data-blames]")?.querySelector("label")?.textContent),
      );
  await opened.getByRole("textbox", { name: "Title" }).waitFor();
  await expect.poll(clocks).toEqual([]);
  await opened.getByRole("textbox", { name: "Title" }).tap();
  await expect.poll(clocks).toEqual([expect.stringMatching(/^Title/)]);
  const transitions = `/tables/incidents/records/${record}/transitions`;
  await apiRequest(page, product, "POST", `${transitions}/resolve`, { from: "New" });
  await apiRequest(page, product, "POST", `${transitions}/close`, { from: "Resolved" });
  // Nobody can edit it any more.
  await opened.getByText("Opened", { exact: true }).tap();
  await expect.poll(clocks).toEqual(["Opened"]);
  await touch.leave();
});

/** Types into an input faster than a frame is drawn: only what React does after each key comes between. */
async function typeOn(element: Element, keys: readonly string[]): Promise<void> {
  const input = element as HTMLInputElement;
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), "value") ?? {};
  for (const key of keys) {
    if (key === "Enter") {
      input.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    } else {
      set?.call(input, input.value + key);
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
    await new Promise<void>((done) => queueMicrotask(done));
  }
}
