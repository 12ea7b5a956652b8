// Covers: client/src/app client/src/features/shell
import type { Page, Route } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { type Visitor, visitAs } from "./testing/browser.ts";
import { goTo } from "./testing/go-to.ts";
import { goToTable } from "./testing/grid.ts";
import { openProduct, owner } from "./testing/product.ts";
import { untilIdle } from "./testing/until-idle.ts";

const { browser, product } = await openProduct();
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  visitor = await visitAs(browser, product, owner);
  page = visitor.page;
});

const screens = [
  ["/", /^Good /],
  ["/activity", "Activity"],
  ["/changes", "Change sets"],
  ["/admin/users", "Users"],
  ["/me", "My profile"],
  ["/nowhere", "Page not found"],
] as const;

/** Answers the code of a screen with components of the same names that throw. */
async function failWhenDrawn(route: Route): Promise<void> {
  const code = await (await route.fetch()).text();
  const names = /export\s*\{([^}]*)\}/.exec(code)?.[1]?.split(",") ?? [];
  const body = names
    .map((name) => name.split(" as ").at(-1)?.trim())
    .map(
      (name, at) => `const f${at} = () => { throw Error("broken") }; export { f${at} as ${name} };`,
    )
    .join("\n");
  await route.fulfill({ contentType: "text/javascript", body });
}

describe("the shell", () => {
  it.each(screens)("fits %s into small and huge screens", async (path, name) => {
    await goTo(page, product, path);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    for (const width of [360, 768, 3840]) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForFunction("document.documentElement.scrollWidth <= innerWidth");
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("opens a table from the palette by keyboard alone", async () => {
    await page.goto(product.url);
    await page.getByRole("heading", { name: /^Good / }).waitFor();
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Command palette" });
    await palette.locator("input:focus").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.type("serv");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/t/services");
  });

  it("finds a record from the palette and opens it", async () => {
    await page.goto(product.url);
    await page.getByRole("button", { name: /Search or jump to/ }).click();
    await page.getByRole("textbox", { name: "Search or jump to" }).fill("INC0100042");
    await page.locator("[data-action][data-selected]", { hasText: "INC0100042" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/t\/incidents\/.+/);
  });

  it("shows the shortcuts on ?, except while typing or when they are turned off", async () => {
    await page.goto(`${product.url}/me`);
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await page.getByLabel("Name").focus();
    await page.keyboard.press("?");
    expect(await sheet.count()).toBe(0);
    await page.getByText(/^Signed in as/).click();
    await page.keyboard.press("?");
    await sheet.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await page.getByLabel("Single-key shortcuts").click();
    await page.getByText(/^Signed in as/).click();
    const folded = page.locator("[data-collapsed]");
    await page.keyboard.press("?");
    await page.keyboard.press("[");
    await untilIdle(page);
    expect(await sheet.count()).toBe(0);
    expect(await folded.count()).toBe(0);
    await page.getByLabel("Single-key shortcuts").click();
    await page.getByText(/^Signed in as/).click();
    await page.keyboard.press("[");
    await folded.first().waitFor();
    await page.keyboard.press("[");
    await folded.first().waitFor({ state: "detached" });
  });

  it("remembers the theme and paints it at once on the next visit", async () => {
    await page.goto(`${product.url}/me`);
    const theme = page.getByRole("radiogroup", { name: "Theme" });
    await theme.getByText("Dark").click();
    await page.goto(product.url, { waitUntil: "commit" });
    const scheme = () => document.documentElement.getAttribute("data-mantine-color-scheme");
    await page.waitForFunction(() => document.body !== null);
    await expect.poll(() => page.evaluate(scheme)).toBe("dark");
    await page.goto(`${product.url}/me`);
    // The sidebar has a link of that name, too.
    await theme.getByText("System").click();
  });

  it("says on a table that there is a newer version when it comes back to a server that has one", async () => {
    await goToTable(page, product, "incidents");
    const newer = '<!doctype html><script src="/assets/console-newer.js"></script>';
    await page.route(`${product.url}/`, (route) =>
      route.fulfill({ contentType: "text/html", body: newer }),
    );
    const bar = page.getByRole("status").filter({ hasText: "A newer version is available." });
    await page.context().setOffline(true);
    await page.getByTestId("connection").filter({ hasNotText: "Live" }).waitFor();
    await page.context().setOffline(false);
    await bar.getByRole("button", { name: "Reload" }).waitFor();
    await page.unroute(`${product.url}/`);
    await page.reload();
    await page.getByTestId("connection").filter({ hasText: "Live" }).waitFor();
    await bar.waitFor({ state: "detached" });
  });

  it("stays usable when a screen fails, says that edits are safe, and continues elsewhere", async () => {
    const outsider = await visitAs(browser, product, owner, { expectsErrors: true });
    await outsider.page.route("**/assets/roles-screen-*.js", failWhenDrawn);
    await outsider.page.goto(product.url);
    await outsider.page.getByRole("link", { name: "Roles" }).click();
    await outsider.page.getByRole("heading", { name: "Something went wrong" }).waitFor();
    await outsider.page.getByText("Your edits are safe").waitFor();
    expect(await accessibilityProblems(outsider.page)).toEqual([]);
    await outsider.page.getByRole("link", { name: "Users" }).click();
    await outsider.page.getByRole("heading", { level: 1, name: "Users" }).waitFor();
    await outsider.leave();
  });

  it("lets a keyboard skip to the content, and folds the navigation on a small screen", async () => {
    await page.goto(product.url);
    await page.getByRole("heading", { name: /^Good / }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole("button", { name: "Open navigation" }).click();
    const drawer = page.getByRole("dialog", { name: "Navigation" });
    await drawer.getByRole("link", { name: "Users" }).click();
    await page.getByRole("heading", { level: 1, name: "Users" }).waitFor();
    await drawer.waitFor({ state: "detached" });
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});
