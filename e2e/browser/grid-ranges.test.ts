import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Field, Model } from "../../shared/model/model.ts";
import { apiRequest } from "./testing/api-request.ts";
import { leaveBrowser, openBrowser, type Visitor } from "./testing/browser.ts";
import { type ExcelCell, excelHtml, excelText } from "./testing/excel-clipboard.ts";
import { cell, changeRecord, openTable, paste, recordsShown, waitForText } from "./testing/grid.ts";
import { type Product, startProduct } from "./testing/product.ts";
import { twoUsers } from "./testing/two-users.ts";

const fields: Field[] = [
  { name: "place", label: "Place", type: "text" },
  { name: "name", label: "Name", type: "text" },
  { name: "pieces", label: "Pieces", type: "integer" },
  { name: "cost", label: "Cost", type: "money", scale: 2, currency: "EUR" },
  { name: "share", label: "Share", type: "percent", scale: 1 },
  { name: "day", label: "Day", type: "date" },
  { name: "sent_at", label: "Sent", type: "timestamp" },
  { name: "size", label: "Size", type: "select", options: [{ value: "S" }, { value: "L" }] },
  { name: "urgent", label: "Urgent", type: "boolean" },
  { name: "owner", label: "Owner", type: "person" },
  { name: "note", label: "Note", type: "longText" },
];

const table = { name: "parcels", label: "Parcels", recordLabel: "parcel", display: "name" };

type Stored = Record<string, unknown>;

/** What one step may write, and more than that. */
const STEP_MAX_RECORDS = 600;
const LONG_ROWS = 650;

let browser: Browser;
let product: Product;
let users: { mara: Visitor; ana: Visitor };
let mara: Page;
let ana: Page;
let round = 0;
let ids: string[] = [];

beforeAll(async () => {
  const environment = { WATCHFLOOR_MUTATION_MAX_OPS: String(STEP_MAX_RECORDS) };
  [browser, product] = await Promise.all([openBrowser(), startProduct({ environment })]);
  users = await twoUsers(browser, product);
  mara = users.mara.page;
  ana = users.ana.page;
  const model = await apiRequest<Model>(mara, product, "GET", "/model");
  const columns = fields.map(({ name }) => name);
  const parcels = { ...table, fields, columns, sort: ["place"] };
  await apiRequest(mara, product, "PUT", "/model", {
    ...model,
    tables: [...model.tables, parcels],
  });
  await mara.context().grantPermissions(["clipboard-read", "clipboard-write"]);
});

afterAll(async () => {
  await leaveBrowser(browser);
  await product.close();
});

/** Creates parcels of this test alone and opens a view of them, sorted by place. */
async function openParcels(count: number, values: (index: number) => Stored = () => ({})) {
  round += 1;
  const pad = (index: number) => String(index).padStart(4, "0");
  ids = Array.from({ length: count }, (_, index) => `p${round}-${pad(index)}`);
  const ops = ids.map((record, index) => ({
    op: "create",
    table: "parcels",
    record,
    values: { name: `Parcel ${index}`, place: `${round}-${pad(index)}`, ...values(index) },
  }));
  for (let from = 0; from < count; from += STEP_MAX_RECORDS) {
    const id = `parcels-${round}-${from}`;
    const part = ops.slice(from, from + STEP_MAX_RECORDS);
    await apiRequest(mara, product, "POST", "/mutations", { id, ops: part });
  }
  const filter = JSON.stringify({ field: "place", op: "startsWith", value: `${round}-` });
  await openTable(mara, product, `parcels?sort=place&filter=${encodeURIComponent(filter)}`);
}

const at = (index: number, field: string) => cell(mara, ids[index] ?? "", field);

const press = async (...keys: string[]) => {
  for (const key of keys) await mara.keyboard.press(key);
};

const range = () => mara.getByTestId("range");

async function storedValues(): Promise<Map<string, Stored>> {
  const filter = encodeURIComponent(
    JSON.stringify({ field: "place", op: "startsWith", value: `${round}-` }),
  );
  const path = `/tables/parcels/records?limit=1000&sort=place&filter=${filter}`;
  const { records } = await apiRequest<{ records: { id: string; values: Stored }[] }>(
    mara,
    product,
    "GET",
    path,
  );
  return new Map(records.map(({ id, values }) => [id, values]));
}

const namesStored = async () =>
  [...(await storedValues()).values()].map(({ name }) => name as string | null);

describe("a range", () => {
  beforeEach(() => openParcels(8));

  it("is the records that were selected, however the rows have moved when Delete is pressed", async () => {
    await at(0, "place").click();
    await mara.keyboard.type(`${round}-9999`);
    await press("Enter");
    await at(2, "name").click();
    await press("Shift+ArrowDown", "Shift+ArrowDown");
    await range().getByText("3 cells").waitFor();
    await changeRecord(ana, product, "parcels", ids[3] ?? "", { place: `${round}-0000` });
    // The edited row was left a while ago: rows are put where they belong.
    await expect
      .poll(() => recordsShown(mara), { timeout: 20_000 })
      .toEqual([3, 1, 2, 4, 5, 6, 7, 0].map((index) => ids[index]));
    expect(await mara.locator(".ag-cell[data-range]").count()).toBe(3);
    await press("Delete");
    await mara.getByText("3 cells cleared.").first().waitFor();
    const values = await storedValues();
    const cleared = [...values].filter(([, { name }]) => name === null).map(([id]) => id);
    expect(cleared.sort()).toEqual([ids[2], ids[3], ids[4]]);
  });

  it("loses a record that leaves the view, and says so", async () => {
    await at(0, "place").click();
    await mara.keyboard.type(`${round}-9999`);
    await press("Enter");
    await at(2, "name").click();
    await press("Shift+ArrowDown", "Shift+ArrowDown");
    await range().getByText("3 cells").waitFor();
    await changeRecord(ana, product, "parcels", ids[3] ?? "", { place: "elsewhere" });
    await mara.getByText("1 row left the view").waitFor({ timeout: 20_000 });
    await range().getByText("2 cells").waitFor();
    await press("Delete");
    await mara.getByText("2 cells cleared.").first().waitFor();
    const record = `/tables/parcels/records/${ids[3]}`;
    const { values } = await apiRequest<{ values: Stored }>(ana, product, "GET", record);
    expect(values.name).toBe("Parcel 3");
  });

  it("is cut to the clipboard and pasted elsewhere, and only then is it empty", async () => {
    await at(0, "name").click();
    await press("Shift+ArrowDown", "ControlOrMeta+x");
    await mara.getByText("2 cells cleared.").first().waitFor();
    const copied = await mara.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe("Parcel 0\nParcel 1");
    await at(4, "name").click();
    await press("ControlOrMeta+v");
    await waitForText(at(5, "name"), "Parcel 1");
    await mara.getByText("2 cells pasted.").first().waitFor();
    expect(await namesStored()).toEqual([
      ...[null, null, "Parcel 2", "Parcel 3"],
      ...["Parcel 0", "Parcel 1", "Parcel 6", "Parcel 7"],
    ]);
  });
});

/** A row of ten cells as German Excel shows it, and the values that it has here. */
function excelRow(index: number): { cells: ExcelCell[]; values: Stored } {
  const cents = String(index % 100).padStart(2, "0");
  const cells: ExcelCell[] = [
    { text: `Pasted ${index}` },
    { text: String(index), number: String(index) },
    {
      text: `1.${String(index % 900).padStart(3, "0")},${cents} €`,
      number: `1${String(index % 900).padStart(3, "0")}.${cents}`,
      style: "xl67",
    },
    { text: "12,5%", number: "0.125", style: "xl68" },
    { text: "03.04.2026", number: "46115", style: "xl65" },
    { text: "22.11.2026 14:05", number: "46348.586805555554", style: "xl66" },
    { text: index % 2 === 0 ? "s" : "L" },
    { text: "yes" },
    { text: "ANA LOPES" },
    { text: `First "line" & more\nsecond line ${index}` },
  ];
  const values = {
    name: `Pasted ${index}`,
    pieces: index,
    cost: `1${String(index % 900).padStart(3, "0")}.${cents}`,
    share: "12.5",
    day: "2026-04-03",
    size: index % 2 === 0 ? "S" : "L",
    urgent: true,
    note: `First "line" & more\nsecond line ${index}`,
  };
  return { cells, values };
}

describe("500 rows of ten cells from Excel", () => {
  const ROWS = 500;
  const rows = Array.from({ length: ROWS }, (_, index) => excelRow(index));
  // Nobody can say what these are.
  const unreadable: [number, number, string][] = [
    [11, 2, "n/a"],
    [12, 6, "XL"],
  ];
  for (const [row, column, text] of unreadable) {
    const cells = rows[row]?.cells ?? [];
    cells[column] = { text };
  }
  const others: [number, string, unknown][] = [
    [3, "name", "Ana's name"],
    [4, "cost", "77.00"],
    [5, "note", "Ana's note"],
  ];

  it("are pasted while a colleague edits the same rows: conflicts by cell, the rest in, one undo", async () => {
    // Names can only be looked up online: the list of users is read for the first row.
    const { items } = await apiRequest<{ items: { id: string; name: string }[] }>(
      mara,
      product,
      "GET",
      "/users",
    );
    const anaId = items.find(({ name }) => name === "Ana Lopes")?.id ?? "";
    await openParcels(ROWS, (index) => (index === 0 ? { owner: anaId } : {}));
    await at(0, "owner").locator(".wf-avatar").waitFor();
    const before = await storedValues();
    await at(0, "name").click();
    await press("ControlOrMeta+Space");
    await range().getByText(`${ROWS} cells`).waitFor();
    await mara.getByText("not loaded yet").waitFor({ state: "detached" });
    await mara.context().setOffline(true);
    for (const [row, field, value] of others) {
      await changeRecord(ana, product, "parcels", ids[row] ?? "", { [field]: value });
    }
    await at(0, "name").click();
    const cells = rows.map((row) => row.cells);
    await paste(mara, excelText(cells), excelHtml(cells));
    await waitForText(at(1, "name"), "Pasted 1");
    await mara.getByText("2 cells were skipped.").first().waitFor();
    await mara.context().setOffline(false);
    await mara.getByText("3 of 500 records were not saved completely.").first().waitFor();
    const expectedValues = rows.map(({ values }, index) => {
      const expected: Stored = { ...values };
      if (index === 11) expected.cost = null;
      if (index === 12) expected.size = null;
      for (const [row, field, value] of others) if (row === index) expected[field] = value;
      return expected;
    });
    await expect
      .poll(async () => [...(await storedValues()).values()])
      .toMatchObject(expectedValues);
    const after = await storedValues();
    const instants = new Set([...after.values()].map(({ sent_at }) => sent_at));
    expect([...instants].map((each) => new Date(String(each)).toISOString())).toEqual([
      await mara.evaluate(() => new Date(2026, 10, 22, 14, 5).toISOString()),
    ]);
    expect(new Set([...after.values()].map(({ owner }) => owner))).toEqual(new Set([anaId]));
    await at(3, "name").and(mara.locator('[data-state="conflict"]')).waitFor();
    await at(6, "name").click();
    await press("ControlOrMeta+z");
    await waitForText(at(6, "name"), "Parcel 6");
    await expect
      .poll(async () => [...(await storedValues())].filter(isChanged).map(([id]) => id))
      .toEqual([ids[3], ids[4], ids[5]]);
    for (const [row, field, value] of others) {
      const stored = (await storedValues()).get(ids[row] ?? "");
      expect(stored).toEqual({ ...before.get(ids[row] ?? ""), [field]: value });
    }
    await ana.goto(`${product.url}/t/parcels/${ids[6]}#history`);
    const entries = ana.getByRole("listitem").filter({ hasText: "Mara" });
    await entries.filter({ hasText: "Undo" }).first().waitFor();
    await entries.filter({ hasText: "Paste" }).first().waitFor();
    function isChanged([id, values]: [string, Stored]) {
      return JSON.stringify(values) !== JSON.stringify(before.get(id));
    }
  });
});

describe("the keyboard, as in a spreadsheet", () => {
  beforeEach(() =>
    openParcels(8, (index) => ({ pieces: index === 5 ? null : index, cost: "1.10" })),
  );

  /** The row and the field that have the focus. */
  const focused = () =>
    mara.evaluate((records) => {
      const element = document.activeElement?.closest("[col-id]");
      const row = element?.closest("[row-id]")?.getAttribute("row-id") ?? "";
      return `${records.indexOf(row)} ${element?.getAttribute("col-id")}`;
    }, ids);
  const expectFocus = (cellName: string) => expect.poll(focused).toBe(cellName);
  const expectCells = (count: number) =>
    range().getByText(`${count} cells`, { exact: true }).waitFor();

  it("goes to the edges of the data and of the table", async () => {
    await at(0, "pieces").click();
    await press("ControlOrMeta+ArrowDown");
    await expectFocus("4 pieces");
    await press("ControlOrMeta+ArrowDown");
    await expectFocus("6 pieces");
    await press("ControlOrMeta+ArrowLeft");
    await expectFocus("6 place");
    await press("End");
    await expectFocus("6 note");
    await press("ControlOrMeta+Home");
    await expectFocus("0 place");
    await press("PageDown");
    await expectFocus("7 place");
    await press("PageUp");
    await expectFocus("0 place");
    await press("Tab", "Tab");
    await expectFocus("0 pieces");
    await press("Shift+Tab");
    await expectFocus("0 name");
  });

  it("extends the range with Shift, selects rows, columns and everything, and ends with Escape", async () => {
    await at(1, "pieces").click();
    await press("Shift+ControlOrMeta+ArrowDown");
    await expectCells(4);
    await press("Shift+End");
    await expectCells(4 * 9);
    await press("Escape");
    await range().waitFor({ state: "detached" });
    await press("Shift+Space");
    await expectCells(11);
    await press("Shift+ArrowDown");
    await expectCells(22);
    await press("Home");
    await at(1, "cost").click();
    await press("ControlOrMeta+Space");
    await expectCells(8);
    await mara.getByText("Sum €8.80").waitFor();
    await changeRecord(ana, product, "parcels", ids[2] ?? "", { cost: "90071992547409.90" });
    await mara.getByText("Sum €90,071,992,547,417.60").waitFor();
    await press("ControlOrMeta+a");
    await expectCells(88);
    await press("Escape");
    await range().waitFor({ state: "detached" });
  });

  it("shows all numbers of the selection on a narrow screen", async () => {
    await mara.setViewportSize({ width: 601, height: 844 });
    await at(1, "pieces").click();
    await press("ControlOrMeta+Space");
    const status = mara.locator("footer").filter({ has: range() });
    for (const text of ["Sum 23", "Min 0", "Max 7", "Count 7"]) {
      const box = await status.getByText(text, { exact: true }).boundingBox();
      const line = await status.boundingBox();
      if (!box || !line) throw new Error(`${text} is not shown.`);
      expect(box.x + box.width, text).toBeLessThanOrEqual(line.x + line.width);
      expect(box.y + box.height, text).toBeLessThanOrEqual(line.y + line.height);
    }
    await mara.setViewportSize({ width: 1440, height: 900 });
  });

  it("edits: type, Enter and Shift+Enter, F2, Escape, Ctrl+Enter for all selected cells", async () => {
    await at(1, "name").click();
    await mara.keyboard.type("Typed");
    await press("Enter");
    await expectFocus("2 name");
    for (const open of [() => press("F2"), () => press("Enter"), () => at(2, "name").dblclick()]) {
      await open();
      await mara.keyboard.type(" more");
      await press("Shift+Enter");
      await expectFocus("1 name");
      await press("ArrowDown");
    }
    await press("ArrowUp");
    await press("F2");
    await mara.keyboard.type(" dropped");
    await press("Escape");
    await at(4, "name").click();
    await press("Shift+ArrowDown", "Shift+ArrowDown");
    await mara.keyboard.type("All of them");
    await press("ControlOrMeta+Enter");
    await mara.getByText("3 cells filled.").first().waitFor();
    await expect
      .poll(namesStored)
      .toEqual([
        ...["Parcel 0", "Typed", "Parcel 2 more more more", "Parcel 3"],
        ...["All of them", "All of them", "All of them", "Parcel 7"],
      ]);
  });

  it("fills down and to the right, and clears several ranges at once", async () => {
    await at(0, "name").click();
    await press("Shift+ArrowDown", "ControlOrMeta+d");
    await waitForText(at(1, "name"), "Parcel 0");
    await at(3, "name").click();
    await press("Shift+ArrowRight", "ControlOrMeta+r");
    await mara.getByText("Enter a whole number.").first().waitFor();
    await at(2, "pieces").click();
    await press("Shift+ArrowRight", "ControlOrMeta+r");
    await waitForText(at(2, "cost"), "€2.00");
    await at(5, "name").click();
    await at(7, "cost").click({ modifiers: ["ControlOrMeta"] });
    await expectCells(2);
    await press("Delete");
    await mara.getByText("2 cells cleared.").first().waitFor();
    const values = await storedValues();
    expect(values.get(ids[5] ?? "")).toMatchObject({ name: null, cost: "1.10" });
    expect(values.get(ids[7] ?? "")).toMatchObject({ name: "Parcel 7", cost: null });
  });

  it("fills down by the corner of the range, repeating its rows", async () => {
    await at(0, "name").click();
    await press("Shift+ArrowDown");
    const corner = await mara.locator(".ag-cell[data-corner]").boundingBox();
    const last = await at(4, "name").boundingBox();
    if (!corner || !last) throw new Error("The corner is not shown.");
    await mara.mouse.move(corner.x + corner.width - 3, corner.y + corner.height - 3);
    await mara.mouse.down();
    await mara.mouse.move(last.x + 10, last.y + 10, { steps: 4 });
    await mara.mouse.up();
    await mara.getByText("3 cells filled.").first().waitFor();
    await expect
      .poll(namesStored)
      .toEqual([
        ...["Parcel 0", "Parcel 1", "Parcel 0", "Parcel 1", "Parcel 0"],
        ...["Parcel 5", "Parcel 6", "Parcel 7"],
      ]);
  });

  it("acts on the cell with the focus, however soon a key follows another", async () => {
    await at(0, "name").click();
    await expectFocus("0 name");
    await mara.evaluate(() => {
      for (const key of ["ArrowDown", "ArrowDown", "Delete"]) {
        const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
        document.activeElement?.dispatchEvent(event);
      }
    });
    const expected = ["Parcel 0", "Parcel 1", null, "Parcel 3"];
    await expect.poll(async () => (await namesStored()).slice(0, 4)).toEqual(expected);
  });

  it("fills to the right by the corner of the range", async () => {
    await at(0, "pieces").click();
    await press("Shift+ArrowDown");
    const corner = await mara.locator(".ag-cell[data-corner]").boundingBox();
    const last = await at(1, "share").boundingBox();
    if (!corner || !last) throw new Error("The corner is not shown.");
    await mara.mouse.move(corner.x + corner.width - 3, corner.y + corner.height - 3);
    await mara.mouse.down();
    await mara.mouse.move(last.x + 10, last.y + 10, { steps: 4 });
    await mara.mouse.up();
    await mara.getByText("4 cells filled.").first().waitFor();
    const first = (await storedValues()).get(ids[1] ?? "");
    expect(first).toMatchObject({ pieces: 1, cost: "1.00", share: "1.0" });
  });

  it("types with an input method into the cell, and replaces its value", async () => {
    await at(2, "name").click();
    const client = await mara.context().newCDPSession(mara);
    const key = { key: "Process", code: "KeyN", windowsVirtualKeyCode: 229 };
    await client.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...key });
    const composed = { text: "に", selectionStart: 1, selectionEnd: 1 };
    await client.send("Input.imeSetComposition", composed);
    await client.send("Input.insertText", { text: "日本" });
    await press("Enter");
    await waitForText(at(2, "name"), "日本");
    await expect.poll(namesStored).toContain("日本");
  });
});

describe("more than one step may write", () => {
  it("is a draft with a preview: rows beyond the last one become records", async () => {
    await openParcels(3);
    await at(2, "place").click();
    await paste(mara, `${round}-a\tOne\n${round}-b\tTwo\n${round}-c\tThree`);
    await mara.getByRole("heading", { level: 1, name: "Edit 3 parcels" }).waitFor();
    expect(await namesStored()).toEqual(["Parcel 0", "Parcel 1", "Parcel 2"]);
    await mara.getByRole("button", { name: "Apply 3 changes" }).click();
    await expect.poll(namesStored).toEqual(["Parcel 0", "Parcel 1", "One", "Two", "Three"]);
  });

  it("is a draft of all records when a range is filled that is longer", async () => {
    await openParcels(LONG_ROWS);
    await at(0, "name").click();
    await press("ControlOrMeta+Space", "ControlOrMeta+d");
    const heading = `Edit ${LONG_ROWS - 1} parcels`;
    await mara.getByRole("heading", { level: 1, name: heading }).waitFor();
    await mara.getByText(`1–50 of ${LONG_ROWS - 1}`).waitFor();
    expect(new Set(await namesStored()).size).toBe(LONG_ROWS);
  });
});

it("complained of nothing", () => {
  expect([...users.mara.consoleErrors, ...users.ana.consoleErrors]).toEqual([]);
});
