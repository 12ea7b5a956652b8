// Covers: client/src/features/login client/src/access client/src/features/shell
import { describe, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { signIn, visit, visitAs } from "./testing/browser.ts";
import { goTo } from "./testing/go-to.ts";
import { cell, changeRecord, makeRecord, openTable } from "./testing/grid.ts";
import { addTable, openModel } from "./testing/model-builder.ts";
import { openProduct, owner } from "./testing/product.ts";
import { languageProblems, usePseudoLanguage } from "./testing/pseudo-language.ts";

const environment = {
  SIGN_IN_FAILURES_PER_ACCOUNT: "3",
  SIGN_IN_FIRST_WAIT_MS: "600000",
};
const { browser, product } = await openProduct({ environment });

describe("signing in", () => {
  it("says that the credentials are incorrect, then how long to wait", async () => {
    const { page, leave } = await visit(browser);
    await page.goto(`${product.url}/login`);
    await page.getByLabel("Email").fill("nobody@example.com");
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("is incorrect").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.type("another one");
    await expect
      .poll(() => page.getByLabel("Password", { exact: true }).inputValue())
      .toBe("another one");
    const wait = page.getByRole("alert").getByText(/Try again in \d+ minutes/);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const answered = page.waitForResponse(/\/session$/);
      await page.getByRole("button", { name: "Sign in" }).click();
      await answered;
    }
    await wait.waitFor();
    await leave();
  });

  it("continues in every tab when the user signs in again in one of them", async () => {
    const { page, leave } = await visitAs(browser, product, owner);
    await page.goto(product.url);
    const second = await page.context().newPage();
    await second.goto(`${product.url}/me`);
    await second.getByRole("heading", { name: "My profile" }).waitFor();
    await page.getByRole("button", { name: /account menu of/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    const sheet = second.getByRole("dialog", { name: "Your session has ended" });
    await sheet.waitFor();
    // After signing out, the page itself goes there.
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await signIn(page, product.url, owner);
    await second.evaluate(() => globalThis.dispatchEvent(new Event("focus")));
    await sheet.waitFor({ state: "detached" });
    await second.getByTestId("connection").getByText("Live", { exact: true }).waitFor();
    await leave();
  });

  it("signs the user out, and nobody in afterwards", async () => {
    const { page, leave } = await visitAs(browser, product, owner);
    await page.goto(product.url);
    await page.getByRole("button", { name: /account menu of/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.goto(`${product.url}/t/incidents`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(new URL(page.url()).search).toBe("?next=%2Ft%2Fincidents");
    await leave();
  });

  it("signs nobody out without asking while changes to a role or to the model are unsaved", async () => {
    const { page, leave } = await visitAs(browser, product, owner);
    const requestSignOut = async () => {
      await page.getByRole("button", { name: /account menu of/ }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
    };
    const sheet = page.getByRole("dialog", { name: "Some changes have not been saved yet" });
    await page.goto(`${product.url}/admin/roles`);
    await page.getByRole("button", { name: "New role" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("A role");
    await page.getByRole("button", { name: "Create role" }).click();
    const name = page.getByRole("textbox", { name: "Role name" });
    await name.fill("A role with changes");
    await requestSignOut();
    await sheet.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await sheet.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await openModel(page, product);
    await addTable(page, "Never published");
    await goTo(page, product, "/me");
    await requestSignOut();
    await sheet.getByRole("button", { name: "Sign out anyway" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await leave();
  });

  it("signs out by itself once edits are sent, but not while one of them needs a decision", async () => {
    const { page, leave } = await visitAs(browser, product, owner);
    const record = (name: string) => makeRecord(page, product, "services", name, { name });
    await record("leave-1");
    await record("leave-2");
    const other = await visitAs(browser, product, owner);
    const editAndSignOut = async (id: string) => {
      await openTable(page, product, "services?q=leave");
      await page.getByTestId("connection").getByText("Live", { exact: true }).waitFor();
      await page.context().setOffline(true);
      await cell(page, id, "name").click();
      await page.keyboard.type(`Mine ${id}`);
      await page.keyboard.press("Enter");
      await cell(page, id, "name").and(page.locator("[data-state=pending]")).waitFor();
      await page.getByRole("button", { name: /account menu of/ }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      const sheet = page.getByRole("dialog", { name: "1 edit has not been sent yet" });
      await sheet.waitFor();
      return sheet;
    };
    const sheet = await editAndSignOut("leave-1");
    await changeRecord(other.page, product, "services", "leave-1", { name: "Theirs" });
    await page.context().setOffline(false);
    await page.getByRole("button", { name: /1 to review/ }).waitFor();
    await sheet.waitFor({ state: "detached" });
    await editAndSignOut("leave-2");
    await page.context().setOffline(false);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await Promise.all([leave(), other.leave()]);
  });

  it("is about in the middle of a screen of any size", async () => {
    const { page, leave } = await visit(browser, {});
    await page.goto(`${product.url}/login`);
    const button = page.getByRole("button", { name: "Use a passkey" });
    await button.waitFor();
    for (const [width, height] of [
      [1440, 900],
      [3840, 2160],
    ] as const) {
      await page.setViewportSize({ width, height });
      const middle = async () => {
        const top = (await page.getByText("Watchfloor").boundingBox())?.y ?? 0;
        const last = await button.boundingBox();
        return (top + (last?.y ?? 0) + (last?.height ?? 0)) / 2 / height;
      };
      await expect.poll(middle).toBeGreaterThan(0.3);
      await expect.poll(middle).toBeLessThan(0.55);
    }
    await leave();
  });

  it.each([390, 1440])(
    "takes every text from the catalogue and cuts none, at %d px",
    async (width) => {
      const { page, leave } = await visit(browser, { viewport: { width, height: 900 } });
      await usePseudoLanguage(page);
      await page.goto(`${product.url}/login`);
      await page.locator('input[type="email"]').fill("somebody@example.com");
      await page.locator('input[type="password"]').fill("not the password");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").waitFor();
      expect(await languageProblems(page, ["Watchfloor"])).toEqual([]);
      await leave();
    },
  );
});
