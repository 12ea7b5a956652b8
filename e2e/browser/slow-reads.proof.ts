// Covers: client/src/features/grid client/src/sync
import { Client } from "pg";
import { expect, it } from "vitest";
import { cardIn } from "./testing/board.ts";
import { visitAs } from "./testing/browser.ts";
import { goTo } from "./testing/go-to.ts";
import { cell, makeRecord } from "./testing/grid.ts";
import { openProduct, owner } from "./testing/product.ts";

const environment = { WATCHFLOOR_READ_TIMEOUT_MS: "2000" };
const { browser, product } = await openProduct({ environment });

/** Nobody can read the table until the returned function is called. */
async function lock(table: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: product.databaseUrl });
  await client.connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  return () => client.end();
}

it("says that a table took too long to read, not that it may not be read, and reads it again", async () => {
  const { page, leave } = await visitAs(browser, product, owner);
  await page.goto(`${product.url}/me`);
  await makeRecord(page, product, "services", "slow", { name: "Slow service" });
  const release = await lock("services");
  await goTo(page, product, "/t/services");
  await page.getByRole("heading", { name: "These records could not be loaded" }).waitFor();
  await page.getByText("The query took too long.").waitFor();
  expect(await page.getByText("You don't have access").count()).toBe(0);
  await release();
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await cell(page, "slow", "name").waitFor();
  await page.locator(".ag-root :focus").waitFor();
  await leave();
});

it("says the same of a board, and of no filter that can't be shown", async () => {
  const { page, leave } = await visitAs(browser, product, owner);
  await page.goto(`${product.url}/me`);
  await makeRecord(page, product, "incidents", "slow", { title: "Slow incident" });
  const release = await lock("incidents");
  await goTo(page, product, "/t/incidents/board?q=slow");
  await page.getByRole("heading", { name: "These records could not be loaded" }).waitFor();
  await release();
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await cardIn(page, "New", "slow").getByRole("link").and(page.locator(":focus")).waitFor();
  await leave();
});
