// Covers: client/src/features/board
import type { Page } from "playwright";
import { beforeEach, describe, expect, it } from "vitest";
import type { ViewInfo } from "../../shared/protocol/views.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { cardIn, column, dragCard, focusedColumn, wide } from "./testing/board.ts";
import { goTo } from "./testing/go-to.ts";
import { cell, changeRecord, goToTable, makeRecord } from "./testing/grid.ts";
import { openTwoUsers } from "./testing/two-users.ts";
import { viewMenu as menu } from "./testing/view-menu.ts";

const priority = { high: "2 - High", moderate: "3 - Moderate", low: "4 - Low" };
const { product, mara, ana } = await openTwoUsers();
let count = 0;
let record = "";
let other = "";
let view: ViewInfo;

beforeEach(async () => {
  count += 1;
  const location = `Desk ${count}`;
  record = `card-${count}`;
  other = `other-${count}`;
  for (const [id, title, value] of [
    [record, "Card", priority.moderate],
    [other, "Other", priority.high],
  ] as const) {
    await makeRecord(mara, product, "incidents", id, { title, location, priority: value });
  }
  view = await apiRequest<ViewInfo>(mara, product, "POST", "/views", {
    table: "incidents",
    name: location,
    shared: true,
    filter: { field: "location", op: "eq", value: location },
    sort: ["title"],
  });
});

const card = (page: Page, value: string) => cardIn(page, value, record);
const drag = (page: Page, from: string, to: string) => dragCard(page, record, from, to);
const openView = async (page: Page, more = "") => {
  await page.setViewportSize(wide);
  await goTo(page, product, `/t/incidents/board?view=${view.id}${more}`);
  await page.locator(`[data-card="${record}"]`).waitFor();
};
const columns = (page: Page) =>
  page
    .locator("[data-column]")
    .evaluateAll((all) => all.map((one) => one.getAttribute("data-column")));
const cards = (page: Page, value: string) =>
  column(page, value)
    .locator("[data-card]")
    .evaluateAll((all) => all.map((one) => one.getAttribute("data-card")));
const waitForCards = (page: Page, value: string, ...ids: string[]) =>
  expect.poll(() => cards(page, value), { timeout: 60_000 }).toEqual(ids);
const byPriority = async (page: Page) => {
  await page.getByRole("button", { name: /^Group by: / }).click();
  await page.getByRole("menuitem", { name: "Priority", exact: true }).click();
  await column(page, priority.low).waitFor();
};
const unsaved = (page: Page) =>
  menu(page).and(page.getByRole("button", { name: /unsaved changes/ }));

/** Runs the record's transitions to its final state, where its fields are locked. */
async function close(page: Page): Promise<void> {
  const path = `/tables/incidents/records/${record}/transitions`;
  await apiRequest(page, product, "POST", `${path}/resolve`, { from: "New" });
  await apiRequest(page, product, "POST", `${path}/close`, { from: "Resolved" });
}

describe("a board of a view", () => {
  it("V6 shows the records of a view in its order, and saved changes at once", async () => {
    await Promise.all([openView(mara), openView(ana)]);
    await waitForCards(ana, "New", record, other);
    await apiRequest(mara, product, "PATCH", `/views/${view.id}`, { sort: ["-title"] });
    await Promise.all([mara, ana].map((page) => waitForCards(page, "New", other, record)));
    const filter = { and: [view.filter, { field: "priority", op: "eq", value: priority.high }] };
    await apiRequest(mara, product, "PATCH", `/views/${view.id}`, { filter });
    await Promise.all([mara, ana].map((page) => waitForCards(page, "New", other)));
  });

  it("preserves my grouping on the table and back, and shares it once it is saved", async () => {
    await Promise.all([openView(mara), openView(ana)]);
    await byPriority(mara);
    await waitForCards(mara, priority.moderate, record);
    await expect
      .poll(() => columns(mara))
      .toEqual(["1 - Critical", ...Object.values(priority), ""]);
    await unsaved(mara).waitFor();
    await expect.poll(() => columns(ana)).toContain("New");
    await mara.getByRole("link", { name: "Table" }).click();
    await cell(mara, record, "title").waitFor();
    await unsaved(mara).waitFor();
    await mara.getByRole("link", { name: "Board", exact: true }).click();
    await waitForCards(mara, priority.moderate, record);
    await expect.poll(() => new URL(mara.url()).search).toBe(`?view=${view.id}&group=priority`);
    await mara.getByRole("button", { name: "Save", exact: true }).click();
    await waitForCards(ana, priority.moderate, record);
    await unsaved(mara).waitFor({ state: "detached" });
    await expect.poll(() => new URL(mara.url()).search).toBe(`?view=${view.id}`);
  });

  it("edits the field of a card that is dropped, undoes it, and the other user sees both", async () => {
    await Promise.all([mara, ana].map((page) => openView(page, "&group=priority")));
    await card(mara, priority.moderate).waitFor();
    await drag(mara, priority.moderate, priority.low);
    await card(mara, priority.low).waitFor();
    await card(ana, priority.low).waitFor();
    await ana.getByRole("region", { name: "4 - Low, 1 incidents" }).waitFor();
    await card(mara, priority.low).getByRole("link").focus();
    await mara.keyboard.press("Control+z");
    await Promise.all([mara, ana].map((page) => card(page, priority.moderate).waitFor()));
    await drag(mara, priority.moderate, "");
    await card(ana, "").waitFor();
  });

  it("offers the options by keyboard", async () => {
    await openView(mara, "&group=priority");
    await card(mara, priority.moderate).getByRole("link").focus();
    await mara.keyboard.press("m");
    const options = mara.getByRole("dialog", { name: "Priority: options" });
    await options.getByRole("button", { name: "1 - Critical" }).press("Enter");
    await card(mara, "1 - Critical").waitFor();
    await expect.poll(() => focusedColumn(mara)).toBe("1 - Critical");
  });

  it("keeps the focus on a card that another user moves", async () => {
    await openView(mara, "&group=priority");
    await card(mara, priority.moderate).getByRole("link").focus();
    await changeRecord(ana, product, "incidents", record, { priority: priority.low });
    await card(mara, priority.low).waitFor();
    await expect.poll(() => focusedColumn(mara)).toBe(priority.low);
  });

  it("bases an edit on what was seen when the card was lifted", async () => {
    await openView(mara, "&group=priority");
    await card(mara, priority.moderate).hover();
    await mara.mouse.down();
    await column(mara, "1 - Critical").hover();
    await changeRecord(ana, product, "incidents", record, { priority: priority.high });
    await card(mara, priority.high).waitFor();
    await column(mara, priority.low).hover();
    await mara.mouse.up();
    await card(mara, priority.high)
      .getByRole("button", { name: /conflict$/ })
      .waitFor();
  });

  it("ignores a card that is dropped beside the board, wherever another user has moved it", async () => {
    await openView(mara, "&group=priority");
    await card(mara, priority.moderate).hover();
    await mara.mouse.down();
    await column(mara, "1 - Critical").hover();
    await changeRecord(ana, product, "incidents", record, { priority: priority.high });
    await card(mara, priority.high).waitFor();
    await mara.getByRole("toolbar", { name: "Board" }).hover();
    await mara.mouse.up();
    await menu(mara).hover();
    await expect.poll(() => mara.locator("[data-drop]").count()).toBe(0);
  });

  it("explains why a locked card can't be dropped elsewhere, and leaves it in place", async () => {
    await close(mara);
    await openView(mara, "&group=priority");
    await drag(mara, priority.moderate, priority.low);
    await mara.getByText("Priority is read-only while this incident is Closed.").first().waitFor();
    await expect.poll(() => card(mara, priority.moderate).count()).toBe(1);
    await expect.poll(() => card(mara, priority.low).count()).toBe(0);
  });

  it("stores what is dropped while disconnected, and asks if another user has done the same", async () => {
    await openView(mara, "&group=priority");
    await mara.context().setOffline(true);
    await drag(mara, priority.moderate, priority.low);
    await card(mara, priority.low).getByText("not saved yet").waitFor();
    await changeRecord(ana, product, "incidents", record, { priority: priority.high });
    await mara.context().setOffline(false);
    const conflict = card(mara, priority.high).getByRole("button", { name: /conflict$/ });
    await conflict.click();
    const editStatus = mara.getByRole("dialog", { name: /status of your edit/ });
    expect(await accessibilityProblems(mara)).toEqual([]);
    await editStatus.getByRole("button", { name: "Use mine" }).click();
    await card(mara, priority.low).waitFor();
    await conflict.waitFor({ state: "detached" });
  });

  it("reverts what the server refuses afterwards, with the reason", async () => {
    await openView(mara, "&group=priority");
    await mara.context().setOffline(true);
    await drag(mara, priority.moderate, priority.low);
    await card(mara, priority.low).getByText("not saved yet").waitFor();
    await close(ana);
    await mara.context().setOffline(false);
    await card(mara, priority.moderate).getByText("Closed").waitFor();
    await mara
      .getByText("Priority can't be changed while this incident is Closed.")
      .first()
      .waitFor();
    await card(mara, priority.low).waitFor({ state: "detached" });
    await mara.getByRole("button", { name: /not saved$/ }).waitFor({ state: "detached" });
  });

  it("is there for a table without a workflow, and not for one without options", async () => {
    await makeRecord(mara, product, "services", `Service ${count}`, { name: `Service ${count}` });
    await goToTable(mara, product, "services");
    await mara.getByRole("link", { name: "Board", exact: true }).click();
    await mara.locator(`[data-column=""] [data-card="Service ${count}"]`).waitFor();
    await expect.poll(() => columns(mara)).toEqual(["1 - High", "2 - Medium", "3 - Low", ""]);
    await goTo(mara, product, "/t/people/board");
    await mara.getByRole("heading", { name: "No board available" }).waitFor();
    await mara.getByRole("link", { name: "Open table" }).click();
    await mara.locator(".ag-row").first().waitFor();
    expect(await mara.getByRole("link", { name: "Board", exact: true }).count()).toBe(0);
  });

  it("has no accessibility problems, light and dark", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await mara.emulateMedia({ colorScheme });
      await openView(mara, "&group=priority");
      expect(await accessibilityProblems(mara)).toEqual([]);
      await mara.getByRole("button", { name: /^Group by: / }).click();
      await mara.getByRole("menuitem", { name: "State" }).waitFor();
      expect(await accessibilityProblems(mara)).toEqual([]);
    }
    await mara.emulateMedia({ colorScheme: null });
  });
});
