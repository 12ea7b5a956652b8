import type { Page } from "playwright";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ViewInfo } from "../../shared/protocol/views.ts";
import { MachineLag } from "../harness/machine-lag.ts";
import { apiRequest } from "./testing/api-request.ts";
import {
  cell,
  goToTable,
  makeRecord,
  recordsShown,
  sortByHeader,
  textOf,
  waitForText,
} from "./testing/grid.ts";
import { recordTraffic, type Traffic } from "./testing/traffic.ts";
import { openTwoUsers } from "./testing/two-users.ts";
import { untilIdle } from "./testing/until-idle.ts";
import { viewMenu } from "./testing/view-menu.ts";

/** The default is 25 s, which the tests would wait out. */
const PRESENCE_TTL_MS = 8_000;
/** Presence of a disconnected user has to end within this. */
const PRESENCE_GONE_MS = PRESENCE_TTL_MS + 5_000;

const environment = {
  PRESENCE_TTL_MS: String(PRESENCE_TTL_MS),
  PRESENCE_HEARTBEAT_MS: "2500",
};
const { product, mara, ana } = await openTwoUsers({ environment });
let traffic: Traffic;
let count = 0;
let record = "";

beforeAll(async () => {
  traffic = recordTraffic(ana);
});

describe("two users in one table", () => {
  beforeEach(async () => {
    count += 1;
    record = `two-${count}`;
    await makeRecord(mara, product, "services", record, { name: `Service ${count}` });
    const view = `services?filter=${encodeURIComponent(JSON.stringify({ field: "id", op: "eq", value: record }))}`;
    await Promise.all([goToTable(mara, product, view), goToTable(ana, product, view)]);
  });

  it("see what the other types as soon as it is committed: one message brings it, and nothing is requested", async () => {
    await cell(mara, record, "name").click();
    await mara.keyboard.type("Typed by Mara");
    // Ana's page is at rest: it has drawn what Mara does, which reached it behind all that it had requested.
    await cell(ana, record, "name").locator(".wf-frame-name", { hasText: "editing" }).waitFor();
    await untilIdle(ana);
    traffic.clear();
    await mara.keyboard.press("Enter");
    await waitForText(cell(ana, record, "name"), "Typed by Mara");
    expect(traffic.received.filter((event) => event === "changes")).toHaveLength(1);
    // Which comments and notifications are unread, and who has been added, it reads by itself some time after its rows.
    const isOther = (request: string) => /\/(comments|inbox)\?|\/users$/.test(request);
    expect(traffic.requests.filter((request) => !isOther(request))).toEqual([]);
    expect(traffic.sent.filter((event) => event !== "presence")).toEqual([]);
    await waitForText(cell(mara, record, "name"), "Typed by Mara");
    await cell(mara, record, "name").and(mara.locator(":not([data-state])")).waitFor();
  });

  it("see which cell the other is in, that they type, and that they have left", async () => {
    await cell(mara, record, "name").click();
    const name = cell(ana, record, "name").locator(".wf-frame-name");
    await name.waitFor();
    await mara.keyboard.type("Half a wor");
    await name.filter({ hasText: "editing" }).waitFor();
    await mara.keyboard.press("Escape");
    await name.filter({ hasNotText: "editing" }).waitFor();
    await mara.goto(`${product.url}/me`);
    await name.waitFor({ state: "detached" });
  });

  it("do not see a disconnected user for long", async () => {
    await cell(mara, record, "name").click();
    const name = cell(ana, record, "name").locator(".wf-frame-name");
    await name.waitFor();
    await mara.context().setOffline(true);
    const lag = new MachineLag();
    const leftAt = performance.now();
    await name.waitFor({ state: "detached" });
    const took = performance.now() - leftAt;
    expect(took).toBeLessThan(await lag.allowing(PRESENCE_GONE_MS));
    await mara.context().setOffline(false);
  });

  it.each([
    ["Use mine", "Ana's name"],
    ["Keep mara's", "Mara's name"],
  ])("are asked at the cell at once when they edited the same one: %s", async (choice, winner) => {
    await cell(ana, record, "name").dblclick();
    await cell(mara, record, "name").click();
    await mara.keyboard.type("Mara's name");
    await mara.keyboard.press("Enter");
    await waitForText(cell(mara, record, "name"), "Mara's name");
    await cell(mara, record, "name").and(mara.locator(":not([data-state])")).waitFor();
    await ana.keyboard.press("ControlOrMeta+a");
    await ana.keyboard.type("Ana's name");
    await ana.keyboard.press("Enter");
    const conflict = cell(ana, record, "name").and(ana.locator('[data-state="conflict"]'));
    await conflict.waitFor();
    const editStatus = ana.getByRole("dialog");
    await editStatus.getByRole("heading", { name: "You and mara both changed Name." }).waitFor();
    // No key that is meant for a cell decides.
    const hasFocus = () => editStatus.evaluate((one) => one.contains(document.activeElement));
    await expect.poll(hasFocus).toBe(false);
    for (const text of [`Service ${count}`, "Ana's name", "Mara's name"]) {
      await editStatus.getByText(text, { exact: true }).waitFor();
    }
    await editStatus.getByRole("button", { name: choice }).click();
    await waitForText(cell(ana, record, "name"), winner);
    await waitForText(cell(mara, record, "name"), winner);
    await conflict.waitFor({ state: "detached" });
  });

  it("keep an edit that was made offline, through a reload, and deliver it once", async () => {
    await mara.context().setOffline(true);
    await cell(mara, record, "name").click();
    await mara.keyboard.type("Written offline");
    await mara.keyboard.press("Enter");
    await cell(mara, record, "name").and(mara.locator('[data-state="pending"]')).waitFor();
    await expect.poll(() => textOf(cell(ana, record, "name"))).toBe(`Service ${count}`);
    await mara.context().setOffline(false);
    await mara.reload();
    await waitForText(cell(ana, record, "name"), "Written offline");
    await waitForText(cell(mara, record, "name"), "Written offline");
    const history = await ana.request.get(
      `${product.url}/api/v1/tables/services/records/${record}/history`,
    );
    const { items } = (await history.json()) as { items: unknown[] };
    expect(items).toHaveLength(2);
  });
});

it("V6 two users of a shared view see the same rows, and saved changes at once", async () => {
  for (const [title, category] of Object.entries({ A: "3", B: "1", C: "2" })) {
    const values = { title, category, state: "New", location: "Shared" };
    await makeRecord(mara, product, "incidents", title, values);
  }
  const view = await apiRequest<ViewInfo>(mara, product, "POST", "/views", {
    table: "incidents",
    name: "Shared",
    shared: true,
    filter: { field: "location", op: "eq", value: "Shared" },
    sort: ["title"],
  });
  const address = `incidents?view=${view.id}`;
  await Promise.all([goToTable(mara, product, address), goToTable(ana, product, address)]);
  await waitForRecords(ana, "A,B,C");
  await sortByHeader(mara, "Title");
  await waitForRecords(mara, "C,B,A");
  const unsaved = { name: /unsaved changes/ };
  await viewMenu(mara).and(mara.getByRole("button", unsaved)).waitFor();
  await waitForRecords(ana, "A,B,C");
  // The notice of the saved view comes before the answer, which clears the address all the same.
  const saved = Promise.withResolvers<void>();
  await mara.route(`**/api/v1/views/${view.id}`, async (route) => {
    const response = await route.fetch();
    await saved.promise;
    await route.fulfill({ response });
  });
  await mara.getByRole("button", { name: "Save", exact: true }).click();
  await waitForRecords(ana, "C,B,A");
  await viewMenu(mara)
    .and(mara.getByRole("button", { name: "View: Shared", exact: true }))
    .waitFor();
  saved.resolve();
  await expect.poll(() => new URL(mara.url()).search).toBe(`?view=${view.id}`);
  await mara.unroute(`**/api/v1/views/${view.id}`);
});

async function waitForRecords(page: Page, records: string): Promise<void> {
  await expect
    .poll(async () => (await recordsShown(page)).join(), { timeout: 60_000 })
    .toBe(records);
}
