// Covers: client/src/features/grid client/src/sync
import type { Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { cell, changeRecord, goToTable, openTable } from "./testing/grid.ts";
import { addParcels, makeParcels } from "./testing/parcels.ts";
import { openTwoUsers } from "./testing/two-users.ts";
import { chooseTool, pressInMenu } from "./testing/view-menu.ts";

const { product, mara, ana } = await openTwoUsers();
let ids: string[];
let view: string;

beforeAll(async () => {
  await addParcels(mara, product);
  const made = await makeParcels(mara, product, { series: "look", count: 30 }, (index) => ({
    pieces: index,
    note: index === 0 ? "A long text that goes on and on. ".repeat(12) : null,
  }));
  ids = made.ids;
  const call = { table: "parcels", name: "Looks", shared: true };
  view = (await apiRequest<{ id: string }>(mara, product, "POST", "/views", call)).id;
  await openTable(mara, product, `parcels?view=${view}`);
  await openTable(ana, product, `parcels?view=${view}`);
});

const at = (page: Page, index: number, field: string) => cell(page, ids[index] ?? "", field);
const heightOf = async (page: Page) => (await at(page, 0, "name").boundingBox())?.height ?? 0;
const colourOf = (page: Page, index: number, field: string) =>
  at(page, index, field).getAttribute("data-rule");

it("shows taller rows with wrapped texts to everybody once the view is saved", async () => {
  const before = await heightOf(ana);
  await chooseTool(mara, "Appearance");
  await mara.getByText("Tall", { exact: true }).click();
  await expect.poll(() => heightOf(mara)).toBeGreaterThan(before * 2);
  await expect.poll(() => heightOf(ana)).toBe(before);
  const note = at(mara, 0, "note").locator(".wf-value");
  const lines = async () => ((await note.boundingBox())?.height ?? 0) / 18;
  await expect.poll(lines).toBeGreaterThan(3);
  await mara.keyboard.press("Escape");
  await mara.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => heightOf(ana)).toBeGreaterThan(before * 2);
});

it("colours rows and cells by rules, live, with a sign and in both themes", async () => {
  await chooseTool(mara, "Appearance");
  await mara.getByRole("button", { name: "Add colour rule" }).click();
  const rule = mara.getByRole("group", { name: "Rule 1" });
  await rule.getByRole("button", { name: "Add condition" }).click();
  expect(await accessibilityProblems(mara)).toEqual([]);
  await mara.keyboard.press("Escape");
  const filter = (op: string, value: number) => ({ field: "pieces", op, value });
  const rules = [
    { filter: filter("gt", 20), colour: "red", field: null },
    { filter: filter("lt", 3), colour: "green", field: "pieces" },
  ];
  await apiRequest(mara, product, "PATCH", `/views/${view}`, { appearance: { rules } });
  await expect.poll(() => colourOf(ana, 1, "pieces")).toBe("green");
  expect(await colourOf(ana, 1, "name")).toBeNull();
  expect(await colourOf(ana, 9, "name")).toBeNull();
  await changeRecord(mara, product, "parcels", ids[9] ?? "", { pieces: 21 });
  await expect.poll(() => colourOf(ana, 9, "name")).toBe("red");
  const sign = at(ana, 9, "place");
  await expect.poll(() => sign.getAttribute("aria-description")).toContain("Red: Pieces");
  for (const colorScheme of ["light", "dark"] as const) {
    await ana.emulateMedia({ colorScheme });
    await goToTable(ana, product, `parcels?view=${view}`);
    expect(await accessibilityProblems(ana)).toEqual([]);
  }
});

it("moves, sizes and freezes columns from their menu by keyboard", async () => {
  await goToTable(ana, product, `parcels?view=${view}`);
  const headers = async () =>
    (await ana.locator(".wf-header-label").allTextContents()).filter(Boolean);
  await expect.poll(() => headers()).toEqual(["Place", "Name", "Pieces", "Size", "Note"]);
  const header = ana.locator('.ag-header-cell[col-id="pieces"]');
  const width = (await header.boundingBox())?.width ?? 0;
  await header.focus();
  await ana.keyboard.press("Alt+Enter");
  await pressInMenu(ana.getByRole("menuitem", { name: "Arrange" }), "ArrowRight");
  await pressInMenu(ana.getByRole("menuitem", { name: "Move right" }), "Enter");
  await expect.poll(headers).toEqual(["Place", "Name", "Size", "Pieces", "Note"]);
  await ana.getByText("Pieces is column 4 of 5 now.").waitFor();
  await pressInMenu(ana.getByRole("menuitem", { name: "Wider" }), "Enter");
  await expect.poll(async () => (await header.boundingBox())?.width ?? 0).toBeGreaterThan(width);
  await ana.keyboard.press("ArrowLeft");
  await pressInMenu(ana.getByRole("menuitem", { name: "Pin left" }), "Enter");
  await ana.getByText("Pieces stays at the left while you scroll.").waitFor();
  await expect.poll(headers).toEqual(["Place", "Pieces", "Name", "Size", "Note"]);
});

it("stores the widths of columns as they were chosen, whatever screen the window is moved to", async () => {
  await goToTable(ana, product, `parcels?view=${view}`);
  const widths = () =>
    ana.locator(".ag-header-cell").evaluateAll((cells) => cells.map((one) => one.clientWidth));
  // The width that is left over is shared once the columns are laid out.
  await expect
    .poll(() =>
      ana.evaluate(() => {
        const right = (one: string) =>
          Math.max(
            ...[...document.querySelectorAll(one)].map((it) => it.getBoundingClientRect().right),
          );
        return Math.abs(right(".ag-grid-viewport") - right(".ag-header-cell[col-id]"));
      }),
    )
    .toBeLessThan(2);
  const before = await widths();
  await ana.setViewportSize({ width: 3440, height: 900 });
  await ana.waitForFunction("getComputedStyle(document.documentElement).fontSize === '20px'");
  await ana.locator('.ag-header-cell[col-id="size"]').press("Alt+Enter");
  await pressInMenu(ana.getByRole("menuitem", { name: "Arrange" }), "ArrowRight");
  await pressInMenu(ana.getByRole("menuitem", { name: "Move right" }), "Enter");
  await ana.getByText("Size is column 5 of 5 now.").waitFor();
  await ana.setViewportSize({ width: 1440, height: 900 });
  await openTable(ana, product, `parcels?view=${view}`);
  // What is left over is shared in whole pixels: in another order another column has the last one.
  const change = async () => {
    const after = (await widths()).toSorted((a, b) => a - b);
    return before
      .toSorted((a, b) => a - b)
      .map((one, index) => Math.abs(one - (after[index] ?? 0)));
  };
  await expect.poll(async () => Math.max(...(await change()))).toBeLessThanOrEqual(1);
});

it("tints the whole row of the opened record, also its checkbox and the cell before it", async () => {
  await goToTable(mara, product, `parcels/${ids[3]}?view=${view}`);
  const untinted = (index: number) =>
    mara
      .locator(`.ag-row[row-id="${ids[index]}"] .ag-cell`)
      .evaluateAll((cells) =>
        cells
          .filter((one) => getComputedStyle(one).backgroundImage === "none")
          .map((one) => one.getAttribute("col-id")),
      );
  await expect.poll(() => untinted(3)).toEqual([]);
  await expect.poll(() => untinted(4)).toContain("wf-gutter");
});
