// Covers: client/src/features/grid client/src/sync
import type { Locator, Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import { cell, goToTable } from "./testing/grid.ts";
import { addParcels, makeParcels } from "./testing/parcels.ts";
import { openTwoUsers } from "./testing/two-users.ts";

const { product, users, mara } = await openTwoUsers();
let ids: string[];

beforeAll(async () => {
  await addParcels(mara, product);
  const made = await makeParcels(mara, product, { series: "here", count: 6 });
  ids = made.ids;
  await Promise.all([
    goToTable(mara, product, made.path),
    goToTable(users.ana.page, product, made.path),
  ]);
});

const at = (page: Page, row: number, field: string) => cell(page, ids[row] ?? "", field);

/** How many of the points of an element something else covers. Names count, though they let the pointer through. */
function coveredPoints(of: Locator): Promise<number> {
  return of.evaluate((element) => {
    const names = document.createElement("style");
    names.textContent = ".wf-frame-name { pointer-events: auto !important; }";
    document.head.append(names);
    const { left, top, width, height } = element.getBoundingClientRect();
    let covered = 0;
    // Its corners are round.
    for (let x = left + 4; x < left + width - 4; x += 3) {
      for (let y = top + 1; y < top + height; y += 1) {
        const hit = document.elementFromPoint(x, y);
        if (!hit || !element.contains(hit)) covered += 1;
      }
    }
    names.remove();
    return covered;
  });
}

const editorOf = (page: Page) => page.locator(".wf-editor, .wf-editor-popup");

/** Opens the editor of a cell. */
async function edit(row: number, field: string): Promise<void> {
  await at(mara, row, field).click();
  await mara.keyboard.press("F2");
  await editorOf(mara).locator("input, textarea").waitFor();
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
  await edit(row, field === "place" ? "name" : field);
  expect(await coveredPoints(editorOf(mara))).toBe(0);
  await mara.keyboard.press("Escape");
});

it.each([
  ["in the row below", 1, 2],
  ["in the row above", 2, 1],
  ["in the row below the first one", 0, 1],
  ["in the first row, above", 1, 0],
])("a colleague's name is whole while they are %s", async (_where, row, theirs) => {
  await at(users.ana.page, theirs, "name").click();
  const name = at(mara, theirs, "name").locator(".wf-frame-name");
  await name.filter({ hasText: "Ana" }).waitFor();
  for (const field of ["name", "pieces"]) {
    await edit(row, field);
    expect(await coveredPoints(name)).toBe(0);
    expect(await coveredPoints(editorOf(mara))).toBe(0);
    await mara.keyboard.press("Escape");
  }
});
