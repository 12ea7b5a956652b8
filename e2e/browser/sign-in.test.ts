import { describe, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { visit, visitAs } from "./testing/browser.ts";
import { openProduct, owner } from "./testing/product.ts";

const { browser, product } = await openProduct();

describe("signing in", () => {
  it("leads to the requested page", async () => {
    const { page, leave } = await visit(browser);
    await page.goto(`${product.url}/me`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel("Email").fill(owner.email);
    await page.getByLabel("Password", { exact: true }).fill(owner.password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "My profile" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/me");
    await leave();
  });

  it("keeps the page under a sheet when the session ends, and continues after signing in again", async () => {
    const { page, leave } = await visitAs(browser, product, owner);
    await page.goto(`${product.url}/me`);
    await page.getByLabel("Name").fill("A name half typed");
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Save" }).click();
    const sheet = page.getByRole("dialog", { name: "Your session has ended" });
    await sheet.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await sheet.getByLabel("Password", { exact: true }).fill(owner.password);
    await sheet.getByRole("button", { name: "Sign in", exact: true }).click();
    await sheet.waitFor({ state: "detached" });
    await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("A name half typed");
    await leave();
  });
});
