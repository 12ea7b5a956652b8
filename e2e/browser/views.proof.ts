// Covers: client/src/features/grid server/views
import type { Page } from "playwright";
import { beforeEach, describe, expect, it } from "vitest";
import type { ViewInfo } from "../../shared/protocol/views.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest as askAs } from "./testing/api-request.ts";
import { cell, goToTable, makeRecord, recordsShown, sortByHeader } from "./testing/grid.ts";
import { openTwoUsers } from "./testing/two-users.ts";
import {
  chooseInViewMenu as choose,
  viewMenuItem as item,
  viewMenu as menu,
} from "./testing/view-menu.ts";

const { product, mara, ana } = await openTwoUsers();
/** The owner, and an editor. */
let place = "";
let view: ViewInfo;

/** Calls the API as the owner. */
const request = <T>(method: string, path: string, data?: object) =>
  askAs<T>(mara, product, method, path, data);

let count = 0;
beforeEach(async () => {
  count += 1;
  place = `Room ${count}`;
  for (const [title, category] of [
    ["A", "3"],
    ["B", "1"],
    ["C", "2"],
  ] as const) {
    const values = { title, category, state: "New", location: place };
    await makeRecord(mara, product, "incidents", `${count}-${title}`, values);
  }
  view = await request<ViewInfo>("POST", "/views", {
    table: "incidents",
    name: place,
    shared: true,
    filter: { field: "location", op: "eq", value: place },
    sort: ["title"],
  });
});

const rows = (...titles: string[]) => titles.map((title) => `${count}-${title}`);

async function waitForRows(page: Page, ...titles: string[]): Promise<void> {
  const expectedText = rows(...titles).join();
  await expect
    .poll(async () => (await recordsShown(page)).join(), { timeout: 60_000 })
    .toBe(expectedText);
}

const open = (page: Page) => goToTable(page, product, `incidents?view=${view.id}`);

async function hideCaller(): Promise<void> {
  await mara.getByRole("button", { name: /^Fields/ }).click();
  await mara.getByRole("dialog").getByRole("checkbox", { name: "Caller" }).click();
  await mara.keyboard.press("Escape");
}

describe("a shared view", () => {
  it("leaves my own changes on top of it, until I discard them", async () => {
    await open(ana);
    await sortByHeader(ana, "Category");
    await waitForRows(ana, "B", "C", "A");
    await request("PATCH", `/views/${view.id}`, { sort: ["-title"] });
    await menu(ana).click();
    await ana.getByText("Somebody else has saved other changes to this view.").waitFor();
    await expect(recordsShown(ana)).resolves.toEqual(rows("B", "C", "A"));
    await expect.poll(() => item(ana, "Save changes").count()).toBe(0);
    await item(ana, "Discard changes").click();
    await waitForRows(ana, "C", "B", "A");
  });

  it("asks before it overwrites what another user has saved meanwhile", async () => {
    await open(mara);
    await sortByHeader(mara, "Category");
    await waitForRows(mara, "B", "C", "A");
    await request("PATCH", `/views/${view.id}`, { sort: ["-title"] });
    await mara.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = mara.getByRole("dialog", { name: /was changed in the meantime/ });
    await dialog.getByText("Title (descending)").waitFor();
    await expect(dialog.getByText("Category", { exact: true }).count()).resolves.toBe(1);
    expect(await accessibilityProblems(mara)).toEqual([]);
    await dialog.getByRole("button", { name: "Keep theirs" }).click();
    await waitForRows(mara, "C", "B", "A");
    await sortByHeader(mara, "Category");
    await request("PATCH", `/views/${view.id}`, { sort: ["title"] });
    await mara.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.getByRole("button", { name: "Save mine" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect
      .poll(async () => (await request<ViewInfo>("GET", `/views/${view.id}`)).sort)
      .toEqual(["category"]);
    await waitForRows(mara, "B", "C", "A");
  });

  it("leaves my other changes unsaved when I take what another user has saved", async () => {
    await open(mara);
    await hideCaller();
    await sortByHeader(mara, "Category");
    await waitForRows(mara, "B", "C", "A");
    await request("PATCH", `/views/${view.id}`, { sort: ["-title"] });
    await mara.getByRole("button", { name: "Save", exact: true }).click();
    await mara.getByRole("dialog").getByRole("button", { name: "Keep theirs" }).click();
    await waitForRows(mara, "C", "B", "A");
    await menu(mara)
      .and(mara.getByRole("button", { name: /unsaved changes/ }))
      .waitFor();
    expect(await mara.getByRole("columnheader", { name: "Caller" }).count()).toBe(0);
    await mara.getByRole("button", { name: "Save", exact: true }).click();
    await expect
      .poll(() => request<ViewInfo>("GET", `/views/${view.id}`))
      .toMatchObject({
        sort: ["-title"],
        columns: expect.arrayContaining([
          expect.objectContaining({ field: "caller", hidden: true }),
        ]),
      });
  });

  it("leaves its rows in place when it is deleted", async () => {
    await open(ana);
    await waitForRows(ana, "A", "B", "C");
    await request("DELETE", `/views/${view.id}`);
    await ana.getByText("was removed. Its settings stay").first().waitFor();
    await menu(ana)
      .and(ana.getByRole("button", { name: "View: All incidents" }))
      .waitFor();
    await waitForRows(ana, "A", "B", "C");
    await ana.reload();
    await waitForRows(ana, "A", "B", "C");
    await ana.goto(`${product.url}/t/incidents?view=${view.id}`);
    await ana.getByRole("heading", { name: "View not found" }).waitFor();
    await ana.getByRole("button", { name: "All incidents" }).click();
    await menu(ana).waitFor();
  });
});

describe("a view of one's own", () => {
  it("is saved from the screen, found again, renamed, deleted and restored", async () => {
    await open(ana);
    await sortByHeader(ana, "Category");
    await waitForRows(ana, "B", "C", "A");
    await choose(ana, "Save as new view");
    const dialog = ana.getByRole("dialog", { name: "New view" });
    await dialog.getByLabel("Name").fill("By category");
    await dialog.getByRole("button", { name: "Save view" }).click();
    await menu(ana)
      .and(ana.getByRole("button", { name: "View: By category" }))
      .waitFor();
    await waitForRows(ana, "B", "C", "A");
    await ana.reload();
    await cell(ana, `${count}-A`, "title").waitFor();
    await waitForRows(ana, "B", "C", "A");
    await choose(ana, "Rename");
    await ana.getByRole("dialog").getByLabel("Name").fill(place);
    await ana.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
    await menu(ana)
      .and(ana.getByRole("button", { name: `View: ${place}` }))
      .waitFor();
    await choose(ana, "Delete");
    const undo = ana.locator(".mantine-Notification-root").getByRole("button", { name: "Undo" });
    // A message stays while the pointer is on it, however slow the machine is.
    await undo.hover();
    await menu(ana)
      .and(ana.getByRole("button", { name: "View: All incidents" }))
      .waitFor();
    await undo.click();
    await waitForRows(ana, "B", "C", "A");
    await open(mara);
    await menu(mara).click();
    // the shared one of the same name, and not Ana's
    await item(mara, place).first().waitFor();
    await expect(item(mara, place).count()).resolves.toBe(1);
    await mara.keyboard.press("Escape");
  });

  it("can be shared with the right to do so", async () => {
    await open(mara);
    await choose(mara, "Save as new view");
    const dialog = mara.getByRole("dialog", { name: "New view" });
    await dialog.getByLabel("Name").fill(`${place} for all`);
    await dialog.getByRole("button", { name: "Save view" }).click();
    await menu(mara)
      .and(mara.getByRole("button", { name: `View: ${place} for all` }))
      .waitFor();
    await goToTable(ana, product, "incidents");
    await menu(ana).click();
    await item(ana, place).waitFor();
    await expect(item(ana, `${place} for all`).count()).resolves.toBe(0);
    await choose(mara, "Share with everyone");
    await item(ana, `${place} for all`).click();
    await waitForRows(ana, "A", "B", "C");
    await menu(ana).click();
    await item(ana, "Save as new view").waitFor();
    await expect(item(ana, "Rename").count()).resolves.toBe(0);
    await ana.keyboard.press("Escape");
  });

  it("has no accessibility problems, light and dark", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await mara.emulateMedia({ colorScheme });
      await open(mara);
      await menu(mara).click();
      await item(mara, "Rename").waitFor();
      expect(await accessibilityProblems(mara)).toEqual([]);
      await mara.keyboard.press("Escape");
    }
  });
});
