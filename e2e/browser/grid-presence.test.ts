import type { Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import type { Visitor } from "./testing/browser.ts";
import { cell, goToTable } from "./testing/grid.ts";
import { addParcels, makeParcels } from "./testing/parcels.ts";
import { openProduct } from "./testing/product.ts";
import { twoUsers } from "./testing/two-users.ts";

const { browser, product } = await openProduct();
let users: { mara: Visitor; ana: Visitor };
let mara: Page;
let ids: string[];

beforeAll(async () => {
  users = await twoUsers(browser, product);
  mara = users.mara.page;
  await addParcels(mara, product);
  const made = await makeParcels(mara, product, { series: "here", count: 6 });
  ids = made.ids;
  await Promise.all([
    goToTable(mara, product, made.path),
    goToTable(users.ana.page, product, made.path),
  ]);
});

const at = (page: Page, row: number, field: string) => cell(page, ids[row] ?? "", field);

/** How many of the points of the open editor a name covers. */
function coveredPoints(page: Page): Promise<number> {
  return page.evaluate(() => {
    const names = document.createElement("style");
    names.textContent = ".wf-frame-name { pointer-events: auto !important; }";
    document.head.append(names);
    const editor = document.querySelector(".wf-editor, .wf-editor-popup");
    const { left, top, width, height } = editor?.getBoundingClientRect() ?? new DOMRect();
    let covered = 0;
    for (let x = left + 1; x < left + width; x += 3) {
      for (let y = top + 1; y < top + height; y += 1) {
        const hit = document.elementFromPoint(x, y);
        if (!hit?.closest(".wf-editor, .wf-editor-popup")) covered += 1;
      }
    }
    names.remove();
    if (width === 0) throw new Error("No editor is open.");
    return covered;
  });
}

it.each([
  ["in the row below", 1, 2, "name"],
  ["in the row above", 1, 0, "name"],
  ["in the same cell", 1, 1, "name"],
  ["in the same cell of the first row", 0, 0, "name"],
  ["in the cell before", 2, 2, "place"],
  ["in the row below an editor of several lines", 2, 3, "note"],
])("no name covers an open editor while a colleague is %s", async (_where, row, theirs, field) => {
  await at(users.ana.page, theirs, field).click();
  const name = at(mara, theirs, field).locator(".wf-frame-name");
  await name.filter({ hasText: "Ana" }).waitFor();
  const cellBox = await at(mara, row, field === "place" ? "name" : field).boundingBox();
  const nameBox = await name.boundingBox();
  if (!cellBox || !nameBox) throw new Error("The cell or the name is not shown.");
  // Otherwise this proves nothing.
  if (field !== "place") {
    expect(nameBox.y).toBeLessThan(cellBox.y + cellBox.height);
    expect(nameBox.y + nameBox.height).toBeGreaterThan(cellBox.y);
  }
  await at(mara, row, field === "place" ? "name" : field).click();
  await mara.keyboard.press("F2");
  await mara.locator(":is(.wf-editor, .wf-editor-popup) :is(input, textarea)").waitFor();
  expect(await coveredPoints(mara)).toBe(0);
  await mara.keyboard.press("Escape");
});

it("complained of nothing", () => {
  expect([...users.mara.consoleErrors, ...users.ana.consoleErrors]).toEqual([]);
});
