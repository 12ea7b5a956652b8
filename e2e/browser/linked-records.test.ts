import type { Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import type { Visitor } from "./testing/browser.ts";
import { makeRecord, openTable } from "./testing/grid.ts";
import { openProduct } from "./testing/product.ts";
import { twoUsers } from "./testing/two-users.ts";

const { browser, product } = await openProduct();
let users: { mara: Visitor; ana: Visitor };
let mara: Page;
let ana: Page;

beforeAll(async () => {
  users = await twoUsers(browser, product);
  mara = users.mara.page;
  ana = users.ana.page;
  await makeRecord(mara, product, "groups", "Night shift", { email: "night@example.com" });
  for (const id of ["linked-1", "linked-2"]) {
    await makeRecord(mara, product, "incidents", id, { title: id, group: "Night shift" });
  }
});

const panel = (page: Page, name: string) => page.getByRole("complementary", { name });
const linked = (page: Page) => panel(page, "group Night shift").getByRole("tabpanel");

it("opens a linked record on top of the panel, and returns by its button and by Esc", async () => {
  await openTable(mara, product, "incidents/linked-1?q=linked");
  const open = panel(mara, "incident linked-1").getByRole("link", { name: "Open Night shift" });
  await open.click();
  const group = panel(mara, "group Night shift");
  const mail = group.getByRole("link", { name: "Write to night@example.com" });
  expect(await mail.getAttribute("href")).toBe("mailto:night@example.com");
  expect(await mail.getAttribute("rel")).toContain("noopener");
  expect(await accessibilityProblems(mara)).toEqual([]);
  await group.getByRole("button", { name: "Back" }).click();
  await open.click();
  await group.waitFor();
  await mara.keyboard.press("Escape");
  await panel(mara, "incident linked-1").waitFor();
  expect(new URL(mara.url()).pathname).toBe("/t/incidents/linked-1");
});

it("lists the records that link to this one, live for another user, and shows them as a view", async () => {
  await openTable(ana, product, "groups/Night%20shift");
  await panel(ana, "group Night shift").getByRole("tab", { name: "Linked from" }).click();
  await linked(ana).getByRole("heading", { name: "Incidents · Group 2" }).waitFor();
  await makeRecord(mara, product, "incidents", "linked-0", { title: "0", group: "Night shift" });
  await linked(ana).getByRole("heading", { name: "Incidents · Group 3" }).waitFor();
  expect(await accessibilityProblems(ana)).toEqual([]);
  // In the order of their numbers, not of their ids.
  await linked(ana).getByRole("listitem").first().getByRole("link").click();
  await panel(ana, "incident linked-1").waitFor();
  await ana.keyboard.press("Escape");
  await panel(ana, "group Night shift").getByRole("tab", { name: "Linked from" }).click();
  await linked(ana).getByRole("link", { name: "Show in the table" }).click();
  await ana.getByText("3 incidents").waitFor();
});

it("lists only what the reader can read", async () => {
  const read = { filter: { field: "title", op: "eq", value: "linked-1" } };
  const grants = { groups: { read: true }, incidents: { read } };
  const role = await apiRequest<{ id: string }>(mara, product, "POST", "/roles", {
    name: "Narrow",
    rights: [],
    grants,
  });
  const { items } = await apiRequest<{ items: { id: string; name: string }[] }>(
    mara,
    product,
    "GET",
    "/users",
  );
  const id = items.find(({ name }) => name === "Ana Lopes")?.id;
  await apiRequest(mara, product, "PATCH", `/users/${id}`, { role: role.id });
  await openTable(ana, product, "groups/Night%20shift");
  await panel(ana, "group Night shift").getByRole("tab", { name: "Linked from" }).click();
  await linked(ana).getByRole("heading", { name: "Incidents · Group 1" }).waitFor();
  expect(users.mara.consoleErrors).toEqual([]);
});
