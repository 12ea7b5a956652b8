// Covers: client/src/features/wallboards client/src/tiles
import { Client } from "pg";
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { wallboardsMessages as messages } from "../../client/src/messages/en/wallboards.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { type Visitor, visitAs } from "./testing/browser.ts";
import { goTo } from "./testing/go-to.ts";
import { openProduct } from "./testing/product.ts";
import {
  languageProblems,
  modelTexts,
  pseudoText,
  SCREEN,
  sharedTexts,
  usePseudoLanguage,
} from "./testing/pseudo-language.ts";
import { twoUsers } from "./testing/two-users.ts";

const admin = { email: "ida@example.com", password: "a third long sentence" };

const { browser, product } = await openProduct();
let mara: Visitor;
let ida: Visitor;
let ana: Visitor;

beforeAll(async () => {
  ({ mara, ana } = await twoUsers(browser, product));
  const answer = await mara.page.request.post(`${product.url}/api/v1/users`, {
    data: { ...admin, name: "Ida Berg", role: "admin" },
    headers: { origin: product.url },
  });
  if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`);
  ida = await visitAs(browser, product, admin);
});

const tile = (page: Page, title: string) =>
  page.getByRole("button", { name: new RegExp(`^${title}, `) });

/** Fills an input of the settings and leaves it. */
async function write(page: Page, label: string, text: string): Promise<void> {
  const input = page.getByRole("complementary", { name: "Settings" }).getByLabel(label);
  await input.fill(text);
  await input.blur();
}

/** How far the dots of a trend are from each other, in widths of its line. */
const dotGaps = (page: Page) =>
  page.locator('[data-kind="trend"] path').evaluateAll((paths) =>
    paths
      .map((path) => getComputedStyle(path))
      .filter(({ strokeDasharray }) => strokeDasharray !== "none")
      .map(
        ({ strokeDasharray, strokeWidth }) =>
          Number.parseFloat(strokeDasharray.split(/[ ,]+/)[1] ?? "") /
          Number.parseFloat(strokeWidth),
      ),
  );

describe("wallboards", () => {
  let address: string;

  it("draw what is not over yet of a trend in dots that are apart, on a large screen too", async () => {
    const { page } = mara;
    await page.goto(`${product.url}/wallboards`);
    await page.getByRole("link", { name: /^Service desk Published/ }).click();
    await expect.poll(() => dotGaps(page)).not.toEqual([]);
    for (const gap of await dotGaps(page)) expect(gap).toBeGreaterThan(2);
  });

  it("are shown as they are in their list, and one on the full screen, which Escape leaves", async () => {
    const { page } = mara;
    await page.goto(`${product.url}/wallboards`);
    const card = page.getByRole("listitem").filter({ hasText: "Service desk" });
    await card.locator("[inert] [data-tile]").first().waitFor();
    await card.getByRole("button", { name: "Show Service desk full screen" }).click();
    const full = page.getByRole("dialog", { name: "Service desk" });
    await full.locator("[data-tile]").first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await full.waitFor({ state: "detached" });
  });

  it("are created, and arranged by the keyboard, by two users at once", async () => {
    const { page } = mara;
    await page.goto(`${product.url}/wallboards`);
    await page.getByRole("link", { name: /^Service desk Published/ }).waitFor();
    await page.getByRole("button", { name: "New wallboard" }).click();
    await page.getByLabel("Name").fill("Floor 2");
    await page.getByRole("button", { name: "Create wallboard" }).click();
    // the list shows the same for a draft
    await page.waitForURL(/\/wallboards\/./);
    await page.getByText("Draft, not published").waitFor();
    address = page.url();
    await ida.page.goto(address);
    await ana.page.goto(address);
    await ana.page.getByRole("heading", { name: "Wallboard not found" }).waitFor();

    const ghosts = page.getByRole("region", { name: "Empty wallboard" });
    await ghosts.getByRole("button", { name: /^Number/ }).click();
    await ghosts.waitFor({ state: "detached" });
    await write(page, "Title", "Open");
    await tile(ida.page, "Open").getByText("Mara").waitFor();
    await tile(page, "Open").press("ArrowRight");
    await write(ida.page, "Name", "Floor two");
    await tile(ida.page, "Open")
      .and(ida.page.getByLabel(/column 2, row 1/))
      .waitFor();
    await page.getByRole("heading", { level: 1, name: "Floor two" }).waitFor();

    const { total } = await (
      await page.request.get(
        `${product.url}/api/v1/tables/incidents/summary?filter=${encodeURIComponent(openStates)}`,
      )
    )
      .json()
      .then(({ rows }) => ({ total: rows[0].value }));
    const first = page.locator("section[data-tile]").first();
    await expect.poll(() => first.textContent()).toContain(`${total}`);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it("appear on all screens by publishing, and not before; undo reverts my own edit only", async () => {
    const { page } = mara;
    await expect
      .poll(() => ana.page.getByRole("heading", { name: "Wallboard not found" }).count())
      .toBe(1);
    await page.getByRole("button", { name: "Publish" }).click();
    await ana.page.getByRole("region", { name: "Open" }).waitFor();
    await tile(page, "Open").click();
    await write(page, "Title", "Still open");
    await page.getByText("Unpublished changes").waitFor();
    expect(await ana.page.getByRole("region", { name: "Still open" }).count()).toBe(0);
    await page.getByRole("button", { name: "Publish" }).click();
    await ana.page.getByRole("region", { name: "Still open" }).waitFor();

    await ida.page.locator("button[data-tile]").first().click();
    await write(ida.page, "Unit", "open");
    await page.getByText("Unpublished changes").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await tile(ida.page, "Open").waitFor();
    const settings = ida.page.getByRole("complementary", { name: "Settings" });
    await expect.poll(() => settings.getByLabel("Unit").inputValue()).toBe("open");
  });

  it("are published with a text that is saved only by leaving its input for the button", async () => {
    const { page } = mara;
    await page.getByText("Unpublished changes").waitFor();
    await tile(page, "Open").click();
    const settings = page.getByRole("complementary", { name: "Settings" });
    await settings.getByLabel("Title").fill("Still waiting");
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const draft = (url: URL) => /\/api\/v1\/wallboards\/[^/]+$/.test(url.pathname);
    await page.route(draft, async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole("button", { name: "Publish" }).hover();
    await page.mouse.down();
    await page.getByText("Saving…").waitFor();
    await page.mouse.up();
    release();
    await ana.page.getByRole("region", { name: "Still waiting" }).waitFor();
    await page.unroute(draft);
    await write(page, "Title", "Still open");
    await page.getByText("Unpublished changes").waitFor();
    await page.getByRole("button", { name: "Publish" }).click();
    await ana.page.getByRole("region", { name: "Still open" }).waitFor();
    await write(page, "Title", "Open");
    await page.getByText("Unpublished changes").waitFor();
  });

  it("take a number whose thousands are grouped as it is meant", async () => {
    await tile(mara.page, "Open").click();
    await write(mara.page, "Target", "1,500");
    const settings = ida.page.getByRole("complementary", { name: "Settings" });
    await expect.poll(() => settings.getByLabel("Target").inputValue()).toBe("1500");
  });

  it("undo a text or a choice by the key while a list has the focus, and no letter of the text", async () => {
    const { page } = mara;
    await tile(page, "Open").click();
    const settings = page.getByRole("complementary", { name: "Settings" });
    const better = settings.getByRole("combobox", { name: "Better is" });
    const before = await better.inputValue();
    await settings.getByLabel("Title").fill("");
    await settings.getByLabel("Title").pressSequentially("Waiting");
    await better.focus();
    await better.selectOption({ label: "Lower" });
    await page.keyboard.press("ControlOrMeta+z");
    await expect.poll(() => better.inputValue()).toBe(before);
    await expect.poll(() => settings.getByLabel("Title").inputValue()).toBe("Waiting");
    await page.keyboard.press("ControlOrMeta+z");
    await expect.poll(() => settings.getByLabel("Title").inputValue()).toBe("Open");
  });

  it("can be restored after deletion", async () => {
    const { page } = mara;
    await goTo(page, product, "/wallboards");
    await page.getByRole("button", { name: "Actions for Floor two" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const undo = page.getByRole("button", { name: "Undo" });
    // A toast under the pointer stays.
    await undo.hover();
    await page.getByRole("link", { name: /^Floor two/ }).waitFor({ state: "detached" });
    await ana.page.getByRole("heading", { name: "Wallboard not found" }).waitFor();
    await undo.click();
    await page.getByRole("link", { name: /^Floor two/ }).waitFor();
    await ana.page.getByRole("region", { name: "Still open" }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it.each([390, 1440])("are listed and designed in any language, at %d px", async (width) => {
    const visitor = await visitAs(browser, product, admin);
    const { page } = visitor;
    await page.setViewportSize({ width, height: 900 });
    await usePseudoLanguage(page);
    const button = (text: string) => page.getByRole("button", { name: pseudoText(text) });
    const names = [
      "Floor two",
      "Service desk",
      "Still open",
      "Open",
      "open",
      "Mara Lindqvist",
      "Ida Berg",
      "Mara",
      "UTC",
    ];
    const zones = /[A-Z]\w+\/[\w/+ -]+/;
    const data = [...sharedTexts, ...names, zones, ...(await modelTexts(page, product.url))];
    const problems = () => languageProblems(page, data, SCREEN);
    await page.goto(`${product.url}/wallboards`);
    await button(messages.newWallboard()).click();
    await page.getByRole("dialog").waitFor();
    expect(await problems()).toEqual([]);
    await goTo(page, product, new URL(address).pathname);
    await button(messages.addTile()).click();
    await page.getByRole("menuitem").first().waitFor();
    expect(await problems()).toEqual([]);
    await page.keyboard.press("Escape");
    await page.locator("button[data-tile]").first().click();
    await button(messages.addAlert()).click();
    expect(await problems()).toEqual([]);
    await visitor.leave();
  });

  it("say before they are published that a tile has too many groups, and how to show the largest", async () => {
    const { page } = mara;
    const database = new Client({ connectionString: product.databaseUrl });
    await database.connect();
    await database.query(
      `insert into incidents (id, number, title, state)
       select 'many-' || g, 'M' || g, 'Title ' || g, 'New' from generate_series(1, 5100) g`,
    );
    await database.end();
    const place = { x: 0, y: 0, w: 4, h: 3 };
    const groups = { kind: "breakdown", shape: "bars", limit: 8, group: "title", order: ["key"] };
    const count = { table: "incidents", measure: { op: "count" }, layout: place };
    const tiles = [{ id: "titles", title: "By title", ...groups, ...count }];
    const { id } = await apiRequest<{ id: string }>(page, product, "POST", "/wallboards", {
      ...{ name: "Many groups", draft: true, tiles },
    });
    await goTo(page, product, `/wallboards/${id}`);
    const note = page.getByText(/By title has too many groups/);
    await note.waitFor();
    const change = (order: string[] | null) => ({ titles: { order } });
    await apiRequest(page, product, "PATCH", `/wallboards/${id}`, {
      ...{ tiles: change(null), base: { tiles: change(["key"]) } },
    });
    await note.waitFor({ state: "detached" });
  });
});

const openStates = JSON.stringify({ field: "state", op: "nin", value: ["Resolved", "Closed"] });
