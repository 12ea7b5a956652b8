// Covers: client/src/sync client/src/features/grid
import type { Page } from "playwright";
import { expect, it } from "vitest";
import { apiRequest } from "./testing/api-request.ts";
import { cell, changeRecord, makeRecord, openTable, waitForText } from "./testing/grid.ts";
import { openTwoUsers } from "./testing/two-users.ts";

const { product, users } = await openTwoUsers();

async function write(page: Page, record: string, text: string): Promise<void> {
  await cell(page, record, "title").click();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
  await waitForText(cell(page, record, "title"), text);
  await cell(page, record, "title").and(page.locator(":not([data-state])")).waitFor();
}

it("says who has restored a deleted record before, and leaves it to them when the deletion is redone", async () => {
  const { page } = users.ana;
  await makeRecord(page, product, "incidents", "undo-3", {
    title: "Restored by two",
    state: "New",
  });
  await openTable(page, product, "incidents?q=Restored+by");
  await cell(page, "undo-3", "title").click({ button: "right" });
  await page.getByRole("menuitem", { name: /^Delete/ }).click();
  await page.getByText("1 incident deleted.").first().waitFor();
  const path = "/tables/incidents/records/undo-3";
  await apiRequest(users.mara.page, product, "POST", `${path}/restore`);
  await page.getByRole("button", { name: "Undo", exact: true }).first().click();
  await page.getByText("mara had already restored 1 record.").first().waitFor();
  await page.getByRole("button", { name: "Redo", exact: true, disabled: true }).first().waitFor();
  await apiRequest(users.mara.page, product, "GET", path);
});

it("undoes and redoes after a reload, says what, and leaves a colleague's later edit alone", async () => {
  const { page } = users.ana;
  for (const record of ["undo-1", "undo-2"]) {
    await makeRecord(page, product, "incidents", record, {
      title: `Reload ${record}`,
      state: "New",
    });
  }
  await openTable(page, product, "incidents?q=Reload");
  await write(page, "undo-1", "Reload first");
  await write(page, "undo-2", "Reload second");
  await changeRecord(users.mara.page, product, "incidents", "undo-2", { title: "Reload theirs" });
  await waitForText(cell(page, "undo-2", "title"), "Reload theirs");

  await page.reload();
  await waitForText(cell(page, "undo-2", "title"), "Reload theirs");
  await cell(page, "undo-1", "state").click();
  await page.keyboard.press("Control+Z");
  await page
    .getByText(/^Not undone\. .*: mara changed/)
    .first()
    .waitFor();
  await waitForText(cell(page, "undo-2", "title"), "Reload theirs");
  await page.getByRole("button", { name: "Undo", exact: true }).first().click();
  await page
    .getByText(/^Undone: Title of “INC/)
    .first()
    .waitFor();
  await waitForText(cell(page, "undo-1", "title"), "Reload undo-1");

  await page.reload();
  await cell(page, "undo-1", "state").click();
  await page.keyboard.press("Control+Shift+Z");
  await waitForText(cell(page, "undo-1", "title"), "Reload first");

  // The panel has the same steps, also after a reload.
  await page.goto(`${product.url}/t/incidents/undo-1?q=Reload`);
  const panel = page.getByRole("complementary", { name: "incident undo-1" });
  await panel.getByLabel("Title", { exact: true }).waitFor();
  // Until the stored edit is there, the page shows what the next step leads to.
  await waitForText(cell(page, "undo-1", "title"), "Reload first");
  await panel.focus();
  await page.keyboard.press("Control+Z");
  await waitForText(cell(page, "undo-1", "title"), "Reload undo-1");
  await panel.focus();
  // The page is left at once: the edit has been stored all the same.
  await page.keyboard.press("Control+Shift+Z");

  const stored = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  await page.reload();
  await waitForText(cell(page, "undo-1", "title"), "Reload first");
  await expect.poll(() => stored()).toContain("Reload");
  await page.getByRole("button", { name: /account menu of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/login/);
  await expect.poll(stored).not.toContain("Reload");
});
