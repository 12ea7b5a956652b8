import { beforeAll, describe, expect, it } from "vitest";
import { type Visitor, visitAs } from "./testing/browser.ts";
import { makeRecord } from "./testing/grid.ts";
import { openProduct, owner } from "./testing/product.ts";

/** Views of more records are estimated. */
const environment = { WATCHFLOOR_EXACT_TOTAL_MAX_RECORDS: "10" };
const { browser, product } = await openProduct({ environment });
let visitor: Visitor;

beforeAll(async () => {
  visitor = await visitAs(browser, product, owner);
});

describe("the number of records of a long view", () => {
  it("is an estimate until it is counted, and counted again after changes", async () => {
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
    const count = await stored();
    await page.goto(`${product.url}/t/incidents`);
    const total = page.getByTestId("total");
    await total.filter({ hasText: /^≈ \d+ incidents$/ }).waitFor();
    held.resolve();
    await expect.poll(() => total.textContent()).toBe(`${count} incidents`);
    await makeRecord(page, product, "incidents", "one-more", { title: "One more", state: "New" });
    await expect.poll(() => total.textContent()).toBe(`${count + 1} incidents`);
  });
});

it("complained of nothing", () => {
  expect(visitor.consoleErrors).toEqual([]);
});
