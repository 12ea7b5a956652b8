// Covers: client/src/records client/src/features/grid
import type { Locator, Page } from "playwright";
import { expect, it } from "vitest";
import type { Field, Model, Values } from "../../shared/model/model.ts";
import { apiRequest } from "./testing/api-request.ts";
import { visitAs } from "./testing/browser.ts";
import { cell, makeRecord, openTable } from "./testing/grid.ts";
import { openProduct, owner } from "./testing/product.ts";

const OPENED = "2026-03-09T17:45:33+00:00";

const { browser, product } = await openProduct();

/** The owner's page in a country and a zone. */
async function pageIn(locale: string, timezoneId: string): Promise<Page> {
  return (await visitAs(browser, product, owner, { locale, timezoneId })).page;
}

const valuesOf = async (page: Page, record: string) =>
  (
    await apiRequest<{ values: Record<string, unknown> }>(
      page,
      product,
      "GET",
      `/tables/incidents/records/${record}`,
    )
  ).values;

/** A view of one record with few columns, so that all of them are drawn. */
async function viewOf(page: Page, location: string): Promise<string> {
  const column = (field: string) => ({ field, width: 200, pinned: false, hidden: false });
  const { id } = await apiRequest<{ id: string }>(page, product, "POST", "/views", {
    table: "incidents",
    shared: true,
    name: location,
    filter: { field: "location", op: "eq", value: location },
    columns: ["title", "opened_at", "notes"].map(column),
  });
  return id;
}

async function openEditor(page: Page, record: string, field: string): Promise<Locator> {
  await cell(page, record, field).click();
  await page.keyboard.press("F2");
  const input = page.locator(".wf-editor input, .wf-editor-popup textarea").first();
  await input.waitFor();
  return input;
}

/** Pixels between the space for an input's text and the icon after it. */
function spaceBeforeIcon(input: Locator): Promise<number> {
  return input.evaluate((element) => {
    const icon = element.parentElement?.querySelector("svg")?.getBoundingClientRect();
    const padding = Number.parseFloat(getComputedStyle(element).paddingRight);
    return (icon?.left ?? 0) - (element.getBoundingClientRect().right - padding);
  });
}

it.each([
  ["en-US", "America/New_York", "Mar 9, 2026, 03:00 PM", "2026-03-09T19:00:00+00:00"],
  ["de-DE", "Europe/Berlin", "9. März 2026, 20:00", "2026-03-09T19:00:00+00:00"],
])(
  "shows a time in %s alike in cell, editor and panel, and parses it there",
  async (locale, zone, typed, stored) => {
    const page = await pageIn(locale, zone);
    const id = `time-${locale}`;
    const title = `Time in ${locale}`;
    await makeRecord(page, product, "incidents", id, { title, opened_at: OPENED, location: id });
    await openTable(page, product, `incidents/${id}?view=${await viewOf(page, id)}`);
    const shown = await cell(page, id, "opened_at").locator(".wf-value").textContent();
    const panel = page.getByRole("complementary", { name: `incident ${id}` });
    const inPanel = panel.getByRole("textbox", { name: "Opened" });
    await expect.poll(() => inPanel.inputValue()).toBe(shown);
    await panel.getByRole("button", { name: "Close panel" }).click();
    const input = await openEditor(page, id, "opened_at");
    await expect.poll(() => input.inputValue()).toBe(shown);
    await expect.poll(() => spaceBeforeIcon(input)).toBeGreaterThanOrEqual(4);
    // an unchanged part means the whole value, seconds included
    await page.keyboard.press("End");
    await page.keyboard.type("x");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Control+Enter");
    await input.waitFor({ state: "detached" });
    expect((await valuesOf(page, id)).opened_at).toBe(OPENED);
    await openEditor(page, id, "opened_at");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(typed);
    await page.keyboard.press("Control+Enter");
    await expect.poll(async () => (await valuesOf(page, id)).opened_at).toBe(stored);
    await page.context().close();
  },
);

it("edits, fills and copies decimals in a country that writes them with a comma", async () => {
  const page = await pageIn("de-DE", "Europe/Berlin");
  const model = await apiRequest<Model>(page, product, "GET", "/model");
  const fields: Field[] = [
    { name: "name", label: "Name", type: "text" },
    { name: "length", label: "Length", type: "decimal", scale: 3 },
    { name: "share", label: "Share", type: "percent", scale: 4 },
    { name: "width", label: "Width", type: "decimal", scale: 4 },
  ];
  const columns = fields.map(({ name }) => name);
  const samples = { name: "samples", label: "Samples", recordLabel: "sample", display: "name" };
  const tables = [...model.tables, { ...samples, fields, columns, sort: ["name"] }];
  await apiRequest(page, product, "PUT", "/model", { ...model, tables });
  await makeRecord(page, product, "samples", "sample", { name: "A", length: "1.250" });
  const storedIn = async (field: string) => {
    const at = "/tables/samples/records/sample";
    const { values } = await apiRequest<{ values: Values }>(page, product, "GET", at);
    return values[field];
  };
  await openTable(page, product, "samples");
  const input = await openEditor(page, "sample", "length");
  await expect.poll(() => input.inputValue()).toBe("1,250");
  await page.keyboard.press("End");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("1");
  await page.keyboard.press("Control+Enter");
  await expect.poll(() => storedIn("length")).toBe("1.251");
  await page.keyboard.press("ControlOrMeta+c");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("ControlOrMeta+r");
  await expect.poll(() => storedIn("share")).toBe("1.2510");
  await cell(page, "sample", "width").click();
  await page.keyboard.press("ControlOrMeta+v");
  await expect.poll(() => storedIn("width")).toBe("1.2510");
  await openEditor(page, "sample", "share");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("ControlOrMeta+v");
  await page.keyboard.type("5");
  await page.keyboard.press("Control+Enter");
  await expect.poll(() => storedIn("share")).toBe("1.2515");
  await page.context().close();
});

it("saves by Ctrl and Enter in a short and in a long text, and stays on the cell", async () => {
  const page = await pageIn("en-GB", "Europe/London");
  await makeRecord(page, product, "incidents", "save-key", { title: "Save key", location: "keys" });
  await openTable(page, product, `incidents?view=${await viewOf(page, "keys")}`);
  const before = await page.locator(".ag-row[row-id]").count();
  for (const [field, text] of [
    ["title", "By Ctrl Enter"],
    ["notes", "Also a long one"],
  ] as const) {
    const input = await openEditor(page, "save-key", field);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(text);
    await page.keyboard.press("Control+Enter");
    await input.waitFor({ state: "detached" });
    await expect.poll(async () => (await valuesOf(page, "save-key"))[field]).toBe(text);
    await cell(page, "save-key", field).and(page.locator(".ag-cell-focus")).waitFor();
  }
  await expect.poll(() => page.locator(".ag-row[row-id]").count()).toBe(before);
  await page.context().close();
});

it("saves an option that was typed in full after a correction, also when a click ends it", async () => {
  const page = await pageIn("en-GB", "Europe/London");
  const model = await apiRequest<Model>(page, product, "GET", "/model");
  const options = [{ value: "Open" }, { value: "Reopened" }];
  const fields: Field[] = [
    { name: "name", label: "Name", type: "text" },
    { name: "phase", label: "Phase", type: "select", options },
  ];
  const tasks = { name: "tasks", label: "Tasks", recordLabel: "task", display: "name" };
  const table = { ...tasks, fields, columns: ["name", "phase"], sort: ["name"] };
  await apiRequest(page, product, "PUT", "/model", { ...model, tables: [...model.tables, table] });
  await makeRecord(page, product, "tasks", "task", { name: "A" });
  await openTable(page, product, "tasks");
  await openEditor(page, "task", "phase");
  await page.keyboard.type("Openn");
  await page.keyboard.press("Backspace");
  await cell(page, "task", "name").click();
  const storedPhase = async () => {
    const at = "/tables/tasks/records/task";
    return (await apiRequest<{ values: Values }>(page, product, "GET", at)).values.phase;
  };
  await expect.poll(storedPhase).toBe("Open");
  await page.context().close();
});

it("closes by Escape the list of a filter's value first, and the filter only then", async () => {
  const page = await pageIn("en-GB", "Europe/London");
  const filter = JSON.stringify({ field: "group", op: "eq", value: "Network" });
  await openTable(page, product, `incidents?filter=${encodeURIComponent(filter)}`);
  await page.getByRole("button", { name: /^Filter/ }).click();
  const value = page.getByRole("combobox", { name: "Value for Group" });
  await value.click();
  await expect.poll(() => value.getAttribute("aria-expanded")).toBe("true");
  await page.keyboard.press("Escape");
  await expect.poll(() => value.getAttribute("aria-expanded")).toBe("false");
  await value.waitFor();
  await page.keyboard.press("Escape");
  await value.waitFor({ state: "detached" });
  await page.context().close();
});
