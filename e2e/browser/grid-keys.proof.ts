// Covers: client/src/features/grid client/src/sync
import type { Locator } from "playwright";
import { beforeEach, describe, expect, it } from "vitest";
import { boxAtRest } from "./testing/box-at-rest.ts";
import { changeRecord, waitForText } from "./testing/grid.ts";
import { ParcelScreen } from "./testing/parcel-screen.ts";

const screen = await ParcelScreen.open();
const { at, press, range, storedValues, namesStored } = screen;

/** The cell, once it is the one at whose corner the range is filled. */
const cornerAt = (index: number, field: string) =>
  at(index, field).and(screen.mara.locator("[data-corner]"));

/** Drags a corner to a cell. */
async function dragCorner(corner: Locator, to: Locator): Promise<void> {
  const from = await boxAtRest(corner);
  const goal = await boxAtRest(to);
  const { mouse } = screen.mara;
  await mouse.move(from.x + from.width - 3, from.y + from.height - 3);
  await mouse.down();
  await mouse.move(goal.x + 10, goal.y + 10, { steps: 4 });
  await mouse.up();
}

describe("the keyboard, as in a spreadsheet", () => {
  beforeEach(() =>
    screen.openParcels(8, (index) => ({ pieces: index === 5 ? null : index, cost: "1.10" })),
  );

  /** The row and the field that have the focus. */
  const focused = () =>
    screen.mara.evaluate((records) => {
      const element = document.activeElement?.closest("[col-id]");
      const row = element?.closest("[row-id]")?.getAttribute("row-id") ?? "";
      return `${records.indexOf(row)} ${element?.getAttribute("col-id")}`;
    }, screen.ids);
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
    await screen.mara.getByText("Sum €8.80").waitFor();
    await changeRecord(screen.ana, screen.product, "parcels", screen.ids[2] ?? "", {
      cost: "90071992547409.90",
    });
    await screen.mara.getByText("Sum €90,071,992,547,417.60").waitFor();
    await press("ControlOrMeta+a");
    await expectCells(88);
    await press("Escape");
    await range().waitFor({ state: "detached" });
  });

  it("shows all numbers of the selection on a narrow screen", async () => {
    await screen.mara.setViewportSize({ width: 601, height: 844 });
    await at(1, "pieces").click();
    await press("ControlOrMeta+Space");
    const status = screen.mara.locator("footer").filter({ has: range() });
    for (const text of ["Sum 23", "Min 0", "Max 7", "Count 7"]) {
      const box = await boxAtRest(status.getByText(text, { exact: true }));
      const line = await boxAtRest(status);
      expect(box.x + box.width, text).toBeLessThanOrEqual(line.x + line.width);
      expect(box.y + box.height, text).toBeLessThanOrEqual(line.y + line.height);
    }
    await screen.mara.setViewportSize({ width: 1440, height: 900 });
  });

  it("edits: type, Enter and Shift+Enter, F2, Escape, Ctrl+Enter for all selected cells", async () => {
    await at(1, "name").click();
    await screen.mara.keyboard.type("Typed");
    await press("Enter");
    await expectFocus("2 name");
    for (const open of [() => press("F2"), () => press("Enter"), () => at(2, "name").dblclick()]) {
      await open();
      await screen.mara.keyboard.type(" more");
      await press("Shift+Enter");
      await expectFocus("1 name");
      await press("ArrowDown");
    }
    await press("ArrowUp");
    await press("F2");
    await screen.mara.keyboard.type(" dropped");
    await press("Escape");
    await at(4, "name").click();
    await press("Shift+ArrowDown", "Shift+ArrowDown");
    await screen.mara.keyboard.type("All of them");
    await press("ControlOrMeta+Enter");
    await screen.mara.getByText("3 cells filled.").first().waitFor();
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
    await screen.mara.getByText("Enter a whole number.").first().waitFor();
    await at(2, "pieces").click();
    await press("Shift+ArrowRight", "ControlOrMeta+r");
    await waitForText(at(2, "cost"), "€2.00");
    await at(5, "name").click();
    await at(7, "cost").click({ modifiers: ["ControlOrMeta"] });
    await expectCells(2);
    await press("Delete");
    await screen.mara.getByText("2 cells cleared.").first().waitFor();
    const values = await storedValues();
    expect(values.get(screen.ids[5] ?? "")).toMatchObject({ name: null, cost: "1.10" });
    expect(values.get(screen.ids[7] ?? "")).toMatchObject({ name: "Parcel 7", cost: null });
  });

  it("fills down by the corner of the range, repeating its rows", async () => {
    await at(0, "name").click();
    await press("Shift+ArrowDown");
    // Until the key is handled, the corner is that of the first cell.
    await cornerAt(1, "name").waitFor();
    await dragCorner(cornerAt(1, "name"), at(4, "name"));
    await screen.mara.getByText("3 cells filled.").first().waitFor();
    await expect
      .poll(namesStored)
      .toEqual([
        ...["Parcel 0", "Parcel 1", "Parcel 0", "Parcel 1", "Parcel 0"],
        ...["Parcel 5", "Parcel 6", "Parcel 7"],
      ]);
  });

  it("fills by the corner of the last of several ranges: the others have none", async () => {
    await at(0, "name").click();
    await press("Shift+ArrowDown");
    await cornerAt(1, "name").waitFor();
    await at(4, "pieces").click({ modifiers: ["ControlOrMeta"] });
    await cornerAt(4, "pieces").waitFor();
    await cornerAt(1, "name").waitFor({ state: "detached" });
    await expect.poll(() => screen.mara.locator("[data-corner]").count()).toBe(1);
  });

  it("asks about a cell that a colleague has changed while its value was typed for several", async () => {
    await at(4, "name").click();
    await press("Shift+ArrowDown");
    await screen.mara.keyboard.type("All of them");
    await changeRecord(screen.ana, screen.product, "parcels", screen.ids[4] ?? "", {
      name: "Ana's name",
    });
    await screen.mara.locator(".wf-editor-notice").getByText("Ana Lopes").waitFor();
    await press("ControlOrMeta+Enter");
    await waitForText(at(5, "name"), "All of them");
    await at(4, "name").and(screen.mara.locator('[data-state="conflict"]')).waitFor();
    await expect
      .poll(async () => (await namesStored()).slice(3, 7))
      .toEqual(["Parcel 3", "Ana's name", "All of them", "Parcel 6"]);
  });

  it("acts on the cell with the focus, however soon a key follows another", async () => {
    await at(0, "name").click();
    await expectFocus("0 name");
    await screen.mara.evaluate(() => {
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
    await cornerAt(1, "pieces").waitFor();
    await dragCorner(cornerAt(1, "pieces"), at(1, "share"));
    await screen.mara.getByText("4 cells filled.").first().waitFor();
    const first = (await storedValues()).get(screen.ids[1] ?? "");
    expect(first).toMatchObject({ pieces: 1, cost: "1.00", share: "1.0" });
  });

  it("fills upwards by the corner of the range, and a series goes on backwards", async () => {
    await screen.openParcels(5, (index) => ({ pieces: index < 3 ? null : index * 10 }));
    await at(3, "name").click();
    await press("Shift+ArrowDown", "Shift+ArrowRight");
    await cornerAt(4, "pieces").waitFor();
    await dragCorner(cornerAt(4, "pieces"), at(0, "name"));
    await screen.mara.getByText("6 cells filled.").first().waitFor();
    await expectCells(10);
    const stored = [...(await storedValues()).values()];
    expect(stored.map(({ pieces }) => pieces)).toEqual([0, 10, 20, 30, 40]);
    const names = [4, 3, 4, 3, 4].map((index) => `Parcel ${index}`);
    expect(stored.map(({ name }) => name)).toEqual(names);
  });

  it("fills to the left by the corner of the range, and nothing above where the pointer only passed", async () => {
    await at(1, "pieces").click();
    await press("Shift+ArrowDown");
    await cornerAt(2, "pieces").waitFor();
    const corner = await boxAtRest(cornerAt(2, "pieces"));
    const { mouse } = screen.mara;
    await mouse.move(corner.x + corner.width - 3, corner.y + corner.height - 3);
    await mouse.down();
    for (const [row, field, count] of [
      [0, "pieces", 3],
      [2, "pieces", 2],
      [1, "name", 4],
    ] as const) {
      const to = await boxAtRest(at(row, field));
      await mouse.move(to.x + 10, to.y + 10, { steps: 4 });
      await expectCells(count);
    }
    await mouse.up();
    await screen.mara.getByText("2 cells filled.").first().waitFor();
    expect((await namesStored()).slice(0, 4)).toEqual(["Parcel 0", "1", "2", "Parcel 3"]);
  });

  it.each([
    ["an input method", { key: "Process", code: "KeyN", windowsVirtualKeyCode: 229 }, "日本"],
    ["a dead key", { key: "Dead", code: "Quote", windowsVirtualKeyCode: 222 }, "é"],
  ])("types with %s into the cell, and replaces its value", async (_, key, text) => {
    await at(2, "name").click();
    const client = await screen.mara.context().newCDPSession(screen.mara);
    await client.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...key });
    const composed = { text: "に", selectionStart: 1, selectionEnd: 1 };
    if (text === "日本") await client.send("Input.imeSetComposition", composed);
    await client.send("Input.insertText", { text });
    await press("Enter");
    await waitForText(at(2, "name"), text);
    await expect.poll(namesStored).toContain(text);
  });
});
