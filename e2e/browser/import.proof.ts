// Covers: client/src/features/import client/src/records
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { findTable, type Model } from "../../shared/model/model.ts";
import type { ActivityEntry } from "../../shared/protocol/records.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { changeRecord } from "./testing/grid.ts";
import { importScreen } from "./testing/import-screen.ts";
import { openModel, publishModel } from "./testing/model-builder.ts";
import { openTwoUsers } from "./testing/two-users.ts";

const ROWS = 400;

const { product, mara, ana } = await openTwoUsers();

const { click, region, fieldOf, chooseFile, preview, hasState, wait } = importScreen(
  () => mara,
  product,
);

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

describe("importing a file in the browser", () => {
  it("updates 400 records by key while a colleague edits ten of the cells; a revert takes back mine", async () => {
    await chooseFile(
      "incidents",
      "first.csv",
      csvOf((number) => `First ${number}`),
    );
    const first = await preview();
    await click(new RegExp(`^(?:Apply|Add) ${ROWS} `));
    await hasState(first, "applied");
    await expect.poll(() => readTitles()).toEqual(titlesOf((number) => `First ${number}`));

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
    await click("Needs attention 10");
    const row = (number: string) =>
      region("Changes")
        .getByRole("rowgroup")
        .filter({ hasText: `Ana ${number}` });
    for (const [place, number] of theirs.entries()) {
      const name = place < 5 ? "Use mine" : "Keep Ana's";
      await row(number).getByRole("button", { name }).click();
      await row(number).waitFor({ state: "detached" });
    }
    const tileShows = await openTile();
    await tileShows(0);
    await click(new RegExp(`^(?:Apply|Add) ${ROWS - 5} `));
    await hasState(set, "applied");
    await tileShows(ROWS - 5);
    const isTheirs = (place: number) => place >= 5 && place < 10;
    const applied = titlesOf((number, place) => `${isTheirs(place) ? "Ana" : "Mine"} ${number}`);
    await expect.poll(() => readTitles()).toEqual(applied);
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
    await click(new RegExp(`^(?:Apply|Add) ${ROWS - 5} `));
    await hasState(set, "reverted");
    await tileShows(0);
    await expect
      .poll(() => readTitles())
      .toEqual(titlesOf((number, place) => `${place < 10 ? "Ana" : "First"} ${number}`));
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
    expect(await mara.getByLabel("Also treat as empty").inputValue()).toBe("");
    await region("First rows of the file").getByText("Größe").waitFor();
    await expect.poll(() => fieldOf("Opened at").inputValue()).toBe("opened_at");
    await expect.poll(() => fieldOf("Nummer").inputValue()).toBe("");
    await wait("These dates fit several formats.");
    expect(await accessibilityProblems(mara)).toEqual([]);
    const button = mara.getByRole("button", { name: "Preview changes" });
    await expect.poll(() => button.isDisabled()).toBe(true);
    await fieldOf("Nummer").selectOption({ label: "Number" });
    await fieldOf("Titel").selectOption({ label: "Title" });
    await mara.getByLabel("Dates", { exact: true }).selectOption("DD/MM/YYYY HH:mm");
    await mara.getByLabel("Time zone of dates").selectOption("UTC");
    await mara.getByLabel("If a record exists").selectOption({ label: "Update it by Number" });
    await mara.getByRole("button", { name: "Read “?” as empty (1 cell)" }).click();
    await expect.poll(() => mara.getByLabel("Also treat as empty").inputValue()).toBe("?");
    await preview();
    await region("Imported file").getByText("3 rows read: 2 added · 1 rejected").waitFor();
    // A sentence in one line would run over the next cells of a file of many columns.
    const rejected = region("Incidents").getByRole("rowgroup").filter({ hasText: "Line 4" });
    const reason = rejected.getByRole("cell").filter({ hasText: "“many”" });
    await expect
      .poll(() => reason.evaluate((cell) => getComputedStyle(cell).whiteSpace))
      .toBe("normal");
    const download = mara.waitForEvent("download");
    await region("Imported file").getByRole("button", { name: "Download rejected rows" }).click();
    const stream = await (await download).createReadStream();
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const rejects = Buffer.concat(chunks).toString();
    expect(rejects).toMatch(/4,.*reassignments.*F3,Bad,05\/06\/2026 11:00,many,y/);
    await click(/^(?:Apply|Add) 2 /);
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
    await expect.poll(() => mara.getByLabel("If a record exists").inputValue()).toBe("number");
  });

  it("creates a table from a file with proposed types, and imports the file once it is published", async () => {
    const rows = Array.from({ length: 30 }, (_, n) => {
      const day = String(n + 1).padStart(2, "0");
      const price = n === 7 ? "N/A" : `"1.0${day},5${n % 2}"`;
      return `A-${n},Asset ${n},${price},${day}.03.2026,${n % 3 ? "Office" : "Lab"},0${n},${n % 2 ? "Network" : "Workplace"}`;
    });
    const buffer = Buffer.from(
      `Asset number,Name,Price,Bought,Place,Code,Team\n${rows.join("\n")}\n`,
    );
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
    // All its values are names of groups.
    await expect.poll(() => typeOf("Team").inputValue()).toBe("link:groups");
    await dialog.getByRole("button", { name: "Read “N/A” as empty (1 cell)" }).click();
    expect(await accessibilityProblems(mara)).toEqual([]);
    await dialog.getByRole("button", { name: "Add table" }).click();
    await dialog.waitFor({ state: "detached" });
    await publishModel(mara);
    await mara.getByRole("heading", { level: 1, name: "Import into Assets" }).waitFor();
    await expect
      .poll(() => mara.getByLabel("If a record exists").inputValue())
      .toBe("asset_number");
    await expect
      .poll(() => mara.getByLabel("Dates", { exact: true }).inputValue())
      .toBe("DD.MM.YYYY");
    // What was chosen beside the types holds for the import, too.
    await expect.poll(() => mara.getByLabel("Also treat as empty").inputValue()).toBe("N/A");
    const id = await preview();
    await click(/^(?:Apply|Add) 30 /);
    await hasState(id, "applied");
    const path = "/tables/assets/records?limit=1&sort=name";
    const { records, total } = await apiRequest<{ records: { values: object }[]; total: number }>(
      mara,
      product,
      "GET",
      path,
    );
    expect(total).toBe(30);
    const model = await apiRequest<Model>(mara, product, "GET", "/model");
    const team = findTable(model, "assets")?.fields.find(({ name }) => name === "team");
    expect(team).toMatchObject({ type: "link", target: "groups" });
    const values = { asset_number: "A-0", price: "1001.50", bought: "2026-03-01", place: "Lab" };
    expect(records[0]?.values).toMatchObject({ ...values, code: "00", team: "Workplace" });
  });
});
