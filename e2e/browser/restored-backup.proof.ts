// Covers: client/src/sync server/store/backup
import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backUp } from "../harness/database-backup.ts";
import type { ServerProcess } from "../harness/server-process.ts";
import { owner } from "../harness/server-process.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { leaveBrowser, openBrowser, visitAs } from "./testing/browser.ts";
import { cell, openTable, textOf, waitForText } from "./testing/grid.ts";

const isOpen = encodeURIComponent(JSON.stringify({ field: "state", op: "ne", value: "Closed" }));
const LOST = 10;
const WRITTEN_AFTERWARDS = 15;

let browser: Browser;
let installation: TestInstallation<ServerProcess>;
beforeAll(async () => {
  [browser, installation] = await Promise.all([openBrowser(), TestInstallation.open()]);
  // Its session ends with every other when the database is copied.
  installation.program.on("error", () => undefined);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await installation[Symbol.asyncDispose]();
});

describe("a browser that was offline while a backup was restored", () => {
  it("ends equal to a fresh query, without a reload", async () => {
    const { page, leave } = await visitAs(browser, installation.server, owner);
    const retitle = async (records: readonly string[], prefix: string) => {
      for (const record of records) {
        const path = `/tables/incidents/records/${encodeURIComponent(record)}?overwrite=true`;
        await installation.ownerUser.call("PATCH", path, { set: { title: `${prefix} ${record}` } });
      }
    };
    const backup = await backUp(installation.database);
    await openTable(page, installation.server, `incidents?sort=number&filter=${isOpen}`);
    const status = page.getByTestId("connection");
    await status.getByText("Live", { exact: true }).waitFor();
    const shown = await page
      .locator(".ag-row[row-id]")
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("row-id") ?? ""));
    const lostRows = shown.slice(0, LOST);
    await retitle(lostRows, "lost");
    for (const record of lostRows) await waitForText(cell(page, record, "title"), `lost ${record}`);
    await page.evaluate(() => Object.assign(globalThis, { stillTheSamePage: true }));

    await page.context().setOffline(true);
    await status.getByText("Offline", { exact: true }).waitFor();
    await installation.server.kill("SIGTERM");
    await backup.restore();
    await installation.server.start();
    const { records } = await installation.ownerUser.page(
      "incidents",
      `limit=200&filter=${isOpen}`,
    );
    const unshown = records.map(({ id }) => id).filter((id) => !shown.includes(id));
    await retitle([...lostRows.slice(0, 2), ...unshown].slice(0, WRITTEN_AFTERWARDS), "after");
    await page.context().setOffline(false);

    for (const record of lostRows) {
      const { values } = await installation.ownerUser.record("incidents", record);
      await waitForText(cell(page, record, "title"), String(values.title));
      await expect.poll(() => textOf(cell(page, record, "title"))).toBe(values.title);
    }
    expect(await page.evaluate("stillTheSamePage")).toBe(true);
    await backup.drop();
    await leave();
  });
});
