// Covers: client/src/features/grid client/src/sync
import type { Locator, Page } from "playwright";
import { describe, expect, it } from "vitest";
import type { WireRecord } from "../../shared/protocol/record.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { boxAtRest } from "./testing/box-at-rest.ts";
import { goTo } from "./testing/go-to.ts";
import { goToTable, openTable, recordsShown } from "./testing/grid.ts";
import { openTwoUsers } from "./testing/two-users.ts";

const { product, mara, ana } = await openTwoUsers();

const pinned = (page: Page, field: string) =>
  page.locator(`.ag-grid-pinned-top-rows .ag-row [col-id="${field}"]`);

async function recordsOf(table: string): Promise<WireRecord[]> {
  const path = `/tables/${table}/records?limit=1000`;
  return (await apiRequest<{ records: WireRecord[] }>(mara, product, "GET", path)).records;
}

describe("a new record", () => {
  it("is visible to its author only until it has a name, which becomes its id", async () => {
    await Promise.all([openTable(mara, product, "groups"), openTable(ana, product, "groups")]);
    const stored = (await recordsOf("groups")).length;
    await expect.poll(async () => (await recordsShown(ana)).length).toBe(stored);
    const before = await recordsShown(ana);
    await mara.getByRole("button", { name: "New group" }).click();
    await mara.keyboard.press("Tab");
    await mara.keyboard.type("night@example.com");
    await mara.keyboard.press("Enter");
    await pinned(mara, "email").filter({ hasText: "night@example.com" }).waitFor();
    await pinned(mara, "email").filter({ hasText: "draft" }).waitFor();
    await mara.reload();
    await pinned(mara, "email").filter({ hasText: "night@example.com" }).waitFor();
    await expect.poll(() => recordsShown(ana)).toEqual(before);
    expect((await recordsOf("groups")).length).toBe(before.length);
    await pinned(mara, "name").click();
    await mara.keyboard.type("Night shift");
    await mara.keyboard.press("Tab");
    await expect
      .poll(async () => (await recordsOf("groups")).find(({ id }) => id === "Night shift")?.values)
      .toMatchObject({ name: "Night shift", email: "night@example.com" });
  });

  it("that is refused stays a draft, with the reason, until it can be created", async () => {
    await goToTable(mara, product, "groups");
    await mara.getByRole("button", { name: "New group" }).click();
    await mara.keyboard.type("Network");
    await mara.keyboard.press("Enter");
    await pinned(mara, "email").filter({ hasText: "draft, not saved" }).waitFor();
    await mara.getByRole("button", { name: /1 to review/ }).click();
    await mara.getByRole("link", { name: "Review" }).click();
    const panel = mara.getByRole("complementary");
    await panel.getByText(/only you can see it/).waitFor();
    await panel.getByRole("textbox", { name: /Name/ }).fill("Network 2");
    await panel.getByRole("textbox", { name: /Name/ }).press("Enter");
    await expect
      .poll(async () => (await recordsOf("groups")).some(({ id }) => id === "Network 2"))
      .toBe(true);
    await mara.getByRole("button", { name: /to review/ }).waitFor({ state: "detached" });
  });

  it("runs no transition by what is typed after Enter", async () => {
    await goToTable(mara, product, "incidents");
    await mara.getByRole("button", { name: "New incident" }).click();
    const created = async (title: string) =>
      (await recordsOf("incidents")).find(({ values }) => values.title === title)?.values;
    for (const text of ["Series one", "Series two", "Series three"]) {
      await mara.keyboard.type(text);
      await mara.keyboard.press("Enter");
      await expect.poll(() => created("Series one")).toBeDefined();
    }
    // Edits are sent in their order: once a later one is stored, so is whatever those keys have begun.
    await mara.keyboard.press("Escape");
    await mara.getByRole("button", { name: "New incident" }).click();
    await mara.keyboard.type("A later one");
    await mara.keyboard.press("Tab");
    await expect.poll(() => created("A later one")).toBeDefined();
    await expect.poll(() => created("Series one")).toMatchObject({ state: "New" });
  });

  it("contains what the view requires of its records, and survives a reload", async () => {
    const filter = {
      and: [
        { field: "assignee", op: "eq", value: "$me" },
        { field: "location", op: "eq", value: "Attic" },
      ],
    };
    const view = `incidents?filter=${encodeURIComponent(JSON.stringify(filter))}`;
    await goTo(mara, product, `/t/${view}`);
    await mara.getByRole("button", { name: "New incident" }).first().click();
    await pinned(mara, "title").waitFor();
    await mara.reload();
    await pinned(mara, "title").click();
    await mara.keyboard.type("Prefilled");
    await mara.keyboard.press("Enter");
    const me = await apiRequest<{ user: { id: string } }>(mara, product, "GET", "/session");
    await expect
      .poll(async () => (await recordsOf("incidents")).find((r) => r.values.title === "Prefilled"))
      .toMatchObject({ values: { location: "Attic", assignee: me.user.id } });
  });

  it("does not bury the rows, however many there are", async () => {
    await goToTable(mara, product, "incidents?sort=number");
    for (let n = 1; n <= 20; n += 1) {
      await mara.getByRole("button", { name: "New incident" }).click();
      await mara.keyboard.type(`Many ${n}`);
      await mara.keyboard.press("Enter");
    }
    await expect
      .poll(
        async () =>
          (await recordsOf("incidents")).filter((r) => /^Many/.test(`${r.values.title}`)).length,
      )
      .toBe(20);
    await expect.poll(() => pinned(mara, "title").count()).toBeLessThanOrEqual(4);
    await mara.locator('.ag-row[row-index="0"] [col-id="title"]').click();
    await mara.keyboard.press("ControlOrMeta+End");
    const focused = mara.locator(".ag-cell-focus");
    await focused.waitFor();
    const bottom = async () => {
      const { y, height } = (await focused.boundingBox()) ?? { y: Number.NaN, height: 0 };
      return y + height;
    };
    const top = () =>
      mara
        .locator(".ag-grid-viewport")
        .first()
        .evaluate((e) => e.scrollTop);
    await expect.poll(top).toBeGreaterThan(0);
    await expect.poll(bottom).toBeLessThanOrEqual(900);
    await boxAtRest(focused);
    const before = await top();
    await mara.mouse.move(700, 700);
    await mara.mouse.wheel(0, -600);
    await expect.poll(top).toBeLessThan(before);
  });

  it("scrolls among other drafts if there are many, reached by the arrows", async () => {
    await goToTable(mara, product, "people");
    for (let n = 1; n <= 7; n += 1) {
      await mara.getByRole("button", { name: "New person" }).click();
      await mara.keyboard.press("Tab");
      await mara.keyboard.type(`p${n}@example.com`);
      await mara.keyboard.press("Enter");
    }
    await expect.poll(() => pinned(mara, "email").count()).toBe(7);
    const topOf = async (at: Locator) => (await at.boundingBox())?.y ?? Number.NaN;
    const ordinary = mara.locator('.ag-row[row-index="0"]').last();
    await expect.poll(() => topOf(ordinary)).toBeLessThan(450);
    await pinned(mara, "email").filter({ hasText: "p7@" }).click();
    for (let n = 1; n <= 6; n += 1) await mara.keyboard.press("ArrowDown");
    const last = pinned(mara, "email").filter({ hasText: "p1@" });
    await last.and(mara.locator(".ag-cell-focus")).waitFor();
    await expect.poll(async () => (await topOf(ordinary)) - (await topOf(last))).toBeGreaterThan(0);
    expect(await accessibilityProblems(mara)).toEqual([]);
  });
});
