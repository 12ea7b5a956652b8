// Covers: client/src/features/grid client/src/records
import { beforeEach, describe, expect, it } from "vitest";
import type { ActivityEntry } from "../../shared/protocol/records.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { changeRecord, goToTable, openTable } from "./testing/grid.ts";
import { openTwoUsers } from "./testing/two-users.ts";
import { chooseTool } from "./testing/view-menu.ts";

/** More than one page of a preview, and more rows than the grid holds on the screen. */
const RECORDS = 60;

const { browser, product, mara, ana } = await openTwoUsers();
let count = 0;
let view = "";
let records: string[] = [];

beforeEach(async () => {
  count += 1;
  const subcategory = `bulk-${count}`;
  const filter = { field: "subcategory", op: "eq", value: subcategory };
  view = `incidents?filter=${encodeURIComponent(JSON.stringify(filter))}`;
  records = Array.from({ length: RECORDS }, (_, index) => `bulk-${count}-${index}`);
  const ops = records.map((record) => {
    const values = { title: `Title of ${record}`, subcategory, location: "Oslo", state: "New" };
    return { op: "create", table: "incidents", record, values };
  });
  await apiRequest(mara, product, "POST", "/mutations", { id: `bulk-${count}`, ops });
});

const dialog = () => mara.getByRole("dialog");

const preview = () => mara.getByRole("region", { name: "Changes" });

const click = (name: string | RegExp) => mara.getByRole("button", { name }).click();

const read = async (record: string) => {
  const path = `/tables/incidents/records/${record}`;
  return (await apiRequest<{ values: Record<string, unknown> }>(mara, product, "GET", path)).values;
};

describe("bulk edit", () => {
  it("stays open when Escape closes the list of its input", async () => {
    await goToTable(mara, product, view);
    await chooseTool(mara, "Edit all…");
    // A field that records share, not their title.
    const begun = dialog().getByLabel("Change").locator("option:checked");
    await expect.poll(() => begun.textContent()).toBe("Impact");
    await dialog().getByLabel("Change").selectOption("Priority");
    const priority = dialog().getByRole("combobox", { name: "Priority" });
    await priority.click();
    const list = mara.getByRole("listbox");
    await list.waitFor();
    await priority.press("Escape");
    await list.waitFor({ state: "detached" });
    await priority.press("Escape");
    await dialog().waitFor({ state: "detached" });
  });

  it("sets a field of every record in the view, except the one that another user changes meanwhile", async () => {
    await goToTable(mara, product, view);
    await chooseTool(mara, "Edit all…");
    await dialog().getByText(`Edit ${RECORDS} incidents`).waitFor();
    await dialog().getByLabel("Change").selectOption("Location");
    await dialog().getByRole("textbox", { name: "Location" }).fill("Porto");
    expect(await accessibilityProblems(mara)).toEqual([]);
    await dialog().getByRole("button", { name: "Preview changes" }).click();
    const title = `Set Location of ${RECORDS} incidents`;
    await mara.getByRole("heading", { level: 1, name: title }).waitFor();
    await preview().getByText(`1–50 of ${RECORDS}`).waitFor();
    await changeRecord(ana, product, "incidents", records[3] as string, { location: "Lisbon" });
    await click(`Apply ${RECORDS} changes`);
    await mara.getByText("Nothing was saved yet: somebody changed 1 record").waitFor();
    await click("Needs attention 1");
    await preview().getByText("Lisbon", { exact: true }).waitFor();
    await click(`Apply ${RECORDS - 1} changes`);
    await click(`Apply the other ${RECORDS - 1}`);
    await mara
      .getByText(`${RECORDS - 1} changes applied.`)
      .first()
      .waitFor();
    await expect.poll(() => read(records[3] as string)).toMatchObject({ location: "Lisbon" });
    await expect.poll(() => read(records[59] as string)).toMatchObject({ location: "Porto" });
    const [last] = (
      await apiRequest<{ items: ActivityEntry[] }>(mara, product, "GET", "/changes?table=incidents")
    ).items;
    expect(last).toMatchObject({ origin: "bulk" });
  });

  it("runs a transition on the selected records only", async () => {
    await goToTable(mara, product, view);
    const boxes = mara.locator('.ag-row input[type="checkbox"]');
    await boxes.nth(0).click();
    await boxes.nth(1).click();
    await click("Edit…");
    await dialog().getByText("Edit 2 incidents").waitFor();
    await dialog().getByLabel("Change").selectOption({ label: "Start work" });
    await dialog().getByRole("button", { name: "Preview changes" }).click();
    await preview().getByText("Active", { exact: true }).first().waitFor();
    await click("Apply 2 changes");
    await mara.getByText("2 changes applied.").first().waitFor();
    const filter = JSON.stringify({ field: "state", op: "eq", value: "Active" });
    const active = await apiRequest<{ records: { id: string }[] }>(
      mara,
      product,
      "GET",
      `/tables/incidents/records?search=bulk-${count}&filter=${encodeURIComponent(filter)}`,
    );
    expect(active.records).toHaveLength(2);
  });

  it("sets a field of a few selected records at once, and takes it back", async () => {
    await goToTable(mara, product, view);
    const boxes = mara.locator('.ag-row input[type="checkbox"]');
    await boxes.nth(0).click();
    await boxes.nth(1).click();
    await click("Edit…");
    await dialog().getByLabel("Change").selectOption("Location");
    await dialog().getByRole("textbox", { name: "Location" }).fill("Porto");
    await dialog().getByRole("button", { name: "Change 2 incidents" }).click();
    await mara.getByText("2 records changed.").first().waitFor();
    const places = async (place: string | null = "Porto") => {
      const values = await Promise.all(records.map(read));
      return values.filter(({ location }) => location === place).length;
    };
    await expect.poll(() => places()).toBe(2);
    await mara.getByRole("button", { name: "Undo", exact: true }).first().click();
    await expect.poll(() => places()).toBe(0);

    // No value is a value only where the field shall be cleared.
    await click("Edit…");
    await dialog().getByLabel("Change").selectOption("Location");
    const change = dialog().getByRole("button", { name: "Change 2 incidents" });
    await change.click();
    await dialog().getByText("Enter a value for Location, or clear the field.").waitFor();
    await dialog().getByRole("checkbox", { name: "Clear this field" }).check();
    await change.click();
    await expect.poll(() => places(null)).toBe(2);

    await mara
      .getByRole("toolbar", { name: "2 selected" })
      .getByRole("button", { name: "Priority" })
      .click();
    await dialog().getByRole("combobox", { name: "Priority" }).waitFor();
    await mara.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    expect(new URL(mara.url()).pathname).toBe("/t/incidents");
  });

  it("selects nothing of another search", async () => {
    await goToTable(mara, product, view);
    await mara.locator('.ag-row input[type="checkbox"]').first().click();
    const edit = mara.getByRole("button", { name: "Edit…" });
    await edit.waitFor();
    await mara.getByRole("searchbox").fill(`Title of ${records[1]}`);
    await edit.waitFor({ state: "detached" });
  });

  it("is offered only to users who can change something", async () => {
    const viewer = { email: "vic@example.com", password: "one more long sentence" };
    await apiRequest(mara, product, "POST", "/users", { ...viewer, name: "Vic", role: "viewer" });
    const context = await browser.newContext();
    const page = await context.newPage();
    await apiRequest(page, product, "POST", "/session", viewer);
    await openTable(page, product, view);
    await page.getByTestId("total").getByText(String(RECORDS)).waitFor();
    await page.getByRole("button", { name: "More tools", exact: true }).click();
    await page.getByRole("menuitem", { name: "Find in this view" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "Edit all…" }).count()).toBe(0);
    await context.close();
  });
});
