// Covers: client/src/features/record client/src/records
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import type { Visitor } from "./testing/browser.ts";
import { changeRecord, goToTable, makeRecord } from "./testing/grid.ts";
import { openProduct } from "./testing/product.ts";
import { twoUsers } from "./testing/two-users.ts";

const { browser, product } = await openProduct();
let visitor: Visitor;
let page: Page;
let ana: Page;
let me = "";

beforeAll(async () => {
  const users = await twoUsers(browser, product);
  visitor = users.mara;
  page = visitor.page;
  ana = users.ana.page;
  const { user } = await apiRequest<{ user: { id: string } }>(page, product, "GET", "/session");
  me = user.id;
});

const button = (name: string) => page.getByRole("button", { name });
const heading = (title: string) =>
  page.getByRole("complementary").getByRole("heading", { level: 2 }).filter({ hasText: title });
const isDisabled = (name: string) => button(name).getAttribute("aria-disabled");
const at = (place: string) =>
  encodeURIComponent(JSON.stringify({ field: "location", op: "eq", value: place }));

/** Makes two records that are not neighbours in the table. */
async function makeBetween(first: string, second: string): Promise<void> {
  for (const title of [first, "Between", second]) {
    const id = `${title} ${title === "Between" ? first : ""}`.trim();
    await makeRecord(page, product, "incidents", id, { title, state: "New" });
  }
}

/** Steps from the record of one title to that of the other, on either side of it, and back. */
async function stepBetween(from: string, to: string): Promise<void> {
  await heading(from).waitFor();
  const ways = () => Promise.all(["Next record", "Previous record"].map(isDisabled));
  await expect.poll(ways).toContain("false");
  const isNext = (await isDisabled("Next record")) === "false";
  await button(isNext ? "Next record" : "Previous record").click();
  await heading(to).waitFor();
  await button(isNext ? "Previous record" : "Next record").click();
  await heading(from).waitFor();
}

describe("a record steps to the others of the list that it was opened from", () => {
  it("from the user's own work and the latest changes", async () => {
    for (const title of ["First of mine", "Second of mine"]) {
      await makeRecord(page, product, "incidents", title, { title, state: "New", assignee: me });
    }
    await page.goto(product.url);
    const work = page.getByRole("region", { name: "My work" });
    await work.getByRole("link", { name: "First of mine" }).click();
    await stepBetween("First of mine", "Second of mine");
    // Not in one run, as new records would be.
    for (const title of ["First of mine", "Second of mine"]) {
      await changeRecord(page, product, "incidents", title, { notes: "Changed" });
    }
    await page.goto(product.url);
    const changes = page.getByRole("region", { name: "Latest changes" }).getByRole("listitem");
    await expect.poll(() => changes.first().textContent()).toContain("changed");
    await changes.first().getByRole("link").click();
    await stepBetween("Second of mine", "First of mine");
  });

  it("from the inbox", async () => {
    await makeBetween("Asked one", "Asked two");
    for (const title of ["Asked one", "Asked two"]) {
      const comment = { table: "incidents", record: title, text: `<@${me}>` };
      await apiRequest(ana, product, "POST", "/comments", comment);
    }
    await page.goto(`${product.url}/inbox`);
    const mentions = page
      .getByRole("list", { name: "Inbox" })
      .getByRole("link", { name: /mentioned you/ });
    await expect.poll(() => mentions.count()).toBe(2);
    await mentions.last().click();
    await stepBetween("Asked one", "Asked two");
  });

  it("from a change set", async () => {
    const titles = ["Changed one", "Changed two"] as const;
    await makeBetween(...titles);
    const ops = titles.map((record) => ({
      op: "update",
      table: "incidents",
      record,
      set: { notes: "Checked" },
      base: { notes: null },
    }));
    const draft = { title: "Notes", ops };
    const set = await apiRequest<{ id: string }>(page, product, "POST", "/change-sets", draft);
    await page.goto(`${product.url}/changes/${set.id}`);
    await page.getByRole("region", { name: "Changes" }).getByRole("link").first().click();
    await page.getByRole("complementary").getByRole("heading", { level: 2 }).waitFor();
    await stepBetween("Changed one", "Changed two");
  });
});

describe("the buttons of a record without neighbours", () => {
  it("say why, where the record is in no list on the screen", async () => {
    await makeRecord(page, product, "incidents", "outside", { title: "Outside", state: "New" });
    await makeRecord(page, product, "incidents", "cave", {
      title: "Cave",
      state: "New",
      location: "Cave",
    });
    await goToTable(page, product, `incidents/outside?filter=${at("Cave")}`);
    await heading("Outside").waitFor();
    for (const name of ["Next record", "Previous record"]) {
      await expect.poll(() => isDisabled(name)).toBe("true");
      await expect
        .poll(() => button(name).getAttribute("aria-description"))
        .toContain("not in a list");
    }
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it("say which end of the list it is", async () => {
    for (const title of ["Tip", "Top"]) {
      await makeRecord(page, product, "incidents", title, {
        title,
        state: "New",
        location: "Hill",
      });
    }
    await goToTable(page, product, `incidents/Tip?sort=title&filter=${at("Hill")}`);
    await heading("Tip").waitFor();
    await expect.poll(() => isDisabled("Previous record")).toBe("true");
    await expect
      .poll(() => button("Previous record").getAttribute("aria-description"))
      .toBe("First record of the list");
    await button("Next record").click();
    await heading("Top").waitFor();
    await expect.poll(() => isDisabled("Next record")).toBe("true");
  });
});
