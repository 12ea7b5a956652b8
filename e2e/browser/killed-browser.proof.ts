// Covers: client/src/transport/storage client/src/sync/edits client/src/records
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { tempFolder } from "../provision/temp-folder.ts";
import { apiRequest } from "./testing/api-request.ts";
import { openProfile } from "./testing/browser.ts";
import { cell, makeRecord, openTable, waitForText } from "./testing/grid.ts";
import { openProduct, owner } from "./testing/product.ts";

/** A crash of the whole browser, as by a lack of memory or of power: nothing is written on its way. */

const { product } = await openProduct();
const profile = await tempFolder();
afterAll(async () => {
  await kill();
  await profile.drop();
});

/** The browser writes what pages store some seconds later; until then a crash loses it, whatever a page does. */
async function writtenToDisk(text: string): Promise<void> {
  const folder = join(profile.path, "Default", "Local Storage", "leveldb");
  const files = () => readdirSync(folder).filter((name) => /\.(?:log|ldb)$/.test(name));
  const content = () => files().map((name) => readFileSync(join(folder, name), "latin1"));
  await expect.poll(() => content().some((stored) => stored.includes(text))).toBe(true);
}

async function stored(field: string): Promise<unknown> {
  type Answer = { values: Record<string, unknown> };
  const path = "/tables/incidents/records/crash-1";
  const { values } = await apiRequest<Answer>(page, product, "GET", path);
  return values[field];
}

let { page, kill } = await openProfile(profile.path, product, owner);

it("leaves edits that were not sent, and texts that were not saved, to the next start", async () => {
  await makeRecord(page, product, "incidents", "crash-1", { title: "Crash before" });
  await openTable(page, product, "incidents?q=crash");
  await page.getByTestId("connection").getByText("Live", { exact: true }).waitFor();
  // The code of the panel arrives when it is first opened.
  const location = page.getByRole("complementary").getByRole("textbox", { name: "Location" });
  await cell(page, "crash-1", "title").click();
  await page.keyboard.press("Alt+Enter");
  const emptyFields = page.getByRole("button", { name: /empty fields$/ });
  await emptyFields.click();
  await location.waitFor();
  await page.getByRole("button", { name: "Close panel" }).click();
  await location.waitFor({ state: "detached" });
  await page.context().setOffline(true);
  await cell(page, "crash-1", "title").click();
  await page.keyboard.type("Crash of the browser");
  await page.keyboard.press("Enter");
  await cell(page, "crash-1", "title").and(page.locator("[data-state=pending]")).waitFor();
  await cell(page, "crash-1", "title").click();
  await page.keyboard.press("Alt+Enter");
  await emptyFields.click();
  await location.pressSequentially("Half a sentence");
  await writtenToDisk("Half a sentence");
  await kill();

  ({ page, kill } = await openProfile(profile.path, product, owner));
  await openTable(page, product, "incidents?q=crash");
  await expect.poll(() => stored("title")).toBe("Crash of the browser");
  await waitForText(cell(page, "crash-1", "title"), "Crash of the browser");
  await page.getByRole("button", { name: /1 to review/ }).click();
  await page.getByRole("dialog").getByText("Half a sentence").waitFor();
});
