// Covers: server/store client/src/sync/records
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { visitAs } from "../browser/testing/browser.ts";
import { cell, openTable } from "../browser/testing/grid.ts";
import { openProduct, owner } from "../browser/testing/product.ts";

/** Another program renames, drops or retypes a column while the table is open. */

const { browser, product } = await openProduct();
const program = new pg.Client({ connectionString: product.databaseUrl });
await program.connect();
afterAll(() => program.end());

const changes = [
  ["rename column notes to remarks", "rename column remarks to notes", "column notes is missing"],
  ["drop column due_at", "add column due_at timestamptz", "column due_at is missing"],
  [
    "alter column reassignments type text",
    "alter column reassignments type bigint using reassignments::bigint",
    "column reassignments has type text",
  ],
] as const;

describe.each(changes)("after %s", (change, back, problem) => {
  const sentence = `The table Incidents no longer fits the model: ${problem}.`;

  it("a page says so, keeps what is typed, and continues when the column is back", async () => {
    const { page } = await visitAs(browser, product, owner);
    await openTable(page, product, "incidents");
    await cell(page, "seed-1", "title").waitFor();
    const typed = `Typed after ${change}`;
    const other = (await visitAs(browser, product, owner)).page;
    await program.query(`alter table incidents ${change}`);
    try {
      await cell(page, "seed-1", "title").click();
      await page.keyboard.type(typed);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: /^1 to review/ }).click();
      await page.getByRole("dialog").getByText(sentence).waitFor();
      await other.goto(`${product.url}/t/incidents`);
      await other.getByText(sentence).first().waitFor();
    } finally {
      await program.query(`alter table incidents ${back}`);
    }
    await page.getByRole("dialog").getByText("Review", { exact: true }).click();
    await page.getByText(typed).first().waitFor();
    await other.getByRole("button", { name: "Try again" }).click();
    await cell(other, "seed-1", "title").waitFor();
    await Promise.all([page.context().close(), other.context().close()]);
    expect(product.log.filter((line) => line.includes("unforeseen failure"))).toEqual([]);
  });
});
