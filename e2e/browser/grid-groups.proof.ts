// Covers: client/src/features/grid client/src/sync
import type { Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import type { WireRecord } from "../../shared/protocol/record.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { cell, changeRecord, goToTable, makeRecord, paste, waitForText } from "./testing/grid.ts";
import { addSizedParcels } from "./testing/sized-parcels.ts";
import { openTwoUsers } from "./testing/two-users.ts";
import { chooseTool, pressInMenu } from "./testing/view-menu.ts";

const { product, users, mara } = await openTwoUsers();

beforeAll(async () => {
  await addSizedParcels(mara, product);
});

/** What is on the screen from top to bottom: headings by their label and count, records by their id. */
function linesShown(page: Page): Promise<string[]> {
  return page.locator(".ag-row:not(.ag-row-pinned)").evaluateAll((rows) => {
    const text = (row: Element, part: string) => row.querySelector(part)?.textContent ?? "";
    return rows
      .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
      .map((row) => {
        const heading = `${text(row, ".wf-heading-label")} ${text(row, ".wf-heading-count")}`;
        return row.getAttribute("row-id") ?? heading.trim();
      });
  });
}

it("groups the rows under headings, which hide them and add to them", async () => {
  const { page } = users.ana;
  const lines = () => linesShown(page);
  const focusedRow = () =>
    page.evaluate(() => {
      const row = document.activeElement?.closest(".ag-row");
      return row?.getAttribute("row-id") ?? row?.querySelector(".wf-heading-label")?.textContent;
    });
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await goToTable(page, product, "parcels");
  await page.getByRole("button", { name: "Group", exact: true }).press("Enter");
  await pressInMenu(page.getByRole("menuitemradio", { name: "Size" }), "Enter");
  const add = "New parcel";
  const groups = [
    ["Large 2", "p1", "p4", add],
    ["Small 2", "p0", "p2", add],
    ["no Size 1", "p3", add],
  ];
  await expect.poll(lines).toEqual(groups.flat());
  expect(new URL(page.url()).searchParams.get("by")).toBe("size");
  expect(await accessibilityProblems(page)).toEqual([]);

  // A colleague moves a record: the counts follow at once, rows and headings when they are re-sorted.
  const moveTo = async (size: string | null) => {
    await changeRecord(mara, product, "parcels", "p3", { size });
  };
  await moveTo("L");
  const [large = [], small = []] = groups;
  const left = [...large.with(0, "Large 3"), ...small, "no Size 0", "p3", add];
  await expect.poll(lines).toEqual(left);
  await page.getByRole("button", { name: "Update list" }).click();
  await expect.poll(lines).toEqual(["Large 3", "p1", "p3", "p4", add, ...small]);
  await moveTo(null);
  await page.getByRole("button", { name: "Update list" }).click();
  await expect.poll(lines).toEqual(groups.flat());
  // Where the row is in its place already, the heading moves.
  await moveTo("S");
  const moved = [...large, "Small 3", "p0", "p2", "p3", add, "no Size 0", add];
  await expect.poll(lines).toEqual(moved);
  await moveTo(null);
  await expect.poll(lines).toEqual(groups.flat());

  // Arrows lead over the headings and the rows for new records; ranges pass them.
  await cell(page, "p4", "name").click();
  await press("ArrowDown");
  await expect.poll(focusedRow).toBe(add);
  await press("ArrowDown");
  await expect.poll(focusedRow).toBe("Small");
  await press("ArrowLeft");
  await expect.poll(lines).toEqual([...large, "Small 2", ...(groups[2] ?? [])]);
  await press("ArrowDown");
  await expect.poll(focusedRow).toBe("no Size");
  await press("ArrowDown");
  await expect.poll(focusedRow).toBe("p3");
  await press("Control+a");
  await page.getByTestId("range").getByText("12 cells").waitFor();
  await cell(page, "p4", "name").click();
  await press("F2", "!", "Enter");
  await waitForText(cell(page, "p4", "name"), "Parcel 4!");
  await expect.poll(focusedRow).toBe(add);
  await press("Control+z");
  await waitForText(cell(page, "p4", "name"), "Parcel 4");

  // What is hidden is neither pasted into, filled nor found.
  await cell(page, "p1", "name").click();
  await paste(page, "One\nFour\nThree");
  await waitForText(cell(page, "p3", "name"), "Three");
  await press("Control+z");
  await waitForText(cell(page, "p3", "name"), "Parcel 3");
  await press("Control+d");
  await waitForText(cell(page, "p3", "name"), "Parcel 1");
  await press("Control+z");
  await waitForText(cell(page, "p3", "name"), "Parcel 3");
  await press("Control+f");
  await page.keyboard.type("parcel");
  await page.getByTestId("find-place").getByText("1 of 3").waitFor();
  await press("Escape");
  await page.getByTestId("find-place").waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Rows of Small" }).click();
  await expect.poll(lines).toEqual(groups.flat());

  // A new record begins in the group that it was added to, and stays where it began.
  await page.getByRole("gridcell", { name: add }).first().click();
  await expect.poll(async () => (await lines())[3]).toMatch(/^[0-9a-f-]{36}$/);
  await page.keyboard.type("Parcel 5");
  await press("Enter");
  await expect.poll(async () => (await lines())[0]).toBe("Large 3");
  const [, , , made = ""] = await lines();
  await expect.poll(lines).toEqual(["Large 3", "p1", "p4", made, add, ...groups.flat().slice(4)]);
  await waitForText(cell(page, made, "name"), "Parcel 5");
  await page.getByRole("button", { name: "New record in Small" }).click();
  await expect.poll(async () => (await lines()).indexOf("p0")).toBe(7);
  await page.keyboard.type("Parcel 6");
  await press("Enter");
  await expect.poll(async () => (await lines())[5]).toBe("Small 3");

  await page.getByRole("button", { name: /^Group: / }).click();
  await page.getByRole("menuitem", { name: "Collapse all groups" }).click();
  await expect.poll(lines).toEqual(["Large 3", "Small 3", "no Size 1"]);
  // The line below the rows counts what the groups hide, and so does the dialog that edits all of it.
  const total = page.getByTestId("total");
  await total.filter({ hasText: /^7 parcels$/ }).waitFor();
  await chooseTool(page, "Edit all…");
  await page.getByRole("dialog", { name: "Edit 7 parcels", exact: true }).waitFor();
  await makeRecord(mara, product, "parcels", "hidden", { name: "Hidden", size: "S" });
  await page.getByRole("dialog", { name: "Edit 8 parcels", exact: true }).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await apiRequest(mara, product, "DELETE", "/tables/parcels/records/hidden?overwrite=true");
  await total.filter({ hasText: /^7 parcels$/ }).waitFor();
  // On a phone the headings are between the cards.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Rows of Small" }).click();
  await expect.poll(async () => (await lines()).slice(1, 4)).toEqual(["Small 3", "p0", "p2"]);
});

it("shows the summaries of columns in the headings, and follows a colleague's changes", async () => {
  const { page } = users.ana;
  const columns = [
    ...[{ field: "name" }, { field: "size" }],
    ...[
      { field: "cost", summary: "sum" },
      { field: "urgent", summary: "checked" },
    ],
  ];
  const view = { table: "parcels", name: "Costs by size", shared: true, columns };
  const { id } = await apiRequest<{ id: string }>(mara, product, "POST", "/views", view);
  await page.setViewportSize({ width: 1440, height: 900 });
  await goToTable(page, product, `parcels?view=${id}&by=size`);
  const details = () =>
    page.locator(".wf-heading").evaluateAll((headings) =>
      headings.map((heading) => {
        const parts = heading.querySelectorAll(".wf-heading-label, .wf-heading-detail");
        return [...parts].map((part) => part.textContent).join(" | ");
      }),
    );
  const ofLarge = "Large | Cost: Sum €9,007,199,254,741,013.05 | Urgent: Checked 0%";
  const ofNone = "no Size | Cost: Sum €5.00 | Urgent: Checked 0%";
  await expect
    .poll(details)
    .toEqual([
      ...[ofLarge, expect.stringContaining("Small | Cost: Sum €0.30 | Urgent: Checked"), ofNone],
    ]);
  await changeRecord(mara, product, "parcels", "p0", { cost: "0.50" });
  await expect.poll(async () => (await details())[1]).toContain("Small | Cost: Sum €0.70 |");
  // A record that goes to another group takes its part of both sums along.
  await changeRecord(mara, product, "parcels", "p3", { size: "S", urgent: true });
  await expect.poll(async () => (await details())[1]).toContain("Small | Cost: Sum €5.70 |");
  await expect.poll(async () => (await details())[2]).toBe("no Size");
  await changeRecord(mara, product, "parcels", "p3", { size: null, urgent: false });
  await expect.poll(async () => (await details())[2]).toBe(ofNone);
  await changeRecord(mara, product, "parcels", "p0", { cost: "0.10" });
  await expect.poll(async () => (await details())[1]).toContain("Small | Cost: Sum €0.30 |");
});

it("gives keys to a heading that was clicked, not to the cell that had the focus before", async () => {
  const { page } = users.ana;
  await page.setViewportSize({ width: 1440, height: 900 });
  await goToTable(page, product, "parcels?by=size");
  const rows = () => linesShown(page);
  await expect.poll(rows).toContain("p0");
  const name = await cell(page, "p0", "name").textContent();
  for (const part of [".wf-heading-label", ".wf-heading-toggle"]) {
    await cell(page, "p0", "name").click();
    await page.locator(".ag-full-width-row", { hasText: "Small" }).locator(part).click();
    await expect.poll(rows).not.toContain("p0");
    await page.keyboard.press("Enter");
    await expect.poll(rows).toContain("p0");
    await page.keyboard.type("abc");
    await page.keyboard.press("End");
    await expect
      .poll(() =>
        page.evaluate(() => document.activeElement?.closest(".ag-row")?.getAttribute("row-id")),
      )
      .toBe("p0");
    await expect.poll(() => cell(page, "p0", "name").textContent()).toBe(name);
  }
});

it("takes a series of new records in one group, typed without a look at the screen", async () => {
  const { page } = users.ana;
  const stored = async () => {
    const path = "/tables/parcels/records?limit=100&sort=name";
    return (await apiRequest<{ records: WireRecord[] }>(mara, product, "GET", path)).records;
  };
  const storedNames = async () =>
    (await stored()).map(({ values }) => `${values.name} ${values.size}`);
  await page.setViewportSize({ width: 1440, height: 900 });
  await goToTable(page, product, "parcels?by=size");
  const before = await storedNames();
  const numbers = Array.from({ length: 10 }, (_, n) => n + 10);
  await cell(page, "p0", "name").click();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  for (const n of numbers) {
    // Rows of a group above come while the focus is on the row for new records.
    if (n % 4 === 0) await makeRecord(mara, product, "parcels", `l${n}`, { name: "A", size: "L" });
    await page.keyboard.type(`Series ${n}`);
    await page.keyboard.press("Enter");
  }
  const made = numbers.map((n) => `Series ${n} S`);
  await expect
    .poll(async () => (await storedNames()).filter((name) => name !== "A L"))
    .toEqual([...before, ...made].sort());

  // A draft is in its group after a reload, too.
  const draft = async () => {
    const shown = await linesShown(page);
    // Its count is an estimate at first.
    const end = shown.findIndex((line) => line.startsWith("no Size"));
    const last = shown[end - 2] ?? "";
    return (await stored()).some(({ id }) => id === last) ? "" : last;
  };
  await page.getByRole("gridcell", { name: "New parcel" }).nth(1).click();
  await expect.poll(draft).not.toBe("");
  const begun = await draft();
  expect((await storedNames()).length).toBe(before.length + made.length + 2);
  await page.reload();
  await expect.poll(draft).toBe(begun);
});

it("counts the groups on the screen where there are more than are counted with the view", async () => {
  const many = Array.from({ length: 1_009 }, (_, index) => `Parcel ${10_000 + index}`);
  const names = [...many, "Zoo"];
  const creates = names.map((name) => {
    return { op: "create", table: "parcels", record: name, values: { name } };
  });
  for (const start of [0, 505]) {
    const ops = creates.slice(start, start + 505);
    await apiRequest(mara, product, "POST", "/mutations", { id: `many-${start}`, ops });
  }
  await goToTable(mara, product, "parcels?by=name&sort=-name");
  const first = async () => (await linesShown(mara))[0];
  await expect.poll(first).toBe("Zoo 1");
  await changeRecord(users.ana.page, product, "parcels", "Parcel 10000", { name: "Zoo" });
  await expect.poll(first).toBe("Zoo 2");
  await mara.locator(".wf-heading").first().hover();
  await mara.mouse.wheel(0, 9_000);
  const counts = () => mara.locator(".wf-heading-count").allTextContents();
  await expect.poll(async () => new Set(await counts())).toEqual(new Set(["1"]));
});
