// Covers: client/src/features/grid client/src/records
import type { Page } from "playwright";
import { beforeEach, describe, expect, it } from "vitest";
import type { Field } from "../../shared/model/model.ts";
import type { ViewInfo } from "../../shared/protocol/views.ts";
import { apiRequest as askAs } from "./testing/api-request.ts";
import { visitAs } from "./testing/browser.ts";
import { changeIncidents } from "./testing/change-incidents.ts";
import {
  cell,
  goToTable,
  makeRecord,
  openTable,
  recordsShown,
  sortByHeader,
} from "./testing/grid.ts";
import { openTwoUsers } from "./testing/two-users.ts";
import {
  chooseInViewMenu as choose,
  viewMenuItem as item,
  viewMenu as menu,
} from "./testing/view-menu.ts";

const { browser, product, mara, ana } = await openTwoUsers();
let place = "";
let view: ViewInfo;
let other: ViewInfo;
let count = 0;

/** Calls the API as the owner. */
const request = <T>(method: string, path: string, data?: object) =>
  askAs<T>(mara, product, method, path, data);

beforeEach(async () => {
  count += 1;
  place = `Room ${count}`;
  for (const title of ["A", "B", "C"]) {
    const values = { title, category: "3", state: "New", location: place };
    await makeRecord(mara, product, "incidents", `${count}-${title}`, values);
  }
  const shared = { table: "incidents", shared: true, sort: ["title"] };
  const filter = { field: "location", op: "eq", value: place };
  view = await request("POST", "/views", { ...shared, name: place, filter });
  other = await request("POST", "/views", { ...shared, name: `${place} again`, filter });
});

const rows = (...titles: string[]) => titles.map((title) => `${count}-${title}`);
const waitForRows = (page: Page, ...titles: string[]) =>
  expect.poll(() => recordsShown(page)).toEqual(rows(...titles));
const open = (page: Page, more = "") =>
  goToTable(page, product, `incidents?view=${view.id}${more}`);
const showing = (page: Page, name: string) =>
  page.getByRole("button", { name: new RegExp(`^View: ${name}(,|$)`) }).waitFor();
const savedSort = async () => (await request<ViewInfo>("GET", `/views/${view.id}`)).sort;

it("asks about what a colleague saved since its unsaved changes were begun, also after a reload", async () => {
  await open(mara);
  await sortByHeader(mara, "Category");
  const save = mara.getByRole("button", { name: "Save", exact: true });
  await save.waitFor();
  await request("PATCH", `/views/${view.id}`, { sort: ["-title"] });
  await mara.reload();
  await save.click();
  const dialog = mara.getByRole("dialog", { name: /was changed in the meantime/ });
  await dialog.waitFor();
  await dialog.getByRole("button", { name: "Keep theirs" }).click();
  await waitForRows(mara, "C", "B", "A");
  await expect(savedSort()).resolves.toEqual(["-title"]);
});

describe("a view that is deleted while it is used", () => {
  it("closes the dialog that renames it, for good", async () => {
    await open(mara);
    await choose(mara, "Rename");
    const dialog = mara.getByRole("dialog", { name: "Rename view" });
    await dialog.waitFor();
    await request("DELETE", `/views/${view.id}`);
    await dialog.waitFor({ state: "detached" });
    await choose(mara, other.name);
    await showing(mara, other.name);
    await expect(mara.getByRole("dialog").count()).resolves.toBe(0);
  });

  it("closes the conflict dialog, for good", async () => {
    await open(mara);
    await sortByHeader(mara, "Category");
    await request("PATCH", `/views/${view.id}`, { sort: ["-title"] });
    await mara.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = mara.getByRole("dialog", { name: /was changed in the meantime/ });
    await dialog.waitFor();
    await request("DELETE", `/views/${view.id}`);
    await dialog.waitFor({ state: "detached" });
    await choose(mara, other.name);
    await showing(mara, other.name);
    await expect(mara.getByRole("dialog").count()).resolves.toBe(0);
  });

  it("is restored by Undo without moving a user who has gone to another table", async () => {
    await open(mara);
    await choose(mara, "Delete");
    const toast = mara.locator(".mantine-Notification-root");
    const undo = toast.getByRole("button", { name: "Undo", exact: true });
    // A toast under the pointer stays.
    await undo.hover();
    await showing(mara, "All incidents");
    await mara.locator('a[href="/t/groups"]').first().press("Enter");
    await showing(mara, "All groups");
    await undo.click();
    await expect
      .poll(() =>
        request("GET", `/views/${view.id}`).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await showing(mara, "All groups");
    await expect.poll(() => new URL(mara.url()).search).toBe("");
  });
});

describe("what one changes while it is saved", () => {
  it("stays on top of the view", async () => {
    await open(mara);
    await sortByHeader(mara, "Title");
    await waitForRows(mara, "C", "B", "A");
    const held = Promise.withResolvers<void>();
    const path = `**/api/v1/views/${view.id}`;
    await mara.route(path, async (route) => {
      await held.promise;
      await route.continue();
    });
    const save = mara.getByRole("button", { name: "Save", exact: true });
    await save.click();
    await sortByHeader(mara, "Number");
    await waitForRows(mara, "A", "B", "C");
    held.resolve();
    await mara.getByText("saved for everyone").last().waitFor();
    await mara.unroute(path);
    await waitForRows(mara, "A", "B", "C");
    await save.click();
    await expect.poll(savedSort).toEqual(["number"]);
    await mara.getByRole("button", { name: /unsaved changes/ }).waitFor({ state: "detached" });
  });

  it("is not lost where the network is unavailable", async () => {
    await open(mara);
    await sortByHeader(mara, "Title");
    await waitForRows(mara, "C", "B", "A");
    await mara.context().setOffline(true);
    await mara.getByRole("button", { name: "Save", exact: true }).click();
    await mara.getByRole("button", { name: "Close" }).last().waitFor();
    await mara.context().setOffline(false);
    await waitForRows(mara, "C", "B", "A");
    await mara.getByRole("button", { name: /unsaved changes/ }).waitFor();
    await mara.getByRole("button", { name: "Save", exact: true }).click();
    await expect
      .poll(async () => (await request<ViewInfo>("GET", `/views/${view.id}`)).sort)
      .toEqual(["-title"]);
  });
});

describe("an address", () => {
  it.each(["../../session", "%00", "x".repeat(3000), "%E2%80%AE", "null", ""])(
    "with an odd view says that there is none: %s",
    async (id) => {
      await mara.goto(`${product.url}/t/incidents?view=${id}`);
      await mara.getByRole("heading", { name: "View not found" }).waitFor();
    },
  );

  it.each(["{", "[]", '{"and":[{}]}'])(
    "with an invalid filter shows what the table shows: %s",
    async (filter) => {
      await open(mara, `&filter=${encodeURIComponent(filter)}`);
      await showing(mara, place);
    },
  );

  it.each([
    'filter={"field":"gone","op":"eq","value":1}',
    'filter={"field":"opened_at","op":"eq","value":"soon"}',
    "sort=gone",
  ])("that names what the table lacks says so, and offers a way out: %s", async (query) => {
    await mara.goto(`${product.url}/t/incidents?${query}`);
    await mara.getByRole("heading", { name: "can't be shown" }).waitFor();
    await mara.getByRole("button", { name: "Show all records" }).click();
    await mara.locator(".ag-row .wf-cell:not(.wf-loading)").first().waitFor();
  });

  it("goes back and forth between views", async () => {
    await open(mara);
    await choose(mara, other.name);
    await showing(mara, other.name);
    await mara.goBack();
    await showing(mara, `${place}`);
    await mara.goForward();
    await showing(mara, other.name);
    await choose(mara, "All incidents");
    await showing(mara, "All incidents");
    await mara.goBack();
    await waitForRows(mara, "A", "B", "C");
  });
});

describe("somebody who types in a cell", () => {
  it.each([
    { sort: ["-title"] },
    { columns: [{ field: "number" }, { field: "title", hidden: true }] },
    { filter: { field: "location", op: "eq", value: "nowhere" } },
  ])(
    "writes into the record that they began with, whatever happens to the view: %j",
    async (change) => {
      await open(ana);
      await waitForRows(ana, "A", "B", "C");
      await cell(ana, `${count}-B`, "title").click();
      await ana.keyboard.type("Bee");
      const seen = ana.waitForResponse((response) => response.url().includes("/api/v1/views"));
      await request("PATCH", `/views/${view.id}`, change);
      await seen;
      // Nothing moves until they ask for it, which ends the edit.
      const show = ana.getByRole("button", { name: "changed this view · Show" });
      await show.waitFor();
      await waitForRows(ana, "A", "B", "C");
      await show.click();
      await expect.poll(titles).toEqual(["A", "Bee", "C"]);
      if (change.sort) await waitForRows(ana, "C", "B", "A");
      else await cell(ana, `${count}-B`, "title").waitFor({ state: "detached" });
    },
  );

  const titles = () =>
    Promise.all(
      rows("A", "B", "C").map(async (id) => {
        const path = `/tables/incidents/records/${id}`;
        return (await request<{ values: { title: string } }>("GET", path)).values.title;
      }),
    );
});

describe("rights that are another", () => {
  it("delete a view that they don't show, and restore it", async () => {
    const grants = { "*": { read: true, update: true } };
    const { id } = await request<{ id: string }>("POST", "/roles", {
      name: `R${count}`,
      rights: [],
      grants,
    });
    const caller = { email: `r${count}@example.com`, password: "a quite long sentence" };
    await request("POST", "/users", { ...caller, name: "Rui", role: id });
    const rui = await visitAs(browser, product, caller);
    await open(rui.page);
    await waitForRows(rui.page, "A", "B", "C");
    await request("PATCH", `/roles/${id}`, {
      grants: { "*": { read: true }, incidents: { read: { hide: ["location"] } } },
    });
    await showing(rui.page, "All incidents");
    await rui.page.getByText("There is no field “location”.").waitFor();
    await rui.page.getByRole("button", { name: "Show all records" }).click();
    await rui.page.locator(".ag-row .wf-cell:not(.wf-loading)").first().waitFor();
    await menu(rui.page).click();
    await item(rui.page, "All incidents").waitFor();
    expect(await item(rui.page, view.name).count()).toBe(0);
    await request("PATCH", `/roles/${id}`, { grants: { ...grants, incidents: { read: true } } });
    await item(rui.page, view.name).waitFor();
    await rui.leave();
  });
});

describe("a model that is another", () => {
  it("leaves one's own columns to be saved", async () => {
    await changeIncidents(mara, product, ({ fields }) => {
      fields.push({ name: "spare", label: "Spare", type: "text" } as Field);
    });
    // A loaded page has the new model for certain.
    await openTable(mara, product, `incidents?view=${view.id}`);
    await mara.getByRole("button", { name: /^Fields/ }).click();
    await mara.getByRole("dialog").getByRole("checkbox", { name: "Caller" }).click();
    await mara.keyboard.press("Escape");
    await changeIncidents(mara, product, ({ fields }) => {
      fields.splice(
        fields.findIndex(({ name }) => name === "spare"),
        1,
      );
    });
    await mara.getByRole("button", { name: /^Fields/ }).click();
    await mara.getByRole("checkbox", { name: "Spare" }).waitFor({ state: "detached" });
    await mara.keyboard.press("Escape");
    await mara.getByRole("button", { name: "Save", exact: true }).click();
    await mara.getByText("saved for everyone").last().waitFor();
  });

  it("does not move the users of the view", async () => {
    await request("PATCH", `/views/${view.id}`, {
      columns: [{ field: "title" }, { field: "location" }],
    });
    await openTable(ana, product, `incidents?view=${view.id}`);
    await waitForRows(ana, "A", "B", "C");
    await changeIncidents(mara, product, ({ fields }) => {
      const field = fields.find(({ name }) => name === "location");
      if (field) Object.assign(field, { name: "place", label: "Place" });
    });
    await ana.getByRole("columnheader", { name: "Place" }).waitFor();
    await showing(ana, place);
    await waitForRows(ana, "A", "B", "C");
    await expect.poll(() => new URL(ana.url()).search).toBe(`?view=${view.id}`);
  });
});
