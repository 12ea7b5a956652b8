// Covers: server/http/docs
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addToken, signIn } from "../harness/test-user.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { leaveBrowser, openBrowser, visitAs } from "./testing/browser.ts";
import { owner, type Product, startProduct } from "./testing/product.ts";

let browser: Browser;
let product: Product;
beforeAll(async () => {
  [browser, product] = await Promise.all([openBrowser(), startProduct()]);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await product.close();
});

/** Opens an entry and its form by the keyboard. */
async function tryIt(page: Page, id: string) {
  const entry = page.locator(`#${id}`);
  await entry.locator("summary").focus();
  await page.keyboard.press("Enter");
  await entry.getByRole("button", { name: "Try it" }).focus();
  await page.keyboard.press("Enter");
  return entry;
}

it("makes calls from /api/docs: with the session or a token that is not stored, and writes only after a confirmation", async () => {
  const user = await signIn(product.url, owner);
  const { token } = await addToken(user);
  const { page, leave } = await visitAs(browser, product, owner);
  const written: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") written.push(request.headers().authorization ?? "session");
  });
  await page.goto(`${product.url}/api/docs`);

  const session = await tryIt(page, "getSession");
  await session.getByRole("button", { name: "Send" }).click();
  await session.locator("output").getByText(/^200/).waitFor();
  await session.locator("output pre", { hasText: owner.email }).waitFor();

  const create = await tryIt(page, "postTablesRecords");
  await page.keyboard.type("groups");
  await create.getByLabel("Body").fill(JSON.stringify({ values: { name: "Tried" } }));
  await create.getByRole("button", { name: "Send" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Change this installation?" });
  await dialog.getByText("POST /api/v1/tables/groups/records").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(written).toEqual([]);

  await create.getByLabel("Call with").selectOption("An API token");
  await create.getByLabel("Token (never stored)").fill(token);
  await create.getByRole("button", { name: "Send" }).click();
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Send POST" }).click();
  await create.locator("output").getByText(/^201/).waitFor();
  expect(written).toEqual([`Bearer ${token}`]);
  const groups = await user.page("groups", "search=Tried");
  expect(groups.total).toBe(1);

  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  );
  expect(stored).not.toContain("wf_");
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await accessibilityProblems(page), scheme).toEqual([]);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
  }
  await page.reload();
  const again = await tryIt(page, "getSession");
  await again.getByLabel("Call with").selectOption("An API token");
  expect(await again.getByLabel("Token (never stored)").inputValue()).toBe("");
  await leave();
});
