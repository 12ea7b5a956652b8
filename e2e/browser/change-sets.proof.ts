// Covers: client/src/features/changes client/src/records
import { Client } from "pg";
import type { Page } from "playwright";
import { beforeEach, describe, expect, it } from "vitest";
import type { ChangeSetInfo } from "../../shared/protocol/change-sets.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { goTo } from "./testing/go-to.ts";
import { changeRecord, makeRecord } from "./testing/grid.ts";
import { countShifts, SHIFT_MAX, shiftOf } from "./testing/layout-shift.ts";
import { openTwoUsers } from "./testing/two-users.ts";

/** More than are applied together, and than a page of the preview holds. */
const LARGE = 60;
const environment = {
  CHANGE_SET_ATOMIC_MAX_OPS: "20",
  CHANGE_SET_BATCH_OPS: "7",
};

const { product, users, mara, ana } = await openTwoUsers({ environment });
let count = 0;
let records: string[] = [];

beforeEach(async () => {
  count += 1;
  records = ["a", "b", "c"].map((name) => `set-${count}-${name}`);
  for (const record of records) {
    await makeRecord(mara, product, "services", record, { name: `Service ${record}` });
  }
});

const rename = (record: string | undefined, name: string): WireOp => ({
  op: "update",
  table: "services",
  record: record as string,
  set: { name },
  base: { name: `Service ${record}` },
});

const draft = (ops: WireOp[], title = `Renamed ${count}`) =>
  apiRequest<ChangeSetInfo>(mara, product, "POST", "/change-sets", { title, ops });

const open = async (page: Page, { id, title }: ChangeSetInfo) => {
  await goTo(page, product, `/changes/${id}`);
  await page.getByRole("heading", { level: 1, name: title ?? "" }).waitFor();
};

const row = (page: Page, text: string) =>
  page.getByRole("region", { name: "Changes" }).getByRole("rowgroup").filter({ hasText: text });

const nameOf = async (record: string | undefined) => {
  const path = `/tables/services/records/${record}`;
  const { values } = await apiRequest<{ values: { name: string } }>(mara, product, "GET", path);
  return values.name;
};

const click = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();

describe("the screen of a change set", () => {
  it("shows each change before and after, filters them, and applies them without the skipped ones", async () => {
    const [one, two, three] = records;
    const set = await draft([
      rename(one, "One renamed"),
      rename(two, "Two renamed"),
      rename(three, `Service ${three}`),
      { op: "create", table: "services", record: `new-${count}`, values: { name: "Brand new" } },
      {
        op: "update",
        table: "services",
        record: "nowhere",
        set: { name: "x" },
        base: { name: "y" },
      },
    ]);
    await open(mara, set);
    await row(mara, "One renamed").getByText(`Service ${one}`, { exact: true }).first().waitFor();
    await row(mara, "Brand new").getByText("Will be added", { exact: true }).waitFor();
    await click(mara, "Needs attention 1");
    await row(mara, "Not found. It was deleted").waitFor();
    await row(mara, "One renamed").waitFor({ state: "detached" });
    await expect.poll(() => row(mara, "renamed").count()).toBe(0);
    await click(mara, "All 5");
    await row(mara, "Two renamed").getByRole("checkbox").uncheck();
    await click(mara, "Apply 2 changes");
    await click(mara, "Apply the other 2");
    await mara.getByText("2 changes applied.").first().waitFor();
    await mara.getByText("2 of 4 changes applied. 2 were left out.").waitFor();
    await expect.poll(() => nameOf(one)).toBe("One renamed");
    await expect.poll(() => nameOf(two)).toBe(`Service ${two}`);
    await row(mara, "Two renamed").getByText("Skipped", { exact: true }).waitFor();
  });

  it("asks for each cell that another user has changed, and applies what was chosen", async () => {
    const [one, two, three] = records;
    const set = await draft(records.map((record) => rename(record, `Mara's ${record}`)));
    await changeRecord(ana, product, "services", one as string, { name: "Ana's one" });
    await changeRecord(ana, product, "services", two as string, { name: "Ana's two" });
    await open(mara, set);
    await click(mara, "Needs attention 2");
    await row(mara, "Ana's one").getByText("You and Ana Lopes both changed Name.").waitFor();
    expect(await accessibilityProblems(mara)).toEqual([]);
    await mara.emulateMedia({ colorScheme: "dark" });
    await mara.locator("html[data-mantine-color-scheme=dark]").waitFor();
    expect(await accessibilityProblems(mara)).toEqual([]);
    await mara.emulateMedia({ colorScheme: "light" });
    await row(mara, "Ana's one").getByRole("button", { name: "Use mine" }).click();
    await row(mara, "Ana's one").waitFor({ state: "detached" });
    await expect
      .poll(() => mara.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Changes");
    await row(mara, "Ana's two").getByRole("button", { name: "Keep Ana's" }).click();
    await mara.getByText("No changes in this list.").waitFor();
    await click(mara, "Apply 2 changes");
    await mara.getByText("2 changes applied.").first().waitFor();
    expect(await Promise.all(records.map(nameOf))).toEqual([
      `Mara's ${one}`,
      "Ana's two",
      `Mara's ${three}`,
    ]);
  });

  it("mends what is refused in its cell, and moves nothing while it loads", async () => {
    const [one, two, three] = records;
    const wrong = (record = ""): WireOp => ({
      ...{ op: "update", table: "services", record },
      ...{ set: { owner: "nobody" }, base: { owner: null } },
    });
    const set = await draft([wrong(one), wrong(two), rename(three, "Three renamed")]);
    await countShifts(mara);
    await open(mara, set);
    await row(mara, "Three renamed").waitFor();
    await mara.reload();
    await row(mara, "Three renamed").waitFor();
    expect(await shiftOf(mara)).toBeLessThanOrEqual(SHIFT_MAX);
    await click(mara, "Needs attention 2");
    const isForAll = { name: "In all rows with the same value" };
    await row(mara, `Service ${one}`).getByRole("checkbox", isForAll).check();
    await row(mara, `Service ${one}`).getByRole("button", { name: "Choose…" }).click();
    const form = mara.getByRole("dialog");
    await form.getByRole("combobox", { name: "Owner" }).fill("Ana");
    await mara.getByRole("option", { name: /Ana/ }).click();
    await form.getByRole("button", { name: "Use this value" }).click();
    await mara.getByText("No changes in this list.").waitFor();
    await click(mara, "Apply 3 changes");
    await mara.getByText("3 changes applied.").first().waitFor();
  });

  it("applies nothing if a record has changed since the preview", async () => {
    const [one] = records;
    const set = await draft(records.map((record) => rename(record, `Mara's ${record}`)));
    await open(mara, set);
    await row(mara, `Mara's ${one}`).waitFor();
    await changeRecord(ana, product, "services", one as string, { name: "Ana was faster" });
    await click(mara, "Apply 3 changes");
    await mara.getByText("Nothing was saved yet: somebody changed 1 record").waitFor();
    await row(mara, "Ana was faster").getByText("Conflict", { exact: true }).waitFor();
    await expect.poll(() => nameOf(records[1])).toBe(`Service ${records[1]}`);
  });

  it("reverts what it has changed, and leaves the later edit of another user alone", async () => {
    const [one, two] = records;
    const set = await draft([rename(one, "Wrong one"), rename(two, "Wrong two")]);
    await open(mara, set);
    await click(mara, "Apply 2 changes");
    await mara.getByText("2 changes applied.").first().waitFor();
    await changeRecord(ana, product, "services", one as string, { name: "Ana repaired it" });
    await open(ana, set);
    await row(ana, "Wrong two").waitFor();
    await click(ana, "Revert…");
    await ana.getByRole("heading", { level: 1, name: `Revert “${set.title}”` }).waitFor();
    await ana.getByText("Show the original change").waitFor();
    await row(ana, "Wrong two").getByText(`Service ${two}`, { exact: true }).first().waitFor();
    await row(ana, "Ana repaired it").getByText("Conflict", { exact: true }).waitFor();
    await click(ana, "Apply 1 change");
    await click(ana, "Apply the other 1");
    await ana.getByText("1 change applied.").first().waitFor();
    await expect.poll(() => nameOf(one)).toBe("Ana repaired it");
    await expect.poll(() => nameOf(two)).toBe(`Service ${two}`);
  });

  it("is applied in batches where it is large, and shows the end without a reload", async () => {
    const ops = Array.from({ length: LARGE }, (_, index) => {
      const values = { name: `Many ${index}` };
      return { op: "create", table: "services", record: `many-${count}-${index}`, values } as const;
    });
    const set = await draft(ops);
    await open(mara, set);
    await mara.getByText(`1–50 of ${LARGE}`).waitFor();
    await click(mara, new RegExp(`^(?:Apply|Add) ${LARGE} `));
    await mara.getByText("Applied · Bulk edit").waitFor();
    await click(mara, "Next page");
    await mara.getByText(`51–${LARGE} of ${LARGE}`).waitFor();
    await expect.poll(() => nameOf(`many-${count}-${LARGE - 1}`)).toBe(`Many ${LARGE - 1}`);
  });

  it("is stopped after the batch that is being applied, which the list shows record by record", async () => {
    const ids = Array.from({ length: LARGE }, (_, index) => `stop-${count}-${index}`);
    const creates = ids.map((record): WireOp => {
      return { op: "create", table: "services", record, values: { name: `Service ${record}` } };
    });
    await apiRequest(mara, product, "POST", "/mutations", { id: `stop-${count}`, ops: creates });
    const set = await draft(ids.map((record) => rename(record, `Beyond ${record}`)));
    await open(mara, set);
    // Another program holds a record of the third batch, until the user has pressed "Stop".
    const psql = new Client({ connectionString: product.databaseUrl });
    await psql.connect();
    await psql.query("begin");
    await psql.query("select from services where id = $1 for update", [ids[15]]);
    await click(mara, new RegExp(`^(?:Apply|Add) ${LARGE} `));
    await mara.getByText(`14 of ${LARGE} done`).waitFor();
    await Promise.all([mara.waitForResponse(/\/cancel$/), click(mara, "Stop")]);
    await psql.query("rollback");
    await psql.end();
    await mara.getByText(`Stopped after 21 of ${LARGE} changes.`).waitFor();
    await expect.poll(() => nameOf(ids[20])).toBe(`Beyond ${ids[20]}`);
    await expect.poll(() => nameOf(ids[21])).toBe(`Service ${ids[21]}`);
    await mara.getByRole("button", { name: "Revert…" }).waitFor();
  });

  it("says that the server can't be reached, and not that the set is missing", async () => {
    const set = await draft([rename(records[0], "Later")]);
    const path = `**/api/v1/change-sets/${set.id}`;
    await mara.route(path, (route) => route.abort());
    await mara.goto(`${product.url}/changes/${set.id}`);
    await mara.getByRole("alert").filter({ hasText: "The server can't be reached" }).waitFor();
    await mara.unroute(path);
    await mara.reload();
    await mara.getByRole("heading", { level: 1, name: set.title ?? "" }).waitFor();
    users.mara.consoleErrors.length = 0;
  });

  it("is renamed, cancelled and deleted by its author, and hidden from others", async () => {
    const set = await draft(records.map((record) => rename(record, "Never applied")));
    await goTo(ana, product, `/changes/${set.id}`);
    await ana.getByRole("heading", { name: "Change set not found" }).waitFor();
    await open(mara, set);
    await click(mara, "Rename");
    const title = mara.getByRole("textbox", { name: "Title" });
    await title.fill("Better title");
    const path = `**/api/v1/change-sets/${set.id}`;
    await mara.route(path, (route) => route.fulfill({ status: 403, json: { code: "forbidden" } }));
    await click(mara, "Save");
    await mara.getByRole("dialog").getByRole("alert").waitFor();
    await expect.poll(() => title.inputValue()).toBe("Better title");
    await mara.unroute(path);
    await click(mara, "Save");
    await mara.getByRole("heading", { level: 1, name: "Better title" }).waitFor();
    const breadcrumb = mara.getByRole("navigation", { name: "Breadcrumb" });
    await breadcrumb.getByText("Better title").waitFor();
    await click(mara, "Discard draft");
    await mara.getByRole("dialog").getByRole("button", { name: "Discard draft" }).click();
    await mara.getByText("Cancelled ·").waitFor();
    await click(mara, "Delete");
    await mara.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await mara.getByRole("heading", { level: 1, name: "Change sets" }).waitFor();
    await mara.getByRole("link", { name: "Better title" }).waitFor({ state: "detached" });
  });
});

describe("the list of change sets", () => {
  const applied = async (name: string, record = records[0]) => {
    const set = await draft([rename(record, `${name} ${count}`)], `${name} ${count}`);
    await apiRequest(mara, product, "POST", `/change-sets/${set.id}/apply`, {});
    return set;
  };
  const lineOf = (title: string | null) => ana.getByRole("row").filter({ hasText: title ?? "" });

  it("shows one's own drafts, and of others what they have applied", async () => {
    await applied("Applied");
    await draft([rename(records[1], "Hidden")], `Draft ${count}`);
    await Promise.all([mara, ana].map((page) => goTo(page, product, "/changes")));
    await ana.getByRole("link", { name: `Applied ${count}` }).waitFor();
    expect(await ana.getByRole("link", { name: `Draft ${count}` }).count()).toBe(0);
    await mara.getByRole("link", { name: `Draft ${count}` }).waitFor();
    await ana.getByLabel("Show").selectOption("Mine");
    await ana.getByRole("link", { name: `Applied ${count}` }).waitFor({ state: "detached" });
    expect(await accessibilityProblems(mara)).toEqual([]);
  });

  it("follows what another user does", async () => {
    await goTo(ana, product, "/changes");
    await ana.getByLabel("Show").selectOption("All");
    const { id, title } = await applied("Followed");
    const line = lineOf(title);
    await line.filter({ hasText: "Applied" }).waitFor();
    const path = `/change-sets/${id}/revert`;
    const revert = await apiRequest<ChangeSetInfo>(mara, product, "POST", path);
    await apiRequest(mara, product, "POST", `/change-sets/${revert.id}/apply`, {});
    await line.filter({ hasText: "Reverted" }).first().waitFor();
  });

  it("is read again after reads failed, without another notice", async () => {
    await goTo(ana, product, "/changes");
    await ana.getByLabel("Show").selectOption("All");
    await lineOf((await applied("Seen")).title).waitFor();
    const lists = "**/api/v1/change-sets";
    await ana.route(lists, (route) => route.abort());
    const { title } = await applied("Missed", records[1]);
    await ana.getByRole("alert").waitFor();
    await ana.unroute(lists);
    await lineOf(title).waitFor();
    // The browser writes each failed request to the console.
    expect(users.ana.consoleErrors.splice(0).length).toBeGreaterThan(0);
  });
});
