// Covers: client/src/sync
import type { Page } from "playwright";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { type Visitor, visitAs } from "./testing/browser.ts";
import { cell, makeRecord, openTable } from "./testing/grid.ts";
import { openProduct, owner } from "./testing/product.ts";

const { browser, product } = await openProduct();
let visitor: Visitor;
let page: Page;
let count = 0;
let record = "";

beforeEach(async () => {
  count += 1;
  record = `full-${count}`;
  visitor = await visitAs(browser, product, owner);
  page = visitor.page;
  await makeRecord(page, product, "incidents", record, { title: `Full ${count}`, state: "New" });
});

afterEach(() => visitor.leave());

const bar = () => page.getByTestId("not-stored-bar");
const openRecords = () => openTable(page, product, `incidents?q=Full ${count}`);
const storedTitle = async () =>
  (
    await apiRequest<{ values: Record<string, unknown> }>(
      page,
      product,
      "GET",
      `/tables/incidents/records/${record}`,
    )
  ).values.title;

async function retitle(title: string): Promise<void> {
  await cell(page, record, "title").click();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+A");
  await page.keyboard.type(title);
  await page.keyboard.press("Enter");
}

/** Whether the browser asks before it leaves the page. It stays. */
async function asksBeforeLeaving(): Promise<boolean> {
  const asked = page.waitForEvent("dialog");
  const closing = page.close({ runBeforeUnload: true });
  const dialog = await asked;
  await dialog.dismiss();
  await closing;
  return dialog.type() === "beforeunload";
}

/** From now on every write is refused, until `isFull` is false. */
function fillStorage(): void {
  const full = Object.assign(globalThis, { isFull: true });
  const refuse = () => {
    if (full.isFull) throw new DOMException("Full.", "QuotaExceededError");
  };
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (...args) {
    refuse();
    return put.apply(this, args);
  };
  const { setItem } = Storage.prototype;
  Storage.prototype.setItem = function (...args) {
    refuse();
    setItem.apply(this, args);
  };
}

describe("a browser whose storage is full", () => {
  it("says that unsaved edits are not stored, asks before it closes the tab, and recovers", async () => {
    await page.addInitScript(fillStorage);
    await openRecords();
    await page.context().setOffline(true);
    const title = `Full ${count}, only in this tab`;
    await retitle(title);
    await bar().getByText("This browser can't store your unsaved changes.").waitFor();
    const offline = page.getByTestId("offline-bar");
    expect(await offline.innerText()).not.toContain("stored");
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await asksBeforeLeaving()).toBe(true);

    await page.evaluate("isFull = false");
    await bar().waitFor({ state: "detached" });
    await page.goto("about:blank");
    await page.context().setOffline(false);
    await openRecords();
    await expect.poll(storedTitle).toBe(title);
  });

  it("asks before it closes a tab with a text that is still being typed", async () => {
    await page.addInitScript(fillStorage);
    await openTable(page, product, `incidents/${record}?q=Full ${count}`);
    await page.getByRole("button", { name: /empty fields$/ }).click();
    const location = page.getByRole("complementary").getByRole("textbox", { name: "Location" });
    await location.pressSequentially("Half a wo");
    expect(await asksBeforeLeaving()).toBe(true);
    await bar().waitFor();
    await location.press("Tab");
    await bar().waitFor({ state: "detached" });
  });
});

it("starts and saves although the browser's storage does not open, and says that edits are not stored", async () => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest;
  });
  await openRecords();
  await bar().waitFor();
  await page.getByTestId("connection").getByText("Edits not stored", { exact: true }).waitFor();
  await retitle("Saved without storage");
  await expect.poll(storedTitle).toBe("Saved without storage");
});
