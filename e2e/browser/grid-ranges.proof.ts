// Covers: client/src/features/grid client/src/sync
import { beforeEach, describe, expect, it } from "vitest";
import { apiRequest } from "./testing/api-request.ts";
import { type ExcelCell, excelHtml, excelText } from "./testing/excel-clipboard.ts";
import { changeRecord, paste, recordsShown, waitForText } from "./testing/grid.ts";
import { holdTimers } from "./testing/hold-timers.ts";
import { ParcelScreen, type Stored } from "./testing/parcel-screen.ts";

/** More than one step may write. */
const LONG_ROWS = 650;
/** Rows are put where they belong after a longer pause than this. */
const REALIGN_FROM_MS = 2_000;

const screen = await ParcelScreen.open();
const { at, press, range, storedValues, namesStored } = screen;
const rowOf = (index: number) => screen.mara.locator(`.ag-row[row-id="${screen.ids[index]}"]`);

describe("a range", () => {
  beforeEach(() => screen.openParcels(8));

  it("is the records that were selected, however the rows have moved when Delete is pressed", async () => {
    const realign = await holdTimers(screen.mara, REALIGN_FROM_MS);
    await at(0, "place").click();
    await screen.mara.keyboard.type(`${screen.round}-9999`);
    await press("Enter");
    await at(2, "name").click();
    await press("Shift+ArrowDown", "Shift+ArrowDown");
    await range().getByText("3 cells").waitFor();
    await changeRecord(screen.ana, screen.product, "parcels", screen.ids[3] ?? "", {
      place: `${screen.round}-0000`,
    });
    await rowOf(3).filter({ hasText: "moved" }).waitFor();
    // The edited row was left a while ago: rows are put where they belong.
    await realign();
    await expect
      .poll(() => recordsShown(screen.mara))
      .toEqual([3, 1, 2, 4, 5, 6, 7, 0].map((index) => screen.ids[index]));
    await expect.poll(() => screen.mara.locator(".ag-cell[data-range]").count()).toBe(3);
    await press("Delete");
    await screen.mara.getByText("3 cells cleared.").first().waitFor();
    const values = await storedValues();
    const cleared = [...values].filter(([, { name }]) => name === null).map(([id]) => id);
    expect(cleared.sort()).toEqual([screen.ids[2], screen.ids[3], screen.ids[4]]);
  });

  it("loses a record that leaves the view, and says so", async () => {
    const realign = await holdTimers(screen.mara, REALIGN_FROM_MS);
    await at(0, "place").click();
    await screen.mara.keyboard.type(`${screen.round}-9999`);
    await press("Enter");
    await at(2, "name").click();
    await press("Shift+ArrowDown", "Shift+ArrowDown");
    await range().getByText("3 cells").waitFor();
    await changeRecord(screen.ana, screen.product, "parcels", screen.ids[3] ?? "", {
      place: "elsewhere",
    });
    await rowOf(3).filter({ hasText: "left this view" }).waitFor();
    await realign();
    await screen.mara.getByText("1 row left the view").waitFor();
    await range().getByText("2 cells").waitFor();
    await press("Delete");
    await screen.mara.getByText("2 cells cleared.").first().waitFor();
    const record = `/tables/parcels/records/${screen.ids[3]}`;
    const { values } = await apiRequest<{ values: Stored }>(
      screen.ana,
      screen.product,
      "GET",
      record,
    );
    expect(values.name).toBe("Parcel 3");
  });

  it("is cut to the clipboard and pasted elsewhere, and only then is it empty", async () => {
    await at(0, "name").click();
    await press("Shift+ArrowDown", "ControlOrMeta+x");
    await screen.mara.getByText("2 cells cleared.").first().waitFor();
    const copied = await screen.mara.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe("Parcel 0\nParcel 1");
    await at(4, "name").click();
    await press("ControlOrMeta+v");
    await waitForText(at(5, "name"), "Parcel 1");
    await screen.mara.getByText("2 cells pasted.").first().waitFor();
    await expect
      .poll(() => namesStored())
      .toEqual([
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
      screen.mara,
      screen.product,
      "GET",
      "/users",
    );
    const anaId = items.find(({ name }) => name === "Ana Lopes")?.id ?? "";
    await screen.mara.setViewportSize({ width: 1_800, height: 900 });
    await screen.openParcels(ROWS, (index) => (index === 0 ? { owner: anaId } : {}));
    await at(0, "owner").locator(".wf-avatar").waitFor();
    const before = await storedValues();
    await at(0, "name").click();
    await press("ControlOrMeta+Space");
    await range().getByText(`${ROWS} cells`).waitFor();
    await screen.mara.getByText("not loaded yet").waitFor({ state: "detached" });
    await screen.mara.context().setOffline(true);
    await screen.mara.getByTestId("offline-bar").waitFor();
    for (const [row, field, value] of others) {
      await changeRecord(screen.ana, screen.product, "parcels", screen.ids[row] ?? "", {
        [field]: value,
      });
    }
    await at(0, "name").click();
    const cells = rows.map((row) => row.cells);
    await paste(screen.mara, excelText(cells), excelHtml(cells));
    await waitForText(at(1, "name"), "Pasted 1");
    await screen.mara.getByText("2 cells were skipped.").first().waitFor();
    await screen.mara.context().setOffline(false);
    await screen.mara.getByText("3 of 500 records were not saved completely.").first().waitFor();
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
      await screen.mara.evaluate(() => new Date(2026, 10, 22, 14, 5).toISOString()),
    ]);
    expect(new Set([...after.values()].map(({ owner }) => owner))).toEqual(new Set([anaId]));
    await at(3, "name").and(screen.mara.locator('[data-state="conflict"]')).waitFor();
    await at(6, "name").click();
    await press("ControlOrMeta+z");
    await waitForText(at(6, "name"), "Parcel 6");
    await expect
      .poll(async () => [...(await storedValues())].filter(isChanged).map(([id]) => id))
      .toEqual([screen.ids[3], screen.ids[4], screen.ids[5]]);
    for (const [row, field, value] of others) {
      const stored = (await storedValues()).get(screen.ids[row] ?? "");
      expect(stored).toEqual({ ...before.get(screen.ids[row] ?? ""), [field]: value });
    }
    await screen.ana.goto(`${screen.product.url}/t/parcels/${screen.ids[6]}#history`);
    const entries = screen.ana.getByRole("listitem").filter({ hasText: "Mara" });
    await entries.filter({ hasText: "Undo" }).first().waitFor();
    await entries.filter({ hasText: "Paste" }).first().waitFor();
    function isChanged([id, values]: [string, Stored]) {
      return JSON.stringify(values) !== JSON.stringify(before.get(id));
    }
  });
});
describe("more than one step may write", () => {
  it("writes rows beyond the last one as new records", async () => {
    await screen.openParcels(3);
    await at(2, "place").click();
    await paste(
      screen.mara,
      `${screen.round}-a\tOne\n${screen.round}-b\tTwo\n${screen.round}-c\tThree`,
    );
    await expect.poll(namesStored).toEqual(["Parcel 0", "Parcel 1", "One", "Two", "Three"]);
  });

  it("is a draft of all records when a range is filled that is longer", async () => {
    await screen.openParcels(LONG_ROWS);
    await at(0, "name").click();
    await press("ControlOrMeta+Space");
    await range().getByText(`${LONG_ROWS} cells`).waitFor();
    await press("ControlOrMeta+d");
    const heading = `Edit ${LONG_ROWS - 1} parcels`;
    await screen.mara.getByRole("heading", { level: 1, name: heading }).waitFor();
    await screen.mara.getByText(`1–50 of ${LONG_ROWS - 1}`).waitFor();
    expect(new Set(await namesStored()).size).toBe(LONG_ROWS);
  });
});
