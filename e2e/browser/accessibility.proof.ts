// Covers: client/src/app client/src/ui client/src/features
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { someCases } from "../provision/proof-size.ts";
import { makeScreens } from "../screenshots/make-screens.ts";
import { forbiddenPath, screens } from "../screenshots/screens.ts";
import { waitUntilComplete } from "../screenshots/take.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { visit } from "./testing/browser.ts";
import { goTo } from "./testing/go-to.ts";
import { openTwoUsers } from "./testing/two-users.ts";

const BOARD = "service-desk";
/** Low, as further rows are like the first ones and take as long to check. */
const wide = { width: 1440, height: 600 };
const phone = { width: 390, height: 600 };
/** Those that look different on a phone. */
const onPhone = ["table", "groups", "record", "comments", "board", "activity"];
/** Titles of what is shown instead of a screen. */
const missing = /not found|not allowed|could not be loaded|went wrong|don't have access/i;

const { browser, product, users, mara: page } = await openTwoUsers();
let made: Awaited<ReturnType<typeof makeScreens>>;

beforeAll(async () => {
  await page.setViewportSize(wide);
  made = await makeScreens(page, product, "ana@example.com");
  const pairing = "/display/pairing";
  const { code } = await apiRequest<{ code: string }>(users.ana.page, product, "POST", pairing);
  await apiRequest(page, product, "POST", "/displays", { code, name: "Hall", boards: [BOARD] });
});

/** A proof checks both themes; other runs one of them by their seed. */
const checkedThemes = someCases(["light", "dark"] as const);

/** The problems of what the page shows. */
async function problemsOf(shown: Page): Promise<string[]> {
  const problems: string[] = [];
  for (const colorScheme of checkedThemes) {
    await shown.emulateMedia({ colorScheme });
    await shown.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    const found = await accessibilityProblems(shown);
    problems.push(...found.map((problem) => `${colorScheme}: ${problem}`));
  }
  return problems;
}

/** Shows a screen, complete, in a page that shows the app already. */
async function open(path: string): Promise<void> {
  await goTo(page, product, path);
  const nowhere = page.getByRole("heading", { name: "Page not found" });
  if (path !== screens["not-found"] && path !== screens["no-table"]) {
    await nowhere.waitFor({ state: "detached" });
    await waitUntilComplete(page);
    expect(await page.getByRole("heading", { name: missing }).count()).toBe(0);
  }
}

describe(`every screen, ${checkedThemes.join(" and ")}, has no accessibility problems`, () => {
  it.each(Object.entries(screens))("%s", async (_, path) => {
    await open(path);
    expect(await problemsOf(page)).toEqual([]);
  });

  it("those of one document", async () => {
    for (const path of [...Object.values(made.paths), `/wallboards/${BOARD}`]) {
      await open(path);
      expect(await problemsOf(page), path).toEqual([]);
    }
  });

  it("those of a phone", async () => {
    await page.setViewportSize(phone);
    for (const name of onPhone) {
      await open(screens[name] ?? "");
      expect(await problemsOf(page), name).toEqual([]);
    }
    await page.setViewportSize(wide);
  });

  it("that of a screen which the user may not open", async () => {
    await users.ana.page.goto(`${product.url}${forbiddenPath}`);
    await users.ana.page.getByRole("heading", { name: missing }).waitFor();
    expect(await problemsOf(users.ana.page)).toEqual([]);
  });

  it("those of users who are not signed in", async () => {
    const { page: stranger, leave } = await visit(browser);
    for (const address of [`${product.url}/login`, ...Object.values(made.links)]) {
      await stranger.goto(address);
      await stranger.locator("form").waitFor();
      await waitUntilComplete(stranger);
      expect(await problemsOf(stranger), address).toEqual([]);
    }
    await leave();
  });
});
