// Covers: client/src/features/activity client/src/features/changes
import { readFile } from "node:fs/promises";
import type { Page } from "playwright";
import { beforeEach, describe, expect, it } from "vitest";
import type { ChangeSetInfo } from "../../shared/protocol/change-sets.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { goTo } from "./testing/go-to.ts";
import { changeRecord, makeRecord } from "./testing/grid.ts";
import { openTwoUsers } from "./testing/two-users.ts";

const { browser, product, mara, ana } = await openTwoUsers();
let count = 0;
let records: string[] = [];

beforeEach(async () => {
  count += 1;
  records = ["a", "b", "c"].map((name) => `act-${count}-${name}`);
  for (const record of records) {
    await makeRecord(mara, product, "services", record, { name: `Service ${record}` });
  }
});

const open = async (page: Page, query = "") => {
  await goTo(page, product, `/activity${query}`);
  await timeline(page).waitFor();
};

const timeline = (page: Page) => page.getByRole("region", { name: "Timeline" });

const row = (page: Page, text: string | RegExp) =>
  timeline(page).getByRole("listitem").filter({ hasText: text });

const rename = (page: Page, record: string | undefined, name: string) =>
  changeRecord(page, product, "services", record as string, { name });

const nameOf = async (record: string | undefined) => {
  const path = `/tables/services/records/${record}`;
  const { values } = await apiRequest<{ values: { name: string } }>(mara, product, "GET", path);
  return values.name;
};

const applyPreview = async (page: Page, changes: number) => {
  await page.getByRole("button", { name: `Apply ${changes} change` }).click();
  await page
    .getByText(`${changes} change${changes === 1 ? "" : "s"} applied.`)
    .first()
    .waitFor();
};

describe("the activity", () => {
  it("exports what the filter matches, for users who may see security events", async () => {
    const [one] = records;
    await open(mara, `?table=services&record=${one}`);
    await mara.getByRole("button", { name: "Export" }).click();
    const started = mara.waitForEvent("download");
    await mara.getByRole("menuitem", { name: "Changes as CSV" }).click();
    const file = await readFile(await (await started).path(), "utf8");
    const lines = file.trimEnd().split("\r\n");
    expect(lines.slice(1).every((line) => line.includes(`services,${one},`))).toBe(true);
    expect(file).toContain(`Service ${one}`);
    await open(ana);
    expect(await ana.getByRole("button", { name: "Export" }).count()).toBe(0);
  });

  it("shows what another user changes while it is open, and links to the record", async () => {
    const [one] = records;
    await open(mara);
    await rename(ana, one, `Renamed ${count}`);
    const change = row(mara, `Ana Lopes changed Name on Renamed ${count}`);
    await change.getByText(`Service ${one}`, { exact: true }).waitFor();
    await change.getByRole("link", { name: `Renamed ${count}` }).click();
    await mara.getByRole("complementary").getByText(`Renamed ${count}`).first().waitFor();
  });

  it("is filtered by user, table, field and text, and keeps the filters in the address", async () => {
    const [one, two] = records;
    await rename(ana, one, `By Ana ${count}`);
    await rename(mara, two, `By Mara ${count}`);
    await open(mara);
    await row(mara, `By Mara ${count}`).first().waitFor();
    await mara.getByLabel("User", { exact: true }).selectOption("Ana Lopes");
    await row(mara, `By Mara ${count}`).waitFor({ state: "detached" });
    await mara.getByLabel("Table", { exact: true }).selectOption("Services");
    await mara.getByLabel("Field", { exact: true }).selectOption("Name");
    await mara.getByRole("searchbox").fill(`Ana ${count}`);
    await row(mara, `By Ana ${count}`).waitFor();
    await mara.waitForURL(/search=/);
    await expect.poll(() => timeline(mara).getByRole("listitem").count()).toBe(1);
    await mara.reload();
    await row(mara, `By Ana ${count}`).waitFor();
    const size = mara.viewportSize() ?? { width: 1440, height: 900 };
    await mara.setViewportSize({ width: 390, height: 844 });
    await mara.getByLabel("User", { exact: true }).waitFor({ state: "hidden" });
    await mara.getByRole("button", { name: "Filters (3)" }).click();
    await mara.getByLabel("User", { exact: true }).waitFor();
    expect(await accessibilityProblems(mara)).toEqual([]);
    await mara.setViewportSize(size);
    await mara.getByRole("searchbox").fill("nobody wrote this");
    await mara.getByRole("heading", { name: "No activity found" }).waitFor();
    await mara.getByRole("button", { name: "Clear filters" }).click();
    await row(mara, `By Mara ${count}`).first().waitFor();
  });

  it("says of deleted records, and not of all changes, that there are none", async () => {
    await goTo(mara, product, "/activity?show=deleted&table=groups");
    await mara.getByRole("heading", { name: "No deleted records found" }).waitFor();
  });

  it("reverts one change after a preview", async () => {
    const [one] = records;
    await rename(ana, one, `Wrong ${count}`);
    await open(mara, "?table=services");
    await row(mara, `Wrong ${count}`).getByRole("button", { name: /^More/ }).click();
    await mara.getByRole("menuitem", { name: "Revert…" }).click();
    await mara.getByRole("heading", { level: 1, name: "Revert changes" }).waitFor();
    await expect.poll(() => nameOf(one)).toBe(`Wrong ${count}`);
    await applyPreview(mara, 1);
    await expect.poll(() => nameOf(one)).toBe(`Service ${one}`);
  });

  it("reverts a selection, and joins what a change set did into one row", async () => {
    const ops = records.map((record) => ({
      op: "update",
      table: "services",
      record,
      set: { name: `Bulk ${record}` },
      base: { name: `Service ${record}` },
    }));
    const title = `Bulk ${count}`;
    const set = await apiRequest<ChangeSetInfo>(ana, product, "POST", "/change-sets", {
      title,
      ops,
    });
    await apiRequest(ana, product, "POST", `/change-sets/${set.id}/apply`, {});
    await open(mara, `?changeSet=${set.id}`);
    const change = row(mara, "Ana Lopes changed Name on 3 services");
    await change.getByRole("button", { name: "Show 3 records" }).click();
    await change.getByText(`Bulk ${records[2]}`, { exact: true }).first().waitFor();
    await change.getByRole("checkbox").check();
    await mara.getByRole("status").filter({ hasText: "3 changes selected" }).waitFor();
    await mara.getByRole("button", { name: "Revert…", exact: true }).click();
    await applyPreview(mara, 3);
    expect(await Promise.all(records.map(nameOf))).toEqual(records.map((id) => `Service ${id}`));
  });

  it("reverts everything that a user did in a span, and names the later edit that stays", async () => {
    const carl = { email: `carl-${count}@example.com`, password: "yet another long sentence" };
    await apiRequest(mara, product, "POST", "/users", {
      ...carl,
      name: "Carl Berg",
      role: "editor",
    });
    const session = await browser.newContext();
    const page = await session.newPage();
    await apiRequest(page, product, "POST", "/session", carl);
    const [one, two] = records;
    await rename(page, one, "Carl was here");
    await rename(page, two, "Carl was here too");
    await session.close();
    await rename(mara, two, "Mara repaired it");
    await open(mara);
    await mara.getByLabel("User", { exact: true }).selectOption("Carl Berg");
    await mara.getByText("To revert everything by Carl Berg, choose a time.").waitFor();
    await mara.getByLabel("Time", { exact: true }).selectOption("Last hour");
    await mara.getByRole("button", { name: "Revert everything by Carl Berg since" }).click();
    await mara.getByRole("heading", { level: 1, name: "Revert everything by Carl Berg" }).waitFor();
    const preview = mara.getByRole("region", { name: "Changes" }).locator("tbody");
    await preview.filter({ hasText: "Mara repaired it" }).getByText("Conflict").first().waitFor();
    await mara.getByRole("button", { name: "Apply 1 change" }).click();
    await mara.getByRole("button", { name: "Apply the other 1" }).click();
    await mara.getByText("1 change applied.").first().waitFor();
    expect([await nameOf(one), await nameOf(two)]).toEqual([`Service ${one}`, "Mara repaired it"]);
  });

  it("shows security events only to those who may see them", async () => {
    await Promise.all([open(mara), open(ana)]);
    await row(mara, "signed in with a password").first().waitFor();
    await mara.getByLabel("Show", { exact: true }).selectOption("Security events");
    await row(mara, "signed in").first().waitFor();
    await mara.getByLabel("Table", { exact: true }).waitFor({ state: "detached" });
    expect(await row(ana, "signed in").count()).toBe(0);
    const shown = ana.getByLabel("Show", { exact: true }).locator("option");
    await expect
      .poll(() => shown.allInnerTexts())
      .toEqual(["Changes", "Deleted records", "Comments"]);
    expect(await accessibilityProblems(ana)).toEqual([]);
    expect(await accessibilityProblems(mara)).toEqual([]);
  });
});
