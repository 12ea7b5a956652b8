// Covers: client/src/features/grid client/src/sync
import { beforeEach, describe, expect, it } from "vitest";
import { apiRequest } from "./testing/api-request.ts";
import { changeRecord, recordsShown } from "./testing/grid.ts";
import { ParcelScreen } from "./testing/parcel-screen.ts";

const screen = await ParcelScreen.open();
const { at, press, range, storedValues, namesStored } = screen;

/** The row where it began, and the field, that have the focus. */
const focused = () =>
  screen.mara.evaluate((records) => {
    const element = document.activeElement?.closest("[col-id]");
    const row = element?.closest("[row-id]")?.getAttribute("row-id") ?? "";
    return `${records.indexOf(row)} ${element?.getAttribute("col-id")}`;
  }, screen.ids);
const expectFocus = (cellName: string) => expect.poll(focused).toBe(cellName);
const expectCells = (count: number) =>
  range().getByText(`${count} cells`, { exact: true }).waitFor();
const type = (text: string) => screen.mara.keyboard.type(text);
const valuesOf = async (index: number) => (await storedValues()).get(screen.ids[index] ?? "");

/** Moves the first row to the end: rows are put where they belong as soon as Mara is elsewhere and doesn't type. */
async function displaceFirstRow(): Promise<void> {
  await at(0, "place").click();
  await type(`${screen.round}-9999`);
  await press("Enter");
}

async function moveByAna(index: number, place: string): Promise<void> {
  const record = screen.ids[index] ?? "";
  const to = `${screen.round}-${place}`;
  await changeRecord(screen.ana, screen.product, "parcels", record, { place: to });
}

const expectRows = (order: readonly number[]) =>
  expect.poll(() => recordsShown(screen.mara)).toEqual(order.map((index) => screen.ids[index]));

describe("Enter after a run of Tabs", () => {
  beforeEach(() => screen.openParcels(8));

  it("goes to the next row where the run began, typed without a look at the screen", async () => {
    await at(1, "name").click();
    for (const row of [1, 2, 3]) {
      await type(`Row ${row}`);
      await press("Tab");
      await type(String(row));
      await press("Tab");
      await type(`${row}.50`);
      await press("Enter");
    }
    await expectFocus("4 name");
    await expect.poll(() => valuesOf(3)).toMatchObject({ name: "Row 3", pieces: 3, cost: "3.50" });
    await expect.poll(() => valuesOf(1)).toMatchObject({ name: "Row 1", pieces: 1, cost: "1.50" });
    expect((await namesStored()).slice(2)).toEqual([
      ...["Row 2", "Row 3", "Parcel 4", "Parcel 5", "Parcel 6", "Parcel 7"],
    ]);
  });

  it("goes to the row below the record, where a colleague has moved it meanwhile", async () => {
    await displaceFirstRow();
    await at(2, "name").click();
    await type("Two");
    await press("Tab");
    await type("22");
    await moveByAna(2, "0005a");
    await press("Tab");
    await expectFocus("2 cost");
    await expectRows([1, 3, 4, 5, 2, 6, 7, 0]);
    await type("2.20");
    await press("Enter");
    await expectFocus("6 name");
    await expect.poll(() => valuesOf(2)).toMatchObject({ name: "Two", pieces: 22, cost: "2.20" });
  });

  it("goes straight down after an arrow, a click, or Shift and Tab", async () => {
    const enterAfter = async (leave: () => Promise<void>, field: string) => {
      await at(1, "name").click();
      await press("Tab", "Tab");
      await expectFocus("1 cost");
      await leave();
      await expectFocus(`1 ${field}`);
      await press("F2", "Enter");
      await expectFocus(`2 ${field}`);
    };
    await enterAfter(() => press("ArrowLeft"), "pieces");
    await enterAfter(() => at(1, "share").click(), "share");
    await enterAfter(() => press("Shift+Tab", "Shift+Tab", "Shift+Tab"), "place");
  });
});

describe("Tab and Enter within a range", () => {
  beforeEach(() => screen.openParcels(8));

  it("move the focus around it by rows and by columns while others move the rows, and typing edits its cells", async () => {
    await displaceFirstRow();
    await at(2, "name").click();
    await press("Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowRight");
    await expectCells(6);
    await press("Tab");
    await expectFocus("2 pieces");
    await moveByAna(3, "0000");
    await expectRows([3, 1, 2, 4, 5, 6, 7, 0]);
    await expectFocus("2 pieces");
    await press("Tab");
    await expectFocus("4 name");
    await type("Four");
    await press("Tab");
    await expectFocus("4 pieces");
    await press("Tab");
    await expectFocus("3 name");
    await press("Shift+Tab");
    await expectFocus("4 pieces");
    await type("44");
    await press("Enter");
    await expectFocus("3 name");
    await type("Three");
    await press("Enter");
    await expectFocus("2 name");
    await press("Enter", "Enter");
    await expectFocus("3 pieces");
    await press("Shift+Enter");
    await expectFocus("4 name");
    await expectCells(6);
    await expect.poll(() => valuesOf(4)).toMatchObject({ name: "Four", pieces: 44 });
    await expect.poll(() => valuesOf(3)).toMatchObject({ name: "Three" });
    await press("Escape");
    await range().waitFor({ state: "detached" });
    await expectFocus("4 name");
  });

  it("move the focus within several ranges in turn, and pass a record that a colleague deletes", async () => {
    await at(0, "name").click();
    await press("Shift+ArrowDown");
    await expectCells(2);
    await at(4, "pieces").click({ modifiers: ["ControlOrMeta"] });
    await press("Shift+ArrowRight");
    await expectCells(4);
    await press("Tab");
    await expectFocus("4 cost");
    await press("Tab");
    await expectFocus("0 name");
    await press("Enter", "Enter");
    await expectFocus("4 pieces");
    await press("Shift+Tab");
    await expectFocus("1 name");
    await press("Shift+Enter", "Shift+Enter");
    await expectFocus("4 cost");
    const record = `/tables/parcels/records/${screen.ids[0]}?overwrite=true`;
    await apiRequest(screen.ana, screen.product, "DELETE", record);
    await expectCells(3);
    await type("4.40");
    await press("Tab");
    await expectFocus("1 name");
    await type("One");
    await press("Enter");
    await expectFocus("4 pieces");
    await expectCells(3);
    await expect.poll(() => valuesOf(1)).toMatchObject({ name: "One" });
    await expect.poll(() => valuesOf(4)).toMatchObject({ name: "Parcel 4", cost: "4.40" });
  });
});
