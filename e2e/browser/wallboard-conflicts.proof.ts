// Covers: client/src/features/wallboards client/src/tiles
import type { Page } from "playwright";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { apiRequest } from "./testing/api-request.ts";
import { boxAtRest } from "./testing/box-at-rest.ts";
import { visitAs } from "./testing/browser.ts";
import { goTo } from "./testing/go-to.ts";
import { openProduct, owner } from "./testing/product.ts";

interface Tile {
  id: string;
  title: string;
  unit?: string;
  layout: { x: number; y: number; w: number; h: number };
}

const { browser, product } = await openProduct();
const API = "**/api/v1/wallboards/*";
const place = { x: 0, y: 0, w: 3, h: 2 };
let page: Page;
let path = "";

beforeAll(async () => {
  ({ page } = await visitAs(browser, product, owner, { expectsErrors: true }));
});

/** A wallboard with one tile, selected in the designer. */
beforeEach(async () => {
  const tile = { id: "one", kind: "number", title: "First", table: "incidents", layout: place };
  const wallboard = { name: "Shared wallboard", draft: true, tiles: [tile] };
  const { id } = await apiRequest<{ id: string }>(page, product, "POST", "/wallboards", wallboard);
  path = `/wallboards/${id}`;
  await goTo(page, product, path);
  await option("First").click();
});

const option = (title: string) => page.getByRole("button", { name: `${title}, Number` });
const settings = () => page.getByRole("complementary", { name: "Settings" });
const input = (label: string) => settings().getByLabel(label);
const conflict = () => page.getByRole("alert").filter({ hasText: "Someone else changed this too" });
const stored = async () =>
  (await apiRequest<{ tiles: Tile[] }>(page, product, "GET", path)).tiles[0] ?? null;

/** A colleague's edit of the tile. Resolves when the page shows their name of the wallboard. */
async function colleague(change: object | null, seen: object): Promise<void> {
  await apiRequest(page, product, "PATCH", path, {
    name: "Their wallboard",
    tiles: { one: change },
    base: { name: "Shared wallboard", tiles: { one: seen } },
  });
  await page.getByRole("heading", { level: 1, name: "Their wallboard" }).waitFor();
}

describe("edits of the same tile by two users", () => {
  it("leave a colleague's title where the input was only visited", async () => {
    await input("Title").focus();
    await colleague({ title: "Theirs" }, { title: "First" });
    await input("Unit").fill("open");
    await input("Unit").blur();
    // Edits are sent in their order.
    await expect.poll(async () => (await stored())?.unit).toBe("open");
    expect((await stored())?.title).toBe("Theirs");
  });

  it("ask about a title that a colleague changed while it was typed", async () => {
    await input("Title").fill("Mine");
    await colleague({ title: "Theirs" }, { title: "First" });
    await expect.poll(() => input("Title").inputValue()).toBe("Mine");
    await input("Title").blur();
    await conflict().waitFor();
    expect((await stored())?.title).toBe("Theirs");
    await conflict().getByRole("button", { name: "Use mine" }).click();
    await expect.poll(async () => (await stored())?.title).toBe("Mine");
  });

  it("ask about a title that was typed while a colleague removed the tile", async () => {
    await input("Title").fill("Mine");
    const { title, layout } = { title: "First", layout: place };
    await colleague(null, { title, layout });
    await conflict().getByRole("button", { name: "Use mine" }).click();
    await expect.poll(async () => (await stored())?.title).toBe("Mine");
  });

  it("name settings as the forms do, and their values in words", async () => {
    await page.route(API, (route) =>
      route.request().method() === "PATCH" ? route.abort() : route.continue(),
    );
    await settings().getByRole("button", { name: "Add alert" }).click();
    await page.getByText("Saving…").waitFor();
    const thresholds = [{ at: 7, below: true, word: "Low", colour: "blue" }];
    await colleague({ thresholds }, { thresholds: null });
    await page.unroute(API);
    const shown = conflict().filter({ hasText: "“First”: Alerts" });
    await shown.getByText("Low from 7 down").waitFor();
    await shown.getByText("High from 1 up").waitFor();
    await conflict().getByRole("button", { name: "Use mine" }).click();
    await conflict().waitFor({ state: "detached" });
  });

  it("ask about a tile that a colleague moved while it was dragged", async () => {
    const box = await boxAtRest(option("First"));
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 1.5, box.y + box.height / 2, { steps: 3 });
    await colleague({ layout: { ...place, y: 4 } }, { layout: place });
    await page.mouse.move(box.x + box.width * 2.5, box.y + box.height / 2, { steps: 3 });
    await page.mouse.up();
    await conflict().waitFor();
    expect((await stored())?.layout).toEqual({ ...place, y: 4 });
  });
});

describe("the designer", () => {
  it("goes on from a copied tile, and from the next one where a tile was removed, by the keyboard", async () => {
    const focused = (position: RegExp) => page.locator(":focus").and(page.getByLabel(position));
    await option("First").press("Control+d");
    await focused(/column 4, row 1/).waitFor();
    await page.keyboard.press("ArrowDown");
    await focused(/column 4, row 2/).waitFor();
    await option("First")
      .and(page.getByLabel(/column 1, row 1/))
      .waitFor();
    await page.keyboard.press("Delete");
    await focused(/column 1, row 1/).waitFor();
    await expect.poll(() => option("First").count()).toBe(1);
  });

  it("saves a text that is typed when another tile is selected", async () => {
    await page.getByRole("button", { name: "Duplicate (Ctrl D)" }).click();
    await option("First").nth(1).click();
    await input("Title").fill("Mine");
    await option("First").first().click();
    await option("Mine").waitFor();
  });

  it("sends what was typed before a reload, also if the wallboard is not opened again", async () => {
    await page.route(API, (route) =>
      route.request().method() === "PATCH" ? route.abort() : route.continue(),
    );
    await input("Unit").fill("open");
    await input("Title").fill("Mine");
    await page.getByText("Saving…").waitFor();
    await page.goto(`${product.url}/wallboards`);
    await page.getByRole("heading", { name: "Wallboards" }).waitFor();
    await page.unroute(API);
    await expect.poll(stored).toMatchObject({ title: "Mine", unit: "open" });
  });

  it("lets an author copy what was typed before a reload, if the wallboard was deleted and is not opened again", async () => {
    await page.route(API, (route) =>
      route.request().method() === "PATCH" ? route.abort() : route.continue(),
    );
    await input("Title").fill("Typed in vain");
    await input("Title").blur();
    await page.getByText("Saving…").waitFor();
    await page.goto(`${product.url}/wallboards`);
    await page.getByRole("heading", { name: "Wallboards" }).waitFor();
    await apiRequest(page, product, "DELETE", path);
    await page.unroute(API);
    await page.getByRole("button", { name: /^1 to review/ }).click();
    const review = page.getByRole("dialog");
    await review.getByText("Typed in vain").waitFor();
    await review.getByRole("button", { name: "Copy text" }).waitFor();
    await review.getByRole("button", { name: "Discard text" }).click();
    await review.waitFor({ state: "hidden" });
  });

  it("offers to read a wallboard again that could not be read", async () => {
    await page.route(API, (route) => route.abort());
    await page.goto(`${product.url}${path}`);
    const again = page.getByRole("button", { name: "Try again" });
    await again.waitFor();
    await page.unroute(API);
    await again.click();
    await option("First").waitFor();
  });
});
