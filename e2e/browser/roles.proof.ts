// Covers: client/src/features/roles
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { rolesMessages as messages } from "../../client/src/messages/en/roles.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { type Visitor, visitAs } from "./testing/browser.ts";
import { goTo } from "./testing/go-to.ts";
import { cell, makeRecord, openTable, waitForText } from "./testing/grid.ts";
import { openProduct, owner } from "./testing/product.ts";
import {
  languageProblems,
  modelTexts,
  pseudoText,
  SCREEN,
  sharedTexts,
  usePseudoLanguage,
} from "./testing/pseudo-language.ts";

const user = { email: "nia@example.com", password: "a third long sentence" };

const { browser, product } = await openProduct();
let mara: Visitor;
let nia: Visitor;
let role = "";

beforeAll(async () => {
  mara = await visitAs(browser, product, owner);
});

async function call(method: "post" | "patch", path: string, data: object): Promise<{ id: string }> {
  const headers = { origin: product.url };
  const answer = await mara.page.request[method](`${product.url}/api/v1${path}`, { data, headers });
  if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`);
  return (await answer.json()) as { id: string };
}

const tick = (page: Page, name: string) => page.getByRole("checkbox", { name, exact: true });
const roleName = (page: Page) => page.getByRole("textbox", { name: "Role name" });
const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true });

/** Whether the browser asks before it leaves the page. */
const asksBeforeLeaving = (page: Page) =>
  page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));

const storedGrants = async () => {
  const answer = await mara.page.request.get(`${product.url}/api/v1/roles/${role}`);
  return ((await answer.json()) as { grants: Record<string, object> }).grants;
};

describe("roles", () => {
  it("can be created, edited with a live summary, previewed and saved", async () => {
    const { page } = mara;
    await page.goto(`${product.url}/admin/roles`);
    await page.getByRole("button", { name: "New role" }).click();
    const dialog = page.getByRole("dialog", { name: "New role" });
    await dialog.getByLabel("Name").fill("Team of two");
    await dialog.getByRole("button", { name: "Create role" }).click();
    await page.getByRole("textbox", { name: "Role name" }).waitFor();
    role = page.url().split("/").at(-1) ?? "";
    await tick(page, "Services: Edit").check();
    await page.getByRole("button", { name: "Services", exact: true }).click();
    const access = page.getByRole("radiogroup", { name: "Monthly cost" });
    await access.getByText("Hidden").click();
    const summary = page.getByRole("region", { name: "Summary" });
    const text = "Sees all records, without Monthly cost. Changes records. Sees their history.";
    await summary.getByText(text).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("tab", { name: "Preview" }).click();
    await page.getByLabel("Table", { exact: true }).selectOption("services");
    await page.getByText(/^8 of 8 services, \d of \d fields\./).waitFor();
    expect(await page.getByRole("columnheader", { name: "Monthly cost" }).count()).toBe(0);
    // What was read of one table is not shown as that of another one.
    const answer = Promise.withResolvers<void>();
    await page.route("**/api/v1/roles/preview", async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.getByLabel("Table", { exact: true }).selectOption("groups");
    const preview = page.getByRole("region", { name: "Preview", exact: true });
    await page.locator("[aria-busy=true]").filter({ has: preview }).waitFor();
    await expect.poll(() => preview.textContent()).toMatch(/^8 of 8 services/);
    answer.resolve();
    await page.getByText(/^\d+ of \d+ groups/).waitFor();
    await page.locator("[aria-busy=false]").filter({ has: preview }).waitFor();
    await page.unroute("**/api/v1/roles/preview");
    await save(page).click();
    await page.getByText("“Team of two” saved").first().waitFor();
  });

  it("preserve unsaved changes while their author is on another screen", async () => {
    const { page } = mara;
    await page.goto(`${product.url}/admin/roles/${role}`);
    const grant = tick(page, "Groups: Edit");
    await grant.check();
    await save(page).waitFor();
    await page
      .getByRole("link", { name: /^Incidents/ })
      .first()
      .click();
    await page.waitForURL(/\/t\/incidents/);
    await page.getByRole("columnheader").first().waitFor();
    await page.goBack();
    await save(page).waitFor();
    await expect.poll(() => grant.isChecked()).toBe(true);
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await save(page).waitFor({ state: "detached" });
  });

  it("preserve unsaved changes through a reload and a closed tab, and ask nobody before", async () => {
    const { page } = mara;
    const grant = (at: Page) => tick(at, "Groups: Edit");
    await grant(page).check();
    await save(page).waitFor();
    expect(await asksBeforeLeaving(page)).toBe(false);
    await page.reload();
    await save(page).waitFor();
    await expect.poll(() => grant(page).isChecked()).toBe(true);
    const context = page.context();
    await page.close();
    mara.page = await context.newPage();
    await mara.page.goto(`${product.url}/admin/roles/${role}`);
    await save(mara.page).waitFor();
    await expect.poll(() => grant(mara.page).isChecked()).toBe(true);
    await mara.page.getByRole("button", { name: "Discard", exact: true }).click();
    await save(mara.page).waitFor({ state: "detached" });
    await mara.page.reload();
    await grant(mara.page).waitFor();
    expect(await grant(mara.page).isChecked()).toBe(false);
  });

  it("that two users change show both versions to choose from", async () => {
    const { page } = mara;
    await page.getByRole("tab", { name: "Tables" }).click();
    await tick(page, "Groups: Add").check();
    await tick(page, "Services: Delete").check();
    await call("patch", `/roles/${role}`, {
      grants: {
        groups: { read: true, export: true },
        services: { delete: { filter: { field: "name", op: "eq", value: "x" } } },
      },
    });
    const clash = page.getByRole("alert").filter({ hasText: "Services: Delete" });
    await clash.getByText("Deletes records, where Name is x.").waitFor();
    await expect.poll(() => save(page).isDisabled()).toBe(true);
    expect(await accessibilityProblems(page)).toEqual([]);
    await clash.getByRole("button", { name: "Keep theirs" }).click();
    await save(page).click();
    await page.getByRole("region", { name: "Unsaved changes" }).waitFor({ state: "detached" });
    const grants = await storedGrants();
    expect(grants.services).toMatchObject({ delete: { filter: {} }, update: true });
    expect(grants.groups).toMatchObject({ read: true, create: true, export: true });
  });

  it("keep what is changed while they are saved", async () => {
    const { page } = mara;
    const answer = Promise.withResolvers<void>();
    await page.route(`**/api/v1/roles/${role}`, async (route) => {
      await answer.promise;
      await route.continue();
    });
    await tick(page, "Services: Add").check();
    await save(page).click();
    await tick(page, "Services: Add").uncheck();
    await tick(page, "Groups: Add").uncheck();
    answer.resolve();
    await expect.poll(storedGrants).toMatchObject({ services: { create: true } });
    await page.unroute(`**/api/v1/roles/${role}`);
    await page.getByText("2 unsaved changes").waitFor();
    expect(await tick(page, "Services: Add").isChecked()).toBe(false);
    expect(await tick(page, "Groups: Add").isChecked()).toBe(false);
    await save(page).click();
    await page.getByRole("region", { name: "Unsaved changes" }).waitFor({ state: "detached" });
    const { services, groups } = await storedGrants();
    expect([services, groups].map((grant) => grant && "create" in grant)).toEqual([false, false]);
  });

  it("that a colleague deletes while they are open are gone, and no other one is in their place", async () => {
    const { page } = mara;
    const { id } = await call("post", "/roles", { name: "Short-lived", rights: [], grants: {} });
    await goTo(page, product, `/admin/roles/${id}`);
    await expect.poll(() => roleName(page).inputValue()).toBe("Short-lived");
    const headers = { origin: product.url };
    await page.request.delete(`${product.url}/api/v1/roles/${id}`, { headers });
    await page.getByRole("heading", { name: "This role no longer exists" }).waitFor();
    expect(await roleName(page).count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Team of two" }).click();
    await expect.poll(() => roleName(page).inputValue()).toBe("Team of two");
  });

  it.each([390, 1440])("are edited in any language, at %d px", async (width) => {
    const visitor = await visitAs(browser, product, owner);
    const { page } = visitor;
    await page.setViewportSize({ width, height: 900 });
    await usePseudoLanguage(page);
    const button = (text: string) => page.getByRole("button", { name: pseudoText(text) });
    const labels = ["Team of two", "mara", "Owner", "Admin", "Editor", "Viewer", "Display"];
    const model = await modelTexts(page, product.url);
    const state = () => languageProblems(page, [...sharedTexts, ...labels, ...model], SCREEN);
    await page.goto(`${product.url}/admin/roles/${role}`);
    await page.getByRole("button", { name: "Services", exact: true }).click();
    expect(await state()).toEqual([]);
    await button(messages.newRole()).click();
    await page.getByRole("dialog").waitFor();
    expect(await state()).toEqual([]);
    await page.keyboard.press("Escape");
    await visitor.leave();
  });
});

describe("a revoked right", () => {
  it("removes the column, then the table, from the open screen, with an explanation, and leaves nothing behind", async () => {
    await makeRecord(mara.page, product, "services", "canary", {
      name: "Canary",
      description: "cnry1x",
    });
    await call("post", "/users", { ...user, name: "Nia Bello", role });
    nia = await visitAs(browser, product, user);
    const { page } = nia;
    await openTable(page, product, "services?q=Canary");
    await waitForText(cell(page, "canary", "description"), "cnry1x");
    await nia.page.context().setOffline(true);
    await cell(page, "canary", "description").click();
    await page.keyboard.type("my words");
    await page.keyboard.press("Enter");
    await waitForText(cell(page, "canary", "description"), "my words");
    await expect.poll(() => queued(page)).toContain("cnry1x");
    await call("patch", `/roles/${role}`, {
      grants: { services: { read: { hide: ["monthly_cost", "description"] } } },
    });
    await page.context().setOffline(false);
    const column = page.getByRole("columnheader", { name: "Description" });
    await column.waitFor({ state: "detached" });
    await page.getByText("You no longer have access to Description of Services.").first().waitFor();
    await expect.poll(() => queued(page)).not.toMatch(/cnry1x|my words/);
    await expect.poll(() => page.content()).not.toContain("cnry1x");
    await waitForText(cell(page, "canary", "name"), "Canary");
    await call("patch", `/roles/${role}`, { grants: { services: {} } });
    await page.getByText("doesn't include it").waitFor();
    await page.getByText("You no longer have access to Services.").first().waitFor();
    await page.getByRole("link", { name: /^Services/ }).waitFor({ state: "detached" });
    await expect.poll(() => page.locator("main").textContent()).not.toContain("Canary");
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});

/** All that this browser has stored of edits, as text. */
function queued(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const stores: unknown[] = [];
    for (const { name = "" } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      for (const store of db.objectStoreNames) {
        const request = db.transaction(store).objectStore(store).getAll();
        stores.push(
          await new Promise((resolve) => {
            request.onsuccess = () => resolve(request.result);
          }),
        );
      }
      db.close();
    }
    return JSON.stringify(stores);
  });
}
