// Covers: client/src/display client/src/features/displays
import { describe, expect, it } from "vitest";
import { displaysMessages as messages } from "../../client/src/messages/en/displays.ts";
import { signIn } from "../harness/test-user.ts";
import { createWallboard, pairDisplay } from "../harness/wallboards.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { visit, visitAs } from "./testing/browser.ts";
import { hoursAround } from "./testing/dim-hours.ts";
import { goTo } from "./testing/go-to.ts";
import { shiftClock } from "./testing/page-clock.ts";
import { openProduct, owner } from "./testing/product.ts";
import {
  languageProblems,
  pseudoText,
  SCREEN,
  sharedTexts,
  usePseudoLanguage,
} from "./testing/pseudo-language.ts";

const HOUR_MS = 3_600_000;
const environment = {
  DISPLAY_DARK_MS: "11500",
  DISPLAY_IDENTIFY_MS: "6000",
};
const { browser, product } = await openProduct({ environment });

describe("D1 D2 a screen and the console", () => {
  it("is paired by its code; it shows its wallboard, its name, another wallboard; going offline is reported", async () => {
    const ownerUser = await signIn(product.url, owner);
    const first = await createWallboard(ownerUser, "First wallboard");
    await createWallboard(ownerUser, "Second wallboard");
    const wall = await visit(browser, { viewport: { width: 1280, height: 720 } });
    await wall.page.goto(`${product.url}/display`);
    const code = (await wall.page.locator(".pairing-code .wf-visually-hidden").textContent()) ?? "";
    expect(await accessibilityProblems(wall.page)).toEqual([]);

    const { page, leave } = await visitAs(browser, product, owner);
    await page.goto(`${product.url}/admin/displays`);
    await page.getByText("No displays paired").waitFor();
    await page.getByRole("button", { name: "Pair a screen" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Code on the screen").fill(`${code.slice(0, 4)} ${code.slice(4)}`);
    await dialog.getByLabel("Name").fill("The hall");
    await dialog.getByLabel("First wallboard").check();
    await dialog.getByLabel("Second wallboard").check();
    await dialog.getByRole("button", { name: "Pair", exact: true }).click();
    await wall.page.locator('[data-tile="all"]').waitFor();
    await wall.page.getByText("Up to date").waitFor();
    expect(await accessibilityProblems(wall.page)).toEqual([]);

    // An alert flashes until a user acknowledges it, on all screens.
    await wall.page.locator('[data-tile="all"][data-flash]').waitFor();
    await goTo(page, product, `/wallboards/${first}`);
    await page.getByRole("button", { name: "Mark as seen: Many, All incidents" }).click();
    await wall.page.locator('[data-tile="all"]:not([data-flash])').getByText("seen by").waitFor();
    await page.getByRole("list", { name: "Alerts" }).waitFor({ state: "detached" });
    await goTo(page, product, "/admin/displays");

    const row = page.locator("[data-item]");
    await row.getByText("Online").waitFor();
    await row.getByText("1280 × 720").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const order = async (name: string) => {
      await page.getByRole("button", { name: "Actions for The hall" }).click();
      await page.getByRole("menuitem", { name }).click();
    };
    // The name is shown for a few seconds only.
    const identified = wall.page.locator(".identify").getByText("The hall").waitFor();
    await Promise.all([identified, order("Identify")]);
    await order("Only Second wallboard");
    await wall.page.locator(".freshness-name").getByText("Second wallboard").waitFor();
    await wall.page.locator(".identify").waitFor({ state: "detached" });
    await row.getByText("Only Second wallboard").waitFor();

    // Deleting a wallboard does not end the rotation.
    await order("All wallboards in rotation");
    await ownerUser.call("DELETE", `/wallboards/${first}`);
    await wall.page.locator(".freshness-name").getByText("Second wallboard").waitFor();

    // The notice is there as long as the screen is offline, and once.
    const alert = page
      .locator(".mantine-Notification-root")
      .filter({ hasText: "Display “The hall” is offline." });
    for (let failures = 1; failures <= 2; failures += 1) {
      await wall.page.goto("about:blank");
      await alert.waitFor();
      await row.getByText("Offline").waitFor();
      await wall.page.goto(`${product.url}/display`);
      await row.getByText("Online").waitFor();
      await alert.waitFor({ state: "detached" });
    }
    await wall.leave();
    await leave();
  });

  it.each([390, 1440])("are listed and edited in any language, at %d px", async (width) => {
    const { page, leave } = await visitAs(browser, product, owner);
    await page.setViewportSize({ width, height: 900 });
    await usePseudoLanguage(page);
    await page.goto(`${product.url}/admin/displays`);
    const data = [...sharedTexts, "The hall", "Second wallboard", "Service desk", /\d+ × \d+/];
    const problems = () => languageProblems(page, data, SCREEN);
    await page
      .getByRole("button", { name: pseudoText(messages.actionsFor({ name: "The hall" })) })
      .click();
    await page.getByRole("menuitem").first().waitFor();
    expect(await problems()).toEqual([]);
    await page.getByRole("menuitem", { name: pseudoText(messages.editItem()) }).click();
    await page.getByRole("dialog").waitFor();
    expect(await problems()).toEqual([]);
    await leave();
  });

  it("two tabs of one screen show one code, and both what it is paired to show", async () => {
    const ownerUser = await signIn(product.url, owner);
    const wallboard = await createWallboard(ownerUser, "Shared wallboard");
    const first = await visit(browser, { viewport: { width: 1280, height: 720 } });
    await first.page.goto(`${product.url}/display`);
    const code = first.page.locator(".pairing-code .wf-visually-hidden");
    const replaced = await code.textContent();
    const second = await first.page.context().newPage();
    await second.goto(`${product.url}/display`);
    const shown = (await second.locator(".pairing-code .wf-visually-hidden").textContent()) ?? "";
    await first.page.getByText("Another tab of this browser shows the code").waitFor();
    expect(shown).not.toBe(replaced);
    await code.waitFor({ state: "detached" });
    expect(await accessibilityProblems(first.page)).toEqual([]);
    await ownerUser.call("POST", "/displays", {
      code: shown,
      name: "Two tabs",
      boards: [wallboard],
    });
    for (const tab of [first.page, second]) await tab.getByText("Up to date").waitFor();
    await first.leave();
  });

  it("D4 a screen whose own clock is wrong is dimmed by the server's", async () => {
    const ownerUser = await signIn(product.url, owner);
    const wallboard = await createWallboard(ownerUser, "Night wallboard");
    const { id, token } = await pairDisplay(product.url, ownerUser, [wallboard]);
    const wall = await visit(browser);
    await wall.page.addInitScript(shiftClock, 12 * HOUR_MS);
    const cookie = { name: "watchfloor_display", value: token, url: product.url };
    await wall.page.context().addCookies([cookie]);
    await wall.page.goto(`${product.url}/display`);
    await wall.page.getByText("Up to date").waitFor();
    const dimAround = (hours: number) =>
      ownerUser.call("PATCH", `/displays/${id}`, { dim: hoursAround(hours) });
    const dimmed = wall.page.locator("main[data-dim]");
    await dimAround(0);
    await dimmed.waitFor();
    await dimAround(12);
    await dimmed.waitFor({ state: "detached" });
    await wall.leave();
  });

  it("D4 dim hours are stored with both times only", async () => {
    const ownerUser = await signIn(product.url, owner);
    const wallboard = await createWallboard(ownerUser, "Dim wallboard");
    const { id } = await pairDisplay(product.url, ownerUser, [wallboard]);
    await ownerUser.call("PATCH", `/displays/${id}`, { name: "Dim screen" });
    const { page, leave } = await visitAs(browser, product, owner);
    await page.goto(`${product.url}/admin/displays`);
    await page.getByRole("button", { name: "Actions for Dim screen" }).click();
    await page.getByRole("menuitem", { name: "Edit…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Dim from").fill("22:00");
    await dialog.getByRole("button", { name: "Save" }).click();
    // The browser asks for the other time.
    await dialog.locator(":focus").and(dialog.getByLabel("Dim until")).waitFor();
    await dialog.getByLabel("Dim until").fill("06:00");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    const { dim } = await ownerUser.call<{ dim: object }>("GET", `/displays/${id}`);
    expect(dim).toEqual({ from: "22:00", to: "06:00" });
    await leave();
  });

  it("a screen says that its wallboard is empty, and writes the words of alerts beside bars and in a legend", async () => {
    const ownerUser = await signIn(product.url, owner);
    const states = { kind: "breakdown", table: "incidents", group: "state" };
    const thresholds = [{ at: 1, word: "Many", colour: "red" }];
    const tiles = ["bars", "donut"].map((shape, x) => ({
      ...states,
      id: shape,
      shape,
      thresholds,
      layout: { x: x * 2, y: 0, w: 2, h: 2 },
    }));
    const { page, leave } = await visit(browser);
    const showOn = async (shown: object[]) => {
      const wallboard = { name: "One wallboard", grid: { columns: 4, rows: 2 }, tiles: shown };
      const { id } = await ownerUser.call<{ id: string }>("POST", "/wallboards", wallboard);
      const { token } = await pairDisplay(product.url, ownerUser, [id]);
      const cookie = { name: "watchfloor_display", value: token, url: product.url };
      await page.context().addCookies([cookie]);
      await page.goto(`${product.url}/display`);
    };
    await showOn(tiles);
    for (const { id } of tiles) {
      const line = page.locator(`[data-tile="${id}"] li`).first();
      await line.getByText("Many", { exact: true }).waitFor();
    }
    await showOn([]);
    await page.getByText("This wallboard has no tiles yet.").waitFor();
    await leave();
  });

  it.each([390, 1440])("a screen is shown in any language, at %d px", async (width) => {
    const ownerUser = await signIn(product.url, owner);
    const wallboard = await createWallboard(ownerUser, `Wallboard ${width}`);
    // Most incidents have no assignee; whether the SLA was met is unknown, yes or no.
    const group = (field: string, y: number) => ({
      ...{ kind: "breakdown", title: "By state", table: "incidents", group: field },
      layout: { x: 0, y, w: 4, h: 2 },
    });
    const tiles = { who: group("assignee", 2), met: group("sla_met", 4) };
    const base = { tiles: { who: null, met: null } };
    await ownerUser.call("PATCH", `/wallboards/${wallboard}`, { tiles, base });
    await ownerUser.call("POST", `/wallboards/${wallboard}/publish`, {});
    const { page, leave } = await visit(browser, { viewport: { width, height: 900 } });
    await usePseudoLanguage(page);
    await page.goto(`${product.url}/display`);
    const shown = (await page.locator(".pairing-code .wf-visually-hidden").textContent()) ?? "";
    const data = [
      /\b[A-Z0-9]{4,8}\b/,
      /[\w.]+:\d+\/admin\/displays/,
      /Wallboard \d+/,
      "All incidents",
      "Many",
      "By state",
      /\b(Active|Closed|New|Resolved|Awaiting [\w ]+)\b/,
    ];
    expect(await languageProblems(page, data)).toEqual([]);
    await ownerUser.call("POST", "/displays", {
      code: shown,
      name: `Screen ${width}`,
      boards: [wallboard],
    });
    await page.locator('[data-tile="all"]').waitFor();
    await page.locator('[data-tile="met"] li').nth(1).waitFor();
    await page.setViewportSize({ width: 1440, height: 810 });
    // The tiles fit their text to the new size after it has been drawn.
    await expect.poll(() => languageProblems(page, [...data, /Screen \d+/])).toEqual([]);
    await leave();
  });
});
