import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backUp } from "../harness/database-backup.ts";
import { Desk } from "../harness/desk.ts";
import { owner } from "../harness/server-process.ts";
import { openBrowser, visitAs } from "./testing/browser.ts";
import { cell, openTable, textOf, waitForText } from "./testing/grid.ts";

const isOpen = encodeURIComponent(JSON.stringify({ field: "state", op: "ne", value: "Closed" }));
const LOST = 10;
const WRITTEN_AFTERWARDS = 15;

let browser: Browser;
let desk: Desk;
beforeAll(async () => {
  [browser, desk] = await Promise.all([openBrowser(), Desk.open()]);
  // Its session ends with every other when the database is copied.
  desk.program.on("error", () => undefined);
});
afterAll(async () => {
  await browser.close();
  await desk[Symbol.asyncDispose]();
});

describe("a browser that was offline while a backup was restored", () => {
  it("ends equal to a fresh query, without a reload", async () => {
    const { page, leave } = await visitAs(browser, desk.server, owner);
    const retitle = async (records: readonly string[], prefix: string) => {
      for (const record of records) {
        const path = `/tables/incidents/records/${encodeURIComponent(record)}?overwrite=true`;
        await desk.boss.call("PATCH", path, { set: { title: `${prefix} ${record}` } });
      }
    };
    const backup = await backUp(desk.database);
    await openTable(page, desk.server, `incidents?sort=number&filter=${isOpen}`);
    const status = page.getByTestId("connection").getByRole("status");
    await status.getByText("Live", { exact: true }).waitFor();
    const shown = await page
      .locator(".ag-row[row-id]")
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("row-id") ?? ""));
    const lost = shown.slice(0, LOST);
    await retitle(lost, "lost");
    for (const record of lost) await waitForText(cell(page, record, "title"), `lost ${record}`);
    await page.evaluate(() => Object.assign(globalThis, { stillTheSamePage: true }));

    await page.context().setOffline(true);
    await status.getByText("Offline", { exact: true }).waitFor();
    await desk.server.kill("SIGTERM");
    await backup.restore();
    await desk.server.start();
    const { records } = await desk.boss.page("incidents", `limit=200&filter=${isOpen}`);
    const unseen = records.map(({ id }) => id).filter((id) => !shown.includes(id));
    await retitle([...lost.slice(0, 2), ...unseen].slice(0, WRITTEN_AFTERWARDS), "after");
    await page.context().setOffline(false);

    for (const record of lost) {
      const { values } = await desk.boss.record("incidents", record);
      await waitForText(cell(page, record, "title"), String(values.title));
      expect(await textOf(cell(page, record, "title"))).toBe(values.title);
    }
    expect(await page.evaluate("stillTheSamePage")).toBe(true);
    await backup.drop();
    await leave();
  });
});
