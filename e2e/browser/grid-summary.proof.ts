// Covers: client/src/features/grid client/src/sync
import { isDeepStrictEqual } from "node:util";
import type { Locator } from "playwright";
import { beforeAll, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { boxAtRest } from "./testing/box-at-rest.ts";
import { goTo } from "./testing/go-to.ts";
import { cell, changeRecord, goToTable, openTable, recordsShown } from "./testing/grid.ts";
import { addSizedParcels } from "./testing/sized-parcels.ts";
import { openTwoUsers } from "./testing/two-users.ts";
import { pressInMenu } from "./testing/view-menu.ts";

const { product, users, mara } = await openTwoUsers();

beforeAll(async () => {
  await addSizedParcels(mara, product);
});

it("sorts by several fields, in an order that keys and buttons change", async () => {
  await openTable(mara, product, "parcels");
  await mara.getByRole("button", { name: /^Sort($|:)/ }).press("Enter");
  const menu = mara.getByRole("dialog", { name: "Sort" });
  await menu.getByRole("combobox", { name: "Sort by" }).selectOption("size");
  await menu.getByRole("button", { name: "Move Size up" }).press("Enter");
  await menu.getByLabel("Direction of Name").selectOption("Z to A");
  const bySizeAndName = ["p4", "p1", "p2", "p0", "p3"];
  await expect.poll(() => recordsShown(mara)).toEqual(bySizeAndName);
  expect(new URL(mara.url()).searchParams.get("sort")).toBe("size,-name");
  expect(await accessibilityProblems(mara)).toEqual([]);
  const size = await boxAtRest(menu.getByRole("listitem").first());
  await menu.getByTitle("Drag to reorder").last().hover();
  await mara.mouse.down();
  await mara.mouse.move(size.x + 10, size.y + 2, { steps: 3 });
  await mara.mouse.up();
  await expect.poll(() => recordsShown(mara)).toEqual(["p4", "p3", "p2", "p1", "p0"]);
  await mara.keyboard.press("Escape");
  await expect
    .poll(() => mara.evaluate(() => document.activeElement?.textContent ?? ""))
    .toContain("Sort");
});

it("summarizes columns below the rows, exactly, while a colleague changes them", async () => {
  await goToTable(mara, product, "parcels");
  const row = mara.getByRole("region", { name: "Summary" });
  const header = mara.locator('.ag-header-cell[col-id="cost"]');
  await header.hover();
  await header.locator(".wf-header-menu").click();
  await mara.getByRole("menuitem", { name: "Summarize" }).hover();
  await mara.getByRole("menuitemradio", { name: "Sum", exact: true }).click();
  const cost = row.getByRole("button", {
    name: "Cost: Sum €9,007,199,254,741,018.35",
    exact: true,
  });
  await cost.waitFor();
  await row.getByRole("button", { name: "Summarize Urgent" }).press("Enter");
  await pressInMenu(mara.getByRole("menuitemradio", { name: "Checked" }), "Enter");
  await row.getByRole("button", { name: "Urgent: Checked 20%", exact: true }).waitFor();
  await row.getByRole("button", { name: "Summarize Size" }).click();
  await mara.getByRole("menuitemradio", { name: "Count empty" }).click();
  await row.getByRole("button", { name: "Size: Count empty 1", exact: true }).waitFor();
  expect(await accessibilityProblems(mara)).toEqual([]);

  const placeOf = async (at: Locator) => {
    const { x, width } = (await at.boundingBox()) ?? {};
    return { x, width };
  };
  const [below, above] = [row.getByRole("button", { name: /^Cost/ }), cell(mara, "p0", "cost")];
  await expect
    .poll(async () => isDeepStrictEqual(await placeOf(below), await placeOf(above)))
    .toBe(true);

  await changeRecord(users.ana.page, product, "parcels", "p0", { cost: "0.30", urgent: false });
  await row
    .getByRole("button", { name: "Cost: Sum €9,007,199,254,741,018.55", exact: true })
    .waitFor();
  await row.getByRole("button", { name: "Urgent: Checked 0%", exact: true }).waitFor();
  await mara.reload();
  await row
    .getByRole("button", { name: "Cost: Sum €9,007,199,254,741,018.55", exact: true })
    .waitFor();

  // A view stores them, for everybody who uses it.
  const columns = [{ field: "cost", summary: "max" }];
  const view = { table: "parcels", name: "Totals", shared: true, columns };
  const { id } = await apiRequest<{ id: string }>(mara, product, "POST", "/views", view);
  const { page } = users.ana;
  const filter = encodeURIComponent(JSON.stringify({ field: "size", op: "eq", value: "L" }));
  await openTable(page, product, `parcels?view=${id}&filter=${filter}`);
  const theirs = page.getByRole("region", { name: "Summary" });
  await theirs
    .getByRole("button", { name: "Cost: Max €9,007,199,254,740,993.05", exact: true })
    .waitFor();

  // Its board has them for each column, and follows a colleague, too.
  await goTo(page, product, `/t/parcels/board?view=${id}&group=size`);
  const small = page.locator('[data-column="S"]');
  await small.getByText("Cost: Max €0.30", { exact: true }).waitFor();
  await changeRecord(mara, product, "parcels", "p0", { cost: "0.40" });
  await small.getByText("Cost: Max €0.40", { exact: true }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
});
