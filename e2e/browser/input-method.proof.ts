// Covers: client/src/features/grid client/src/sync
import type { Locator, Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import type { HistoryEntry } from "../../shared/protocol/records.ts";
import { apiRequest } from "./testing/api-request.ts";
import { visitAs } from "./testing/browser.ts";
import { cell, changeRecord, makeRecord, openTable } from "./testing/grid.ts";
import { openProduct, owner } from "./testing/product.ts";

const { browser, product } = await openProduct();
const ids = ["composed-1", "composed-2"];
let page: Page;

beforeAll(async () => {
  page = (await visitAs(browser, product, owner)).page;
  await makeRecord(page, product, "groups", "Night shift", { email: "night@example.com" });
  for (const id of ids)
    await makeRecord(page, product, "incidents", id, { title: id, group: "Night shift" });
});

/** Composes 日本 where the focus is, confirms it by Enter as an input method does, and types on. */
async function composeAndType(rest: string): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send("Input.imeSetComposition", {
    text: "にほん",
    selectionStart: 3,
    selectionEnd: 3,
  });
  const confirms = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 };
  await client.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...confirms });
  await client.send("Input.insertText", { text: "日本" });
  await client.send("Input.dispatchKeyEvent", { type: "keyUp", ...confirms });
  await page.keyboard.type(rest);
}

/** All values that a field of a record has had since it was created. */
async function savedValues(id: string, field: string): Promise<unknown[]> {
  const path = `/tables/incidents/records/${id}/history`;
  const { items } = await apiRequest<{ items: HistoryEntry[] }>(page, product, "GET", path);
  return items.flatMap(({ kind, fields }) => (kind === "update" && fields[field]?.after) || []);
}

const isFocused = (at: Locator) => at.evaluate((one) => one === document.activeElement);
const panel = () => page.getByRole("complementary");

it("stores nothing in a cell when Enter confirms what an input method composed", async () => {
  await openTable(page, product, "incidents?q=composed&sort=title");
  await cell(page, "composed-1", "category").click();
  await page.keyboard.type("In ");
  await composeAndType(" 2");
  await page.keyboard.press("Enter");
  await expect.poll(() => savedValues("composed-1", "category")).toEqual(["In 日本 2"]);
});

it("stores nothing in the panel when Enter confirms what an input method composed", async () => {
  await openTable(page, product, "incidents/composed-1?q=composed");
  await panel()
    .getByRole("button", { name: /empty fields$/ })
    .click();
  await panel().getByRole("textbox", { name: "Location", exact: true }).focus();
  await composeAndType(" 3");
  await page.keyboard.press("Enter");
  await expect.poll(() => savedValues("composed-1", "location")).toEqual(["日本 3"]);
});

it("stays in a linked record when Enter confirms what an input method composed", async () => {
  await changeRecord(page, product, "incidents", "composed-2", { resolution_code: "Fixed" });
  for (const [name, from] of [
    ["resolve", "New"],
    ["close", "Resolved"],
  ])
    await apiRequest(
      page,
      product,
      "POST",
      `/tables/incidents/records/composed-2/transitions/${name}`,
      { from },
    );
  await openTable(page, product, "groups/Night%20shift#linked");
  const titles = panel().getByRole("textbox", { name: /^Title of/ });
  await expect.poll(() => titles.count()).toBe(ids.length);
  await titles.first().fill("");
  await composeAndType(" 4");
  await expect.poll(() => isFocused(titles.first())).toBe(true);
  await page.keyboard.press("Enter");
  await expect.poll(() => isFocused(titles.last())).toBe(true);
  await expect.poll(() => savedValues("composed-1", "title")).toEqual(["日本 4"]);
  await composeAndType(" 5");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "1 to review" }).click();
  await page.getByRole("dialog").getByText("日本 5").waitFor();
});
