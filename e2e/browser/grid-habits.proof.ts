// Covers: client/src/features/grid client/src/sync
import { beforeEach, describe, expect, it } from "vitest";
import { boxAtRest } from "./testing/box-at-rest.ts";
import { waitForText } from "./testing/grid.ts";
import { ParcelScreen } from "./testing/parcel-screen.ts";

/** More rows than the grid loads for one screen. */
const MANY = 420;

const screen = await ParcelScreen.open();
const { at, press, range, storedValues, namesStored } = screen;

const focused = (index: number, field: string) =>
  at(index, field).and(screen.mara.locator(":focus")).waitFor();
const valuesOf = async (field: string) =>
  [...(await storedValues()).values()].map((values) => values[field]);

/** Clicks twice on the corner by which the range is filled, once it is in this cell. */
async function doubleClickCorner(index: number, field: string): Promise<void> {
  const corner = at(index, field).and(screen.mara.locator("[data-corner]"));
  const box = await boxAtRest(corner);
  await screen.mara.mouse.dblclick(box.x + box.width - 3, box.y + box.height - 3);
}

describe("a double click on the corner of a range", () => {
  it("fills down as far as the column before it is filled", async () => {
    await screen.openParcels(8, (index) => ({ name: index < 5 ? `Parcel ${index}` : null }));
    await at(0, "pieces").click();
    await screen.mara.keyboard.type("7");
    await press("Enter", "ArrowUp");
    await focused(0, "pieces");
    await doubleClickCorner(0, "pieces");
    await screen.mara.getByText("4 cells filled.").first().waitFor();
    await expect.poll(() => valuesOf("pieces")).toEqual([7, 7, 7, 7, 7, null, null, null]);
    await range().getByText("5 cells", { exact: true }).waitFor();
    await press("ControlOrMeta+z");
    await expect.poll(() => valuesOf("pieces")).toEqual([7, ...Array(7).fill(null)]);
  });

  it("fills as far as the column after it where the one before it is empty, and goes on with a series", async () => {
    await screen.openParcels(8, (index) => ({ share: index < 6 ? "1" : null }));
    for (const [index, cost] of ["1.00", "2.00"].entries()) {
      await at(index, "cost").click();
      await screen.mara.keyboard.type(cost);
      await press("Enter");
    }
    await at(0, "cost").click();
    await press("Shift+ArrowDown");
    await doubleClickCorner(1, "cost");
    await screen.mara.getByText("4 cells filled.").first().waitFor();
    const filled = ["1.00", "2.00", "3.00", "4.00", "5.00", "6.00", null, null];
    await expect.poll(() => valuesOf("cost")).toEqual(filled);
  });

  it("changes nothing where the columns beside it are empty, and opens no editor", async () => {
    await screen.openParcels(4, (index) => ({ cost: "5.00", ...(index === 0 && { size: "S" }) }));
    await at(0, "size").click();
    await doubleClickCorner(0, "size");
    await at(1, "cost").click();
    await press("Shift+ArrowDown");
    await range().getByText("2 cells", { exact: true }).waitFor();
    expect(await screen.mara.locator(".wf-editor").count()).toBe(0);
    await expect.poll(() => valuesOf("size")).toEqual(["S", null, null, null]);
  });

  it("goes on in rows that are not loaded", async () => {
    await screen.openParcels(MANY, (index) => ({ name: index < MANY - 5 ? "Named" : null }));
    await at(0, "pieces").click();
    await screen.mara.keyboard.type("3");
    await press("Enter", "ArrowUp");
    await focused(0, "pieces");
    await doubleClickCorner(0, "pieces");
    await screen.mara
      .getByText(`${MANY - 6} cells filled.`)
      .first()
      .waitFor();
    const pieces = await valuesOf("pieces");
    expect(pieces.filter((one) => one === 3)).toHaveLength(MANY - 5);
    expect(pieces.slice(-5)).toEqual(Array(5).fill(null));
  });
});

describe("keys that spreadsheets have", () => {
  beforeEach(() => screen.openParcels(6, (index) => ({ pieces: index, size: "S" })));

  /** Today and now, as the page has them. */
  const nowInPage = () =>
    screen.mara.evaluate(() => {
      const now = new Date();
      const twoDigits = (value: number) => String(value).padStart(2, "0");
      const parts = [now.getFullYear(), twoDigits(now.getMonth() + 1), twoDigits(now.getDate())];
      const dayText = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" }).format(now);
      const time = new Intl.DateTimeFormat(undefined, { timeStyle: "short" }).format(now);
      return { day: parts.join("-"), dayText, time, at: now.toISOString() };
    });

  it("inserts today's date and the time", async () => {
    const before = await nowInPage();
    await at(0, "day").click();
    await press("ControlOrMeta+;");
    await at(1, "sent_at").click();
    await press("ControlOrMeta+;");
    await at(2, "sent_at").click();
    await press("ControlOrMeta+Shift+:");
    await at(0, "name").click();
    await press("ControlOrMeta+;");
    await at(1, "name").click();
    await press("ControlOrMeta+Shift+:");
    await at(3, "pieces").click();
    await press("ControlOrMeta+;");
    await screen.mara.getByText("Pieces can't hold a date.").first().waitFor();
    await at(3, "day").click();
    await press("ControlOrMeta+Shift+:");
    await screen.mara.getByText("Day can't hold a time.").first().waitFor();
    await expect.poll(async () => (await namesStored())[1]).not.toBe("Parcel 1");
    const after = await nowInPage();
    const [first, second, third, fourth] = [...(await storedValues()).values()];
    expect([before.day, after.day]).toContain(first?.day);
    expect([before.dayText, after.dayText]).toContain(first?.name);
    expect([before.time, after.time]).toContain(second?.name);
    for (const row of [second, third]) {
      const instant = new Date(String(row?.sent_at)).toISOString();
      expect([before.at, instant, after.at]).toEqual([before.at, instant, after.at].sort());
    }
    expect(fourth).toMatchObject({ pieces: 3, day: null });
  });

  it("opens the list of a cell by Alt and the arrow down, and only where there is one", async () => {
    await at(1, "size").click();
    await press("Alt+ArrowDown");
    await screen.mara.getByRole("listbox").waitFor();
    await press("ArrowDown", "Enter");
    await waitForText(at(1, "size"), "L");
    await at(1, "name").click();
    await press("Alt+ArrowDown");
    await screen.mara.keyboard.type("Typed");
    await press("Enter");
    await expect.poll(namesStored).toContain("Typed");
  });

  it("drops by Escape what was typed over a value, and F2 pressed twice still edits", async () => {
    await at(0, "name").click();
    await screen.mara.keyboard.type("Other");
    await screen.mara.locator(".wf-editor").waitFor();
    await press("Escape");
    await waitForText(at(0, "name"), "Parcel 0");
    await focused(0, "name");
    await press("F2");
    await screen.mara.locator(".wf-editor").waitFor();
    await press("F2");
    await screen.mara.keyboard.type(" more");
    await press("Enter");
    await waitForText(at(0, "name"), "Parcel 0 more");
    await expect.poll(async () => (await namesStored())[0]).toBe("Parcel 0 more");
  });

  it("undoes and redoes by all their keys", async () => {
    await at(0, "name").click();
    await screen.mara.keyboard.type("Changed");
    await press("Enter");
    await waitForText(at(0, "name"), "Changed");
    for (const redo of ["ControlOrMeta+y", "ControlOrMeta+Shift+z"]) {
      await press("ControlOrMeta+z");
      await waitForText(at(0, "name"), "Parcel 0");
      await press(redo);
      await waitForText(at(0, "name"), "Changed");
    }
  });

  it("selects to the edges of the data and of the table, and everything", async () => {
    const cells = (count: number) => range().getByText(`${count} cells`, { exact: true }).waitFor();
    await at(1, "name").click();
    await press("ControlOrMeta+Shift+ArrowDown");
    await cells(5);
    await press("ControlOrMeta+Shift+ArrowRight");
    await cells(5 * 2);
    await at(1, "name").click();
    await press("ControlOrMeta+Shift+End");
    await cells(5 * 10);
    await press("ControlOrMeta+Shift+Home");
    await cells(2 * 2);
    await press("ControlOrMeta+Shift+Space");
    await cells(6 * 11);
  });

  it("pastes texts without their form by Ctrl, Shift and V", async () => {
    await screen.mara.evaluate(() => {
      const texts = {
        "text/plain": "As text",
        "text/html": "<table><tr><td>As table</td></tr></table>",
      };
      const data = Object.entries(texts).map(([type, text]) => [type, new Blob([text], { type })]);
      return navigator.clipboard.write([new ClipboardItem(Object.fromEntries(data))]);
    });
    await at(0, "name").click();
    await press("ControlOrMeta+v");
    await waitForText(at(0, "name"), "As table");
    await at(1, "name").click();
    await press("ControlOrMeta+Shift+v");
    await waitForText(at(1, "name"), "As text");
  });

  it("lists the keys by Ctrl and a slash, also from a cell", async () => {
    await at(2, "name").click();
    await press("ControlOrMeta+/");
    const help = screen.mara.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.getByText("Insert today's date").waitFor();
    await help.getByText("Open the list of the cell").waitFor();
    await press("Escape");
    await help.waitFor({ state: "detached" });
    await focused(2, "name");
  });
});

it("scrolls back to the cell with the focus by Ctrl and Backspace", async () => {
  await screen.openParcels(120);
  await at(2, "name").click();
  await focused(2, "name");
  await screen.mara.mouse.move(600, 500);
  await screen.mara.mouse.wheel(0, 2_000);
  const isShown = () =>
    at(2, "name").evaluate((element) => {
      const rows = element.closest(".ag-grid-viewport")?.getBoundingClientRect();
      const { top, bottom } = element.getBoundingClientRect();
      return rows !== undefined && top >= rows.top && bottom <= rows.bottom;
    });
  await expect.poll(isShown).toBe(false);
  await press("ControlOrMeta+Backspace");
  await expect.poll(isShown).toBe(true);
  await focused(2, "name");
  expect((await namesStored())[2]).toBe("Parcel 2");
});

describe("Ctrl and a click", () => {
  const ctrl = { modifiers: ["ControlOrMeta" as const] };
  const counts = (text: string) => range().getByText(text, { exact: true }).waitFor();

  it("on a cell that was added takes it away again, and the keys go on in what is left", async () => {
    await screen.openParcels(4);
    await at(0, "name").click();
    await at(2, "name").click(ctrl);
    await at(3, "name").click(ctrl);
    await counts("3 cells");
    await at(2, "name").click(ctrl);
    await counts("2 cells");
    await focused(3, "name");
    await press("Delete");
    await expect.poll(namesStored).toEqual([null, "Parcel 1", "Parcel 2", null]);
  });

  it("on the only selected cell leaves it selected once", async () => {
    await screen.openParcels(4, (index) => ({ pieces: index + 1 }));
    await at(1, "pieces").click();
    await at(1, "pieces").click(ctrl);
    await at(3, "pieces").click(ctrl);
    await counts("2 cells");
    await at(3, "pieces").click(ctrl);
    await range().waitFor({ state: "detached" });
    await focused(1, "pieces");
    await expect.poll(() => screen.mara.locator("[data-range]").count()).toBe(0);
  });

  it("on the handle of a row that was added takes the row away again", async () => {
    await screen.openParcels(4, (index) => ({ pieces: index }));
    const handle = (index: number) =>
      screen.mara.locator(`.ag-row[row-id="${screen.ids[index]}"] .wf-gutter-cell`);
    const onHandle = { position: { x: 6, y: 10 } };
    await handle(0).click(onHandle);
    await handle(2).click({ ...onHandle, ...ctrl });
    await counts("22 cells");
    await handle(0).click({ ...onHandle, ...ctrl });
    await counts("11 cells");
    await press("ControlOrMeta+Delete");
    await expect.poll(() => valuesOf("pieces")).toEqual([0, 1, 3]);
  });

  it("counts a cell once that is in two ranges", async () => {
    await screen.openParcels(4);
    await at(0, "name").click();
    await press("Shift+ArrowDown", "Shift+ArrowDown");
    await counts("3 cells");
    await at(2, "name").click(ctrl);
    await press("Shift+ArrowDown");
    await counts("4 cells");
  });
});
