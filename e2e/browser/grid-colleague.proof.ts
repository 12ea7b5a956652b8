// Covers: client/src/features/grid client/src/sync
import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import { Client } from "pg";
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { apiRequest } from "./testing/api-request.ts";
import { cell, changeRecord, goToTable, recordsShown, waitForText } from "./testing/grid.ts";
import { importScreen } from "./testing/import-screen.ts";
import { ParcelScreen } from "./testing/parcel-screen.ts";
import { openExport, pressInMenu } from "./testing/view-menu.ts";

/** More than an export reads at once. */
const MANY = 1_200;
const COLUMNS = 11;

const screen = await ParcelScreen.open();
const { at, press, range } = screen;
const { product } = screen;

const inView = () => ({ field: "place", op: "startsWith", value: `${screen.round}-` });
const idOf = (index: number) => screen.ids.at(index) ?? "";
const handle = (index: number) =>
  screen.mara.locator(`.ag-row[row-id="${idOf(index)}"] .wf-gutter-cell`).first();
/** The left of a handle: the button that opens the record is at its right. */
const corner = { position: { x: 6, y: 10 } };

/** The colleague writes values, whatever they were. */
const byAna = (index: number, set: Record<string, unknown>) =>
  changeRecord(screen.ana, product, "parcels", idOf(index), set);

async function exported(as: string): Promise<string> {
  const { mara } = screen;
  await openExport(mara);
  const started = mara.waitForEvent("download");
  await mara.getByRole("menuitem", { name: as, exact: true }).click();
  return readFile(await (await started).path(), "utf8");
}

/** What is stored of the parcels of this test, by SQL. */
async function storedRows(): Promise<Record<string, string | null>[]> {
  const client = new Client({ connectionString: product.databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    "select id, name, pieces::text, cost::text, note from parcels where starts_with(place, $1) order by place",
    [`${screen.round}-`],
  );
  await client.end();
  return rows;
}

describe("an export while a colleague edits", () => {
  it("is of one moment, and agrees with the database once the edits have ended", async () => {
    await screen.openParcels(MANY, () => ({ pieces: 0 }));
    let isEditing = true;
    const editing = (async () => {
      for (let pieces = 1; isEditing; pieces += 1) {
        const ops = [idOf(0), idOf(-1)].map((record) => {
          const change = { set: { pieces }, base: { pieces: pieces - 1 } };
          return { op: "update", table: "parcels", record, ...change };
        });
        await apiRequest(screen.ana, product, "POST", "/mutations", { id: `end-${pieces}`, ops });
      }
    })();
    const piecesIn = async () => {
      const lines = (await exported("JSON Lines")).trimEnd().split("\n");
      expect(lines).toHaveLength(MANY);
      const [first, last] = [lines[0], lines.at(-1)].map((line) => JSON.parse(line ?? "").values);
      expect(last.pieces).toBe(first.pieces);
      return first.pieces;
    };
    const seen = [await piecesIn(), await piecesIn(), await piecesIn()];
    isEditing = false;
    await editing;
    expect(new Set(seen).size).toBe(seen.length);
    const file = await exported("CSV with IDs (for re-import)");
    const rows = parse(file, { columns: true, bom: true }) as Record<string, string>[];
    const cells = rows.map(({ id, name, pieces, cost, note }) => ({
      id,
      name,
      pieces,
      cost,
      note,
    }));
    const stored = (await storedRows()).map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? ""])),
    );
    expect(cells).toEqual(stored);
  });

  it("has no formula, and as an import changes only what the colleague changed since", async () => {
    const texts = ["=1+1", "+1", "-1", "@home", "'=quoted", "two, lines"];
    await screen.openParcels(texts.length, (index) => ({ name: texts[index], cost: "-1.50" }));
    const file = await exported("CSV with IDs (for re-import)");
    const rows = parse(file, { columns: true, bom: true }) as Record<string, string>[];
    expect(rows.map(({ name }) => name)).toEqual([
      ...["'=1+1", "'+1", "'-1", "'@home", "''=quoted", "two, lines"],
    ]);
    expect(rows.map(({ cost }) => cost)).toEqual(texts.map(() => "-1.50"));
    const { chooseFile, preview, region } = importScreen(() => screen.mara, product);
    const read = async (result: string) => {
      await chooseFile("parcels", "parcels.csv", file);
      await screen.mara.getByLabel("If a record exists").selectOption("id");
      await preview();
      await region("Imported file").getByText(`6 rows read: ${result}`, { exact: true }).waitFor();
    };
    await read("6 unchanged");
    await byAna(3, { name: "Ana's name" });
    await read("1 changed · 5 unchanged");
    const change = region("Changes").locator("tbody");
    await change.filter({ hasText: "Ana's name" }).waitFor();
    await expect.poll(() => change.count()).toBe(1);
  });
});

describe("whole rows and columns while a colleague's edits move rows", () => {
  const menu = (field: string) => screen.mara.getByRole("menu", { name: `Cell ${field}` });
  const focused = () =>
    screen.mara.evaluate(() => {
      const element = document.activeElement?.closest("[col-id]");
      const row = element?.closest("[row-id]")?.getAttribute("row-id");
      return `${row} ${element?.getAttribute("col-id")}`;
    });
  it("duplicates from the menu exactly the rows that were selected, which stay selected when it closes", async () => {
    await screen.openParcels(8, (index) => ({ pieces: index }));
    await handle(2).click(corner);
    await handle(4).click({ ...corner, modifiers: ["Shift"] });
    await byAna(3, { place: `${screen.round}-0` });
    await screen.mara.locator(`.ag-row[row-id="${idOf(3)}"]`, { hasText: "moved" }).waitFor();
    await screen.mara.getByRole("button", { name: "Update list" }).click();
    await expect.poll(() => recordsShown(screen.mara)).toEqual([3, 0, 1, 2, 4, 5, 6, 7].map(idOf));
    await at(3, "pieces").click({ button: "right" });
    await menu("Pieces").getByRole("menuitem", { name: "Duplicate 3 records" }).waitFor();
    await press("Escape");
    await menu("Pieces").waitFor({ state: "detached" });
    await expect.poll(focused).toBe(`${idOf(3)} pieces`);
    await range()
      .getByText(`${3 * COLUMNS} cells`, { exact: true })
      .waitFor();
    await at(3, "pieces").click({ button: "right" });
    await byAna(2, { pieces: 20 });
    await waitForText(at(2, "pieces"), "20");
    await pressInMenu(
      menu("Pieces").getByRole("menuitem", { name: "Duplicate 3 records" }),
      "Enter",
    );
    await screen.mara.getByText("3 parcels duplicated.").first().waitFor();
    const copied = (await storedRows())
      .filter(({ id }) => !screen.ids.includes(id ?? ""))
      .map(({ name, pieces }) => `${name}: ${pieces}`);
    expect(copied.sort()).toEqual(["Parcel 2: 20", "Parcel 3: 3", "Parcel 4: 4"]);
  });

  it("clears from the menu a whole column, and nothing of a row that came later", async () => {
    await screen.openParcels(8, (index) => ({ pieces: index }));
    await screen.mara.locator('.ag-header-cell[col-id="pieces"] .wf-header-label').click();
    await range().getByText("8 cells", { exact: true }).waitFor();
    await byAna(6, { place: "elsewhere" });
    const values = { name: "Later", pieces: 99, place: `${screen.round}-0005a` };
    const call = { record: `later-${screen.round}`, values };
    await apiRequest(screen.ana, product, "POST", "/tables/parcels/records", call);
    await screen.mara.getByRole("button", { name: "1 new" }).waitFor();
    await screen.mara.getByRole("button", { name: "Update list" }).click();
    await screen.mara.locator(`.ag-row[row-id="later-${screen.round}"]`).waitFor();
    await range().getByText("7 cells", { exact: true }).waitFor();
    await at(5, "pieces").click({ button: "right" });
    await menu("Pieces").getByRole("menuitem", { name: "Clear" }).click();
    await screen.mara.getByText("7 cells cleared.").first().waitFor();
    const pieces = (await storedRows()).filter((row) => row.pieces !== null);
    expect(pieces.map(({ name }) => name)).toEqual(["Later"]);
    const gone = await apiRequest<{ values: Record<string, unknown> }>(
      screen.ana,
      product,
      "GET",
      `/tables/parcels/records/${idOf(6)}`,
    );
    expect(gone.values.pieces).toBe(6);
  });
});

describe("what a colleague edits", () => {
  it("colours, counts and sums the rows at once, in groups and below them", async () => {
    const { ana, mara } = screen;
    await screen.openParcels(4, (index) => ({ pieces: index, size: index < 2 ? "S" : "L" }));
    const columns = ["name", "pieces", "size"].map((field) => ({
      field,
      ...(field === "pieces" && { summary: "sum" }),
    }));
    const rules = [
      { filter: { field: "pieces", op: "gt", value: 20 }, colour: "red", field: null },
    ];
    const view = { table: "parcels", name: "Live", shared: true, filter: inView(), columns };
    const { id } = await apiRequest<{ id: string }>(mara, product, "POST", "/views", {
      ...view,
      appearance: { rules },
    });
    const heading = (size: string) =>
      mara.locator(".wf-heading", {
        has: mara.locator(".wf-heading-label", { hasText: new RegExp(`^${size}$`) }),
      });
    const total = (value: number) =>
      mara.getByRole("button", { name: `Pieces: Sum ${value}`, exact: true }).waitFor();
    for (const page of [mara, ana]) await goToTable(page, product, `parcels?view=${id}&by=size`);
    await heading("S").getByText("Pieces: Sum 1", { exact: true }).waitFor();
    await total(6);
    await cell(ana, idOf(1), "pieces").click();
    await ana.keyboard.type("21");
    await ana.keyboard.press("Enter");
    const isRed = (page: Page) =>
      cell(page, idOf(1), "name").and(page.locator('[data-rule="red"]')).waitFor();
    await Promise.all([isRed(mara), isRed(ana)]);
    await heading("S").getByText("Pieces: Sum 21", { exact: true }).waitFor();
    await total(26);
    await byAna(1, { size: "L" });
    await heading("L").getByText("Pieces: Sum 26", { exact: true }).waitFor();
    await heading("L").locator(".wf-heading-count").getByText("3", { exact: true }).waitFor();
    await heading("S").locator(".wf-heading-count").getByText("1", { exact: true }).waitFor();
    await total(26);
  });
});

describe("a range that is filled by its corner", () => {
  it("reports the cell that a colleague has saved meanwhile as a conflict, and fills the others", async () => {
    const { mara } = screen;
    let held: (() => void)[] | null = null;
    await mara.routeWebSocket(/socket/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => {
        if (held) held.push(() => socket.send(message));
        else socket.send(message);
      });
    });
    await mara.goto(product.url);
    await screen.openParcels(6);
    const fillable = at(0, "name").and(mara.locator("[data-corner]"));
    await at(0, "name").click();
    const from = await fillable.boundingBox();
    const to = await at(4, "name").boundingBox();
    if (!from || !to) throw new Error("The corner is not shown.");
    await mara.mouse.move(from.x + from.width - 3, from.y + from.height - 3);
    await mara.mouse.down();
    held = [];
    await byAna(2, { name: "Ana's name" });
    await mara.mouse.move(to.x + 10, to.y + 10, { steps: 4 });
    await mara.mouse.up();
    await at(4, "name").and(mara.locator('[data-state="pending"]')).waitFor();
    for (const send of held.splice(0)) send();
    held = null;
    await at(2, "name").and(mara.locator('[data-state="conflict"]')).waitFor();
    await mara.getByText("3 cells filled. 1 of 4 records were not saved").first().waitFor();
    const names = () => screen.namesStored();
    const filled = Array.from({ length: 2 }, () => "Parcel 0");
    await expect.poll(names).toEqual([...filled, "Ana's name", ...filled, "Parcel 5"]);
    await at(5, "name").click();
    await press("ControlOrMeta+z");
    await waitForText(at(4, "name"), "Parcel 4");
    const before = ["Parcel 0", "Parcel 1", "Ana's name", "Parcel 3", "Parcel 4", "Parcel 5"];
    await expect.poll(names).toEqual(before);
  });
});
