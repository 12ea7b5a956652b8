// Covers: client/src/features/grid client/src/sync
import { beforeAll, describe, expect, it } from "vitest";
import { apiRequest } from "./testing/api-request.ts";
import { type Visitor, visitAs } from "./testing/browser.ts";
import { cell, makeRecord, openTable } from "./testing/grid.ts";
import { openProduct, owner } from "./testing/product.ts";
import { chooseTool } from "./testing/view-menu.ts";

/** Views of more records are not counted with their pages. */
const environment = { EXACT_TOTAL_MAX_RECORDS: "10", COUNT_TIMEOUT_MS: "0" };
const { browser, product } = await openProduct({ environment });
let visitor: Visitor;

beforeAll(async () => {
  visitor = await visitAs(browser, product, owner);
});

describe("the number of records of a long view", () => {
  it("is an estimate or a bound until it is counted, and counted again after changes", async () => {
    const { page } = visitor;
    const held = Promise.withResolvers<void>();
    await page.route("**/incidents/summary?**", (route) =>
      held.promise.then(() => route.continue()),
    );
    const stored = async () => {
      const url = `${product.url}/api/v1/tables/incidents/summary?measure=count`;
      const { rows } = await (await page.request.get(url)).json();
      return Number(rows[0].value);
    };
    await page.goto(`${product.url}/t/incidents`);
    const total = page.getByTestId("total");
    await total.filter({ hasText: /^(≈|more than) \d+ incidents$/ }).waitFor();
    // The dialog that edits all of them says the same number as the line below the rows, also when it becomes exact.
    await chooseTool(page, "Edit all…");
    const about = `Edit ${await total.textContent()}`.replace("≈", "about");
    await page.getByRole("dialog", { name: about, exact: true }).waitFor();
    // A server that has counted a view for anybody knows its total from then on.
    const count = await stored();
    held.resolve();
    await page.getByRole("dialog", { name: `Edit ${count} incidents`, exact: true }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => total.textContent()).toBe(`${count} incidents`);
    await makeRecord(page, product, "incidents", "one-more", { title: "One more", state: "New" });
    await expect.poll(() => total.textContent()).toBe(`${count + 1} incidents`);
  });

  it("is a bound in a part of a table, in the line and in the dialog", async () => {
    const read = { filter: { field: "title", op: "ne", value: "One more" } };
    const grants = { incidents: { read, update: true } };
    const call = <T>(path: string, data: object) =>
      apiRequest<T>(visitor.page, product, "POST", path, data);
    const role = await call<{ id: string }>("/roles", { name: "Some rows", rights: [], grants });
    const user = { email: "ana@example.com", password: "another long sentence" };
    await call("/users", { ...user, name: "Ana Lopes", role: role.id });
    const { page } = await visitAs(browser, product, user);
    await page.route("**/incidents/summary?**", () => undefined);
    await page.goto(`${product.url}/t/incidents`);
    const total = page.getByTestId("total");
    await total.filter({ hasText: /^more than 10 incidents$/ }).waitFor();
    await chooseTool(page, "Edit all…");
    const title = `Edit ${await total.textContent()}`;
    await page.getByRole("dialog", { name: title, exact: true }).waitFor();
  });

  it("ends with its last record, where Ctrl+End leads, at 90 % zoom", async () => {
    const ids = Array.from({ length: 200 }, (_, n) => `whole-${String(n).padStart(3, "0")}`);
    const ops = ids.map((record) => {
      return { op: "create", table: "incidents", record, values: { title: `Whole ${record}` } };
    });
    await apiRequest(visitor.page, product, "POST", "/mutations", { id: "whole", ops });
    const { page } = await visitAs(browser, product, owner, { deviceScaleFactor: 0.9 });
    // It stays a bound.
    await page.route("**/incidents/summary?**", () => undefined);
    const filter = encodeURIComponent(
      JSON.stringify({ field: "title", op: "contains", value: "Whole" }),
    );
    await openTable(page, product, `incidents?filter=${filter}&sort=title`);
    await cell(page, "whole-000", "title").click();
    // What the grid says of its rows, from now on.
    await page.getByRole("grid").evaluate((grid) => {
      const counts: number[] = [Number(grid.getAttribute("aria-rowcount"))];
      const note = () => counts.push(Number(grid.getAttribute("aria-rowcount")));
      new MutationObserver(note).observe(grid, { attributes: true });
      Object.assign(globalThis, { counts });
    });
    await page.keyboard.press("Control+End");
    await page.locator('.ag-row[row-id="whole-199"] .ag-cell-focus').waitFor();
    await page.locator(".ag-row .wf-loading").first().waitFor({ state: "detached" });
    const differing = () =>
      page.evaluate(() => new Set((globalThis as unknown as { counts: number[] }).counts).size);
    await expect.poll(differing).toBe(1);
  });
});
