import { Client } from "pg";
import type { Page } from "playwright";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ChangeSetInfo } from "../../shared/protocol/change-sets.ts";
import type { ActivityEntry } from "../../shared/protocol/history.ts";
import { until } from "../harness/until.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { type Visitor, visitAs } from "./testing/browser.ts";
import { goTo } from "./testing/go-to.ts";
import { changeRecord, goToTable, openTable } from "./testing/grid.ts";
import { openModel, publishModel } from "./testing/model-builder.ts";
import { openProduct, owner, startProduct } from "./testing/product.ts";
import { twoUsers } from "./testing/two-users.ts";

const ROWS = 400;

const { browser, product } = await openProduct();
let users: { mara: Visitor; ana: Visitor };
let mara: Page;
let ana: Page;

beforeAll(async () => {
  users = await twoUsers(browser, product);
  mara = users.mara.page;
  ana = users.ana.page;
});

afterEach(() => {
  expect([...users.mara.consoleErrors, ...users.ana.consoleErrors]).toEqual([]);
});

const click = (name: string | RegExp) => mara.getByRole("button", { name }).click();
const region = (name: string) => mara.getByRole("region", { name });
const fieldOf = (column: string) => mara.getByLabel(`Field for the column ${column}`);

/** Opens the screen from the table's toolbar, and chooses a file. */
async function chooseFile(table: string, name: string, content: string | Buffer) {
  await goToTable(mara, product, table);
  await mara.getByRole("toolbar").getByRole("link", { name: "Import" }).click();
  await mara.getByRole("heading", { level: 1, name: /^Import into/ }).waitFor();
  const buffer = Buffer.from(content as string);
  await mara.locator("input[type=file]").setInputFiles({ name, mimeType: "text/csv", buffer });
  await region("First rows of the file").waitFor();
}

async function preview(): Promise<string> {
  await click("Preview changes");
  await mara.waitForURL(/\/changes\/[^/]+$/);
  await region("Imported file").waitFor();
  return mara.url().split("/").at(-1) as string;
}

const hasState = (id: string, state: string) =>
  until(`the set is ${state}`, 30_000, async () => {
    const info = await apiRequest<ChangeSetInfo>(mara, product, "GET", `/change-sets/${id}`);
    return info.state === state;
  });

/** The titles of the imported incidents by SQL. */
async function readTitles(): Promise<Map<string, string>> {
  const client = new Client({ connectionString: product.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ number: string; title: string }>(
    "select number, title from incidents where number like 'IMP%'",
  );
  await client.end();
  return new Map(rows.map(({ number, title }) => [number, title]));
}

/** A wallboard that counts the incidents whose title begins with "Mine", on the colleague's screen. */
async function openTile(): Promise<(count: number) => Promise<void>> {
  const filter = { field: "title", op: "startsWith", value: "Mine " };
  const layout = { x: 0, y: 0, w: 3, h: 2 };
  const tile = { id: "mine", kind: "number", title: "Mine", table: "incidents", filter, layout };
  const call = { name: "Imported", tiles: [tile] };
  const { id } = await apiRequest<{ id: string }>(mara, product, "POST", "/wallboards", call);
  await ana.goto(`${product.url}/wallboards/${id}`);
  return (count) =>
    ana.getByRole("main").getByText(String(count), { exact: true }).first().waitFor();
}

const numbers = Array.from({ length: ROWS }, (_, n) => `IMP${String(n).padStart(4, "0")}`);
const csvOf = (title: (number: string) => string) =>
  `Number,Title\n${numbers.map((number) => `${number},${title(number)}`).join("\n")}\n`;
const titlesOf = (title: (number: string, place: number) => string) =>
  new Map(numbers.map((number, place) => [number, title(number, place)]));
const wait = (text: string | RegExp) => mara.getByText(text).first().waitFor();

describe("importing a file in the browser", () => {
  it("updates 400 records by key while a colleague edits ten of the cells; a revert takes back mine", async () => {
    await chooseFile(
      "incidents",
      "first.csv",
      csvOf((number) => `First ${number}`),
    );
    const first = await preview();
    await click(`Apply ${ROWS} changes`);
    await hasState(first, "applied");
    expect(await readTitles()).toEqual(titlesOf((number) => `First ${number}`));

    await chooseFile(
      "incidents",
      "second.csv",
      csvOf((number) => `Mine ${number}`),
    );
    const set = await preview();
    await region("Imported file").getByText(`${ROWS} rows read: ${ROWS} changed`).waitFor();
    const created = await apiRequest<{ items: ActivityEntry[] }>(
      mara,
      product,
      "GET",
      `/changes?changeSet=${first}&limit=1000`,
    );
    expect(created.items).toHaveLength(ROWS);
    const idOf = new Map(
      created.items.map(({ record, fields }) => [fields.number?.after as string, record]),
    );
    const theirs = numbers.slice(0, 10);
    for (const number of theirs) {
      const record = idOf.get(number) as string;
      await changeRecord(ana, product, "incidents", record, { title: `Ana ${number}` });
    }
    await mara.reload();
    await click("Problems 10");
    const row = (number: string) =>
      region("Changes")
        .getByRole("listitem")
        .filter({ hasText: `Ana ${number}` });
    for (const [place, number] of theirs.entries()) {
      const name = place < 5 ? "Keep mine" : "Take theirs";
      await row(number).getByRole("button", { name }).click();
      await row(number).waitFor({ state: "detached" });
    }
    const tileShows = await openTile();
    await tileShows(0);
    await click(`Apply ${ROWS - 5} changes`);
    await hasState(set, "applied");
    await tileShows(ROWS - 5);
    const isTheirs = (place: number) => place >= 5 && place < 10;
    const applied = titlesOf((number, place) => `${isTheirs(place) ? "Ana" : "Mine"} ${number}`);
    expect(await readTitles()).toEqual(applied);
    const activity = await apiRequest<{ items: ActivityEntry[] }>(
      mara,
      product,
      "GET",
      `/changes?changeSet=${set}&limit=1000`,
    );
    expect(activity.items).toHaveLength(ROWS - 5);
    expect(activity.items.every(({ origin }) => origin === "import")).toBe(true);

    await click("Revert…");
    await wait(/^Revert “second.csv”/);
    await click(`Apply ${ROWS - 5} changes`);
    await hasState(set, "reverted");
    await tileShows(0);
    expect(await readTitles()).toEqual(
      titlesOf((number, place) => `${place < 10 ? "Ana" : "First"} ${number}`),
    );
    const path = `/tables/incidents/records/${idOf.get(numbers[0] as string)}/history`;
    const history = await apiRequest<{ items: { fields: Record<string, { after: unknown }> }[] }>(
      mara,
      product,
      "GET",
      path,
    );
    const titles = history.items.map(({ fields }) => fields.title?.after).filter(Boolean);
    const [number] = numbers;
    expect(titles).toEqual([`Ana ${number}`, `Mine ${number}`, `Ana ${number}`, `First ${number}`]);
  });

  it("shows how a file is read, asks what it can't know, remembers the columns, and offers rejected rows", async () => {
    const rows = [
      "Nummer;Titel;Opened at;Reassignments;Notes",
      "F1;Café;03/04/2026 10:15;1.234.567;?",
      "F2;Größe;05/06/2026 11:00;2;x",
      "F3;Bad;05/06/2026 11:00;many;y",
    ];
    const file = Buffer.from(rows.join("\r\n"), "latin1");
    await chooseFile("incidents", "german.csv", file);
    await expect.poll(() => mara.getByLabel("Delimiter").inputValue()).toBe(";");
    await expect.poll(() => mara.getByLabel("Encoding").inputValue()).toBe("windows-1252");
    await expect.poll(() => mara.getByLabel("Numbers").inputValue()).toBe(",");
    await expect.poll(() => mara.getByLabel("Text that means empty").inputValue()).toBe("?");
    await region("First rows of the file").getByText("Größe").waitFor();
    await expect.poll(() => fieldOf("Opened at").inputValue()).toBe("opened_at");
    await expect.poll(() => fieldOf("Nummer").inputValue()).toBe("");
    await wait("These dates fit several formats.");
    expect(await accessibilityProblems(mara)).toEqual([]);
    const button = mara.getByRole("button", { name: "Preview changes" });
    expect(await button.isDisabled()).toBe(true);
    await fieldOf("Nummer").selectOption({ label: "Number" });
    await fieldOf("Titel").selectOption({ label: "Title" });
    await mara.getByLabel("Dates", { exact: true }).selectOption("DD/MM/YYYY HH:mm");
    await mara.getByLabel("Time zone of dates").selectOption("UTC");
    await mara.getByLabel("Update records by").selectOption({ label: "Number" });
    await preview();
    await region("Imported file").getByText("3 rows read: 2 added · 1 rejected").waitFor();
    const download = mara.waitForEvent("download");
    await region("Imported file").getByRole("link", { name: "Download rejected rows" }).click();
    const stream = await (await download).createReadStream();
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const rejects = Buffer.concat(chunks).toString();
    expect(rejects).toMatch(/4,.*reassignments.*F3,Bad,05\/06\/2026 11:00,many,y/);
    await click("Apply 2 changes");
    await wait("2 changes applied.");
    const filter = encodeURIComponent(JSON.stringify({ field: "number", op: "eq", value: "F1" }));
    const path = `/tables/incidents/records?filter=${filter}`;
    const { records } = await apiRequest<{ records: { values: object }[] }>(
      mara,
      product,
      "GET",
      path,
    );
    const opened_at = "2026-04-03T10:15:00+00:00";
    const values = { title: "Café", opened_at, reassignments: 1234567, notes: null };
    expect(records[0]?.values).toMatchObject(values);

    await chooseFile("incidents", "german.csv", file);
    await expect.poll(() => fieldOf("Nummer").inputValue()).toBe("number");
    await expect.poll(() => mara.getByLabel("Update records by").inputValue()).toBe("number");
  });

  it("creates a table from a file with proposed types, and imports the file once it is published", async () => {
    const rows = Array.from({ length: 30 }, (_, n) => {
      const day = String(n + 1).padStart(2, "0");
      return `A-${n},Asset ${n},"1.0${day},5${n % 2}",${day}.03.2026,${n % 3 ? "Office" : "Lab"},0${n}`;
    });
    const buffer = Buffer.from(`Asset number,Name,Price,Bought,Place,Code\n${rows.join("\n")}\n`);
    await openModel(mara, product);
    await click("New table from a file");
    const dialog = mara.getByRole("dialog");
    await dialog
      .locator("input[type=file]")
      .setInputFiles({ name: "Assets.csv", mimeType: "text/csv", buffer });
    const typeOf = (column: string) => dialog.getByLabel(`Type of the column ${column}`);
    await typeOf("Name").waitFor();
    const columns = ["Asset number", "Name", "Price", "Bought", "Place", "Code"];
    const types = await Promise.all(columns.map((column) => typeOf(column).inputValue()));
    expect(types).toEqual(["text", "text", "decimal", "date", "select", "text"]);
    expect(await accessibilityProblems(mara)).toEqual([]);
    await dialog.getByRole("button", { name: "Add table" }).click();
    await dialog.waitFor({ state: "detached" });
    await publishModel(mara);
    await mara.getByRole("heading", { level: 1, name: "Import into Assets" }).waitFor();
    await expect.poll(() => mara.getByLabel("Update records by").inputValue()).toBe("asset_number");
    await expect
      .poll(() => mara.getByLabel("Dates", { exact: true }).inputValue())
      .toBe("DD.MM.YYYY");
    const id = await preview();
    await click("Apply 30 changes");
    await hasState(id, "applied");
    const path = "/tables/assets/records?limit=1&sort=name";
    const { records, total } = await apiRequest<{ records: { values: object }[]; total: number }>(
      mara,
      product,
      "GET",
      path,
    );
    expect(total).toBe(30);
    const values = { asset_number: "A-0", price: "1001.50", bought: "2026-03-01", place: "Lab" };
    expect(records[0]?.values).toMatchObject({ ...values, code: "00" });
  });

  it("says that a file changes nothing when it is imported again", async () => {
    const content = "Name,Description\nRepeated,once\n";
    await chooseFile("services", "again.csv", content);
    await mara.getByLabel("Update records by").selectOption({ label: "Name" });
    const id = await preview();
    await click("Apply 1 change");
    await hasState(id, "applied");
    await chooseFile("services", "again.csv", content);
    await preview();
    await region("Imported file").getByText("1 row read: 1 unchanged").waitFor();
    await wait("Every row of the file is already stored.");
    await click("Unchanged 1");
    await wait("Rows of the file that change nothing are counted, but not listed.");
  });

  it("says that the exported view changes nothing", async () => {
    const filter = encodeURIComponent(JSON.stringify({ field: "state", op: "eq", value: "New" }));
    const { total } = await apiRequest<{ total: number }>(
      mara,
      product,
      "GET",
      `/tables/incidents/records?limit=1&filter=${filter}`,
    );
    await goToTable(mara, product, `incidents?filter=${filter}`);
    await mara.getByRole("toolbar").getByRole("button", { name: "Export" }).click();
    const download = mara.waitForEvent("download");
    await mara.getByRole("menuitem", { name: /CSV with names/ }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("incidents.csv");
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    const content = Buffer.concat(chunks);
    expect(content.toString()).toMatch(/^\u{FEFF}id,number,title,.*assignee,assignee label/u);
    await chooseFile("incidents", "incidents.csv", content);
    await expect.poll(() => fieldOf("assignee label").inputValue()).toBe("");
    await mara.getByLabel("Update records by").selectOption("id");
    await preview();
    const text = `${total} rows read: ${total} unchanged`;
    await region("Imported file").getByText(text).waitFor();
  });

  it("applies a file that is too large for a preview, and lists what was left out", async () => {
    const small = await startProduct({ environment: { WATCHFLOOR_CHANGE_SET_MAX_OPS: "2" } });
    const { page, leave } = await visitAs(browser, small, owner);
    await page.goto(`${small.url}/import/services`);
    const buffer = Buffer.from("Name\nLarge one\nLarge two\nLarge three\n");
    const file = { name: "large.csv", mimeType: "text/csv", buffer };
    await page.locator("input[type=file]").setInputFiles(file);
    await page.getByRole("button", { name: "Preview changes" }).click();
    await page.getByText("This change set is too large for a preview.").waitFor();
    await page.getByRole("button", { name: "Apply 3 changes" }).click();
    await page.getByText("3 changes applied.").first().waitFor();
    await page.getByRole("region", { name: "Changes" }).getByText("Large two").first().waitFor();
    await leave();
    await small.close();
  });

  it("takes pasted rows, and says why a file can't be imported", async () => {
    await goTo(mara, product, "/import/services");
    await click("Paste text");
    await mara.getByLabel("Rows to import").fill("Name\tColour\nPasted one\tred\n");
    await click("Use this text");
    await region("First rows of the file").waitFor();
    await expect.poll(() => mara.getByLabel("Delimiter").inputValue()).toBe("\t");
    await preview();
    await click("Apply 1 change");
    await wait("1 change applied.");

    await goTo(mara, product, "/import/services");
    const workbook = { name: "book.xlsx", mimeType: "", buffer: Buffer.from("PK\u0003\u0004 zip") };
    await mara.locator("input[type=file]").setInputFiles(workbook);
    await wait("This is a spreadsheet file. Save it as CSV");

    await chooseFile("services", "broken.csv", 'Name\nfine\n"never closed');
    await click("Preview changes");
    await mara.getByRole("alert").filter({ hasText: "Line 3" }).waitFor();
    const { items } = await apiRequest<{ items: ChangeSetInfo[] }>(
      mara,
      product,
      "GET",
      "/change-sets?state=draft",
    );
    expect(items.filter(({ title }) => title === "broken.csv")).toEqual([]);
  });

  it("can be cancelled while the file is sent, and leaves no draft", async () => {
    await chooseFile("services", "slow.csv", "Name\nslow\n");
    await mara.route("**/import?*", () => {});
    await click("Preview changes");
    await click("Cancel");
    await mara.getByRole("button", { name: "Preview changes" }).waitFor();
    await mara.unroute("**/import?*");
    const { items } = await apiRequest<{ items: ChangeSetInfo[] }>(
      mara,
      product,
      "GET",
      "/change-sets?state=draft",
    );
    expect(items.filter(({ title }) => title === "slow.csv")).toEqual([]);
  });

  it("is offered only to users who may write", async () => {
    const { id } = await apiRequest<{ id: string }>(mara, product, "POST", "/users", {
      email: "vic@example.com",
      name: "Vic",
      role: "viewer",
      password: "a third long sentence",
    });
    expect(id).not.toBe("");
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.request.post(`${product.url}/api/v1/session`, {
      data: { email: "vic@example.com", password: "a third long sentence" },
      headers: { origin: product.url },
    });
    await openTable(page, product, "services");
    expect(await page.getByRole("link", { name: "Import" }).count()).toBe(0);
    await page.goto(`${product.url}/import/services`);
    await page.getByRole("heading", { name: "You can't import into this table" }).waitFor();
    await context.close();
  });
});
