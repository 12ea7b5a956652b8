// Covers: client/src/features/grid client/src/features/record
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { boxAtRest } from "./testing/box-at-rest.ts";
import { leaveBrowser, openBrowser, type Visitor, visitAs } from "./testing/browser.ts";
import { changeRecord, makeRecord } from "./testing/grid.ts";
import { owner, type Product, startProduct } from "./testing/product.ts";
import { twoUsers } from "./testing/two-users.ts";
import { untilIdle } from "./testing/until-idle.ts";
import { chooseTool } from "./testing/view-menu.ts";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let browser: Browser;
let product: Product;
let users: { mara: Visitor; ana: Visitor };
let mara: Visitor;
let page: Page;
let ana: Page;

beforeAll(async () => {
  [browser, product] = await Promise.all([openBrowser(), startProduct()]);
  users = await twoUsers(browser, product);
  ana = users.ana.page;
  mara = await visitAs(browser, product, owner, phone);
  page = mara.page;
});

afterAll(async () => {
  await leaveBrowser(browser);
  await product.close();
});

const card = (title: string) => page.getByRole("row").filter({ hasText: title });
const panel = () => page.getByRole("complementary");
const tapButton = (name: string) => page.getByRole("button", { name, exact: true }).tap();
const openCards = async (query = "") => {
  await page.goto(`${product.url}/t/incidents${query}`);
  await page.locator(".wf-card:not(.wf-loading)").first().waitFor();
};

/** Holds a finger on a card until it is selected. */
async function press(title: string): Promise<void> {
  const box = await boxAtRest(card(title));
  const touch = await page.context().newCDPSession(page);
  const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await page.getByRole("button", { name: "Clear selection" }).waitFor();
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

/**
 * Targets on the screen that are smaller than 24 by 24 pixels, unless a circle of 24 pixels around their middle touches no other target nor
 * the circle of another small one (WCAG 2.2, 2.5.8). Links within a text may be as high as its lines.
 */
function smallTargets(of: Page): Promise<string[]> {
  return of.evaluate(() => {
    const least = 24;
    const selector =
      'a[href], button, input, select, textarea, [role="button"], [role="tab"], [role="option"], [role="menuitem"], [role="checkbox"], [role="switch"]';
    const targets = [...document.querySelectorAll<HTMLElement>(selector)].flatMap((at) => {
      const label = at instanceof HTMLInputElement ? at.labels?.[0] : null;
      const { x, y, width, height } = (label ?? at).getBoundingClientRect();
      const middle = { x: x + width / 2, y: y + height / 2 };
      const hit = document.elementFromPoint(middle.x, middle.y);
      const isReachable =
        hit !== null && (at.contains(hit) || label?.contains(hit) || hit.contains(at));
      const isInText = at.localName === "a" && getComputedStyle(at).display === "inline";
      const isDrawn = at.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      if (!isDrawn || !isReachable || isInText || width <= 1 || height <= 1) return [];
      return [{ at, x, y, width, height, middle, isSmall: Math.min(width, height) < least }];
    });
    type Target = (typeof targets)[number];
    const isTooNear = (one: Target, other: Target) => {
      const far = other.isSmall
        ? Math.hypot(one.middle.x - other.middle.x, one.middle.y - other.middle.y) - least / 2
        : Math.hypot(
            Math.max(other.x - one.middle.x, 0, one.middle.x - other.x - other.width),
            Math.max(other.y - one.middle.y, 0, one.middle.y - other.y - other.height),
          );
      return far < least / 2;
    };
    const isWithin = (one: Target, other: Target) =>
      one.at.contains(other.at) || other.at.contains(one.at);
    return targets
      .filter((one) => one.isSmall)
      .filter((one) => targets.some((other) => !isWithin(one, other) && isTooNear(one, other)))
      .map(({ at, width, height }) => {
        const name = at.getAttribute("aria-label") ?? at.textContent;
        return `${at.localName} ${name}: ${Math.round(width)} × ${Math.round(height)}`;
      });
  });
}

it("offers nothing on a phone that only a mouse can do to import a file", async () => {
  await page.goto(`${product.url}/import/incidents`);
  await page.getByRole("button", { name: "Choose a file" }).waitFor();
  expect(await page.getByText("drop a CSV or TSV file here").isVisible()).toBe(false);
});

it("shows the list of change sets on a phone without moving sideways", async () => {
  const title = "A change set with a long title that takes several lines on a phone";
  await apiRequest(page, product, "POST", "/change-sets", { title, ops: [] });
  await page.goto(`${product.url}/changes`);
  await page.getByRole("link", { name: title }).waitFor();
  const list = page.getByRole("region", { name: "Change sets" });
  expect(await list.evaluate((frame) => frame.scrollWidth - frame.clientWidth)).toBe(0);
});

describe("a table on a phone", () => {
  it("creates, edits, transitions, comments on and deletes a record by touch", async () => {
    await openCards();
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() === 404) refused.push(response.url());
    });
    await tapButton("New incident");
    await panel().getByText("Draft: only you can see it.").waitFor();
    await tapButton("Close panel");
    await card("New incident").tap();
    const title = panel().getByRole("textbox", { name: "Title" });
    await title.tap();
    await title.fill("Projector stays dark");
    await title.press("Enter");
    await panel().getByRole("button", { name: "Start work" }).tap();
    await panel().getByText("Active", { exact: true }).first().waitFor();
    await panel().getByRole("tab", { name: "Activity" }).tap();
    await panel().getByRole("textbox", { name: "Write a comment" }).fill("On my way");
    await panel().getByRole("button", { name: "Comment", exact: true }).tap();
    await panel().getByRole("log").getByText("On my way").waitFor();
    // Nothing is asked about a record that the server does not have yet.
    expect(refused).toEqual([]);
    await panel().getByRole("tab", { name: "Fields" }).tap();
    await title.fill("Projector shows no picture");
    await title.press("Enter");
    await panel().getByRole("button", { name: "Close panel" }).tap();
    await card("Projector shows no picture").getByText("Active").waitFor();
    await openCards("?q=Projector");
    await press("Projector shows no picture");
    await tapButton("Delete");
    await page.getByText("1 incident deleted.").first().waitFor();
    await page.getByText("No matching incidents").waitFor();
  });

  it.each([
    [390, 844],
    [844, 390],
  ])(
    "is worked with on a slow network while a keyboard covers half of it: %i × %i",
    async (width, height) => {
      const client = await page.context().newCDPSession(page);
      const network = (latency: number, downloadThroughput: number, uploadThroughput: number) =>
        client.send("Network.emulateNetworkConditions", {
          ...{ offline: false, latency, downloadThroughput, uploadThroughput },
        });
      await makeRecord(page, product, "incidents", `keyboard-${width}`, { title: `Slow ${width}` });
      await network(400, 60_000, 20_000);
      await page.setViewportSize({ width, height });
      await openCards(`?q=Slow%20${width}`);
      await card(`Slow ${width}`).tap();
      const title = panel().getByRole("textbox", { name: "Title" });
      await title.tap();
      await page.setViewportSize({ width, height: height / 2 });
      await title.fill(`Slow and typed ${width}`);
      await title.press("Enter");
      await panel().getByRole("button", { name: "Start work" }).tap();
      await panel().getByText("Active", { exact: true }).first().waitFor();
      await panel().getByRole("tab", { name: "Activity" }).tap();
      await panel().getByRole("textbox", { name: "Write a comment" }).fill("From the cellar");
      await panel().getByRole("button", { name: "Comment", exact: true }).tap();
      await panel().getByRole("log").getByText("From the cellar").waitFor();
      await panel().getByRole("button", { name: "Close panel" }).tap();
      await page.setViewportSize({ width, height });
      await card(`Slow and typed ${width}`).getByText("Active").waitFor();
      await network(0, -1, -1);
      await page.setViewportSize(phone.viewport);
    },
  );

  it("lists with a change set who made it", async () => {
    const ops = [{ op: "create", table: "groups", values: { name: "Phone group" } }];
    await apiRequest(page, product, "POST", "/change-sets", { title: "Set by phone", ops });
    await page.goto(`${product.url}/changes`);
    const set = page.getByRole("row").filter({ hasText: "Set by phone" });
    await set.getByText("Mara").filter({ visible: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it("is live: others' edits and presence appear on the cards", async () => {
    await makeRecord(ana, product, "incidents", "phone-1", { title: "Phone one" });
    await makeRecord(ana, product, "incidents", "phone-2", { title: "Phone two" });
    await Promise.all([
      openCards("?q=Phone"),
      ana.goto(`${product.url}/t/incidents/phone-1?q=Phone`),
    ]);
    await card("Phone one").getByRole("img", { name: "Ana Lopes is here" }).waitFor();
    await changeRecord(ana, product, "incidents", "phone-2", { priority: "1 - Critical" });
    await card("Phone two").getByText("1 - Critical").waitFor();
    await apiRequest(ana, product, "POST", "/comments", {
      table: "incidents",
      record: "phone-2",
      text: "Can you look?",
    });
    await card("Phone two").getByText("1 unread comment").waitFor();
  });

  it("finds a text in the cards and colours values by the rules of the view", async () => {
    await makeRecord(ana, product, "incidents", "found-1", {
      title: "Lamp found",
      priority: "4 - Low",
    });
    const rule = {
      field: "priority",
      colour: "violet",
      filter: { field: "title", op: "eq", value: "Lamp found" },
    };
    const view = { table: "incidents", name: "Lamps", shared: true, appearance: { rules: [rule] } };
    const { id } = await apiRequest<{ id: string }>(page, product, "POST", "/views", view);
    await openCards(`?view=${id}`);
    await chooseTool(page, "Find and replace");
    await page.getByRole("textbox", { name: "Text to find" }).fill("lamp found");
    await card("Lamp found").locator('[data-found="current"]').waitFor();
    await page.getByTestId("find-place").getByText("1 of 1").waitFor();
    await card("Lamp found").locator('[data-rule="violet"]').getByText("4 - Low").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await tapButton("Close find (Esc)");
  });

  it("selects cards by taps once selecting began, and edits them together", async () => {
    await openCards("?q=Phone");
    await tapButton("Select");
    await card("Phone one").tap();
    await card("Phone two").tap();
    await page.getByText("2 selected").first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("toolbar").getByRole("button", { name: "Edit…" }).tap();
    await page.getByRole("dialog").getByRole("combobox").first().waitFor();
    await page.keyboard.press("Escape");
    await tapButton("Clear selection");
    await card("Phone one").tap();
    await panel().waitFor();
  });

  it("duplicates a card, and still takes keys", async () => {
    await makeRecord(ana, product, "incidents", "copied-1", { title: "Copied one" });
    await makeRecord(ana, product, "incidents", "copied-2", { title: "Other copied" });
    await openCards("?q=copied");
    await press("Copied one");
    await page.getByRole("toolbar").getByRole("button", { name: "Duplicate" }).tap();
    await page.getByText("1 incident duplicated.").first().waitFor();
    await card("Other copied").getByRole("gridcell").press("Enter");
    await page.getByText("2 selected").first().waitFor();
    await tapButton("Clear selection");
  });

  it("holds unsaved edits and conflicts visible on the card, and works by keyboard", async () => {
    await openCards("?q=Phone");
    await card("Phone one").getByRole("gridcell").press("Enter");
    const category = panel().getByRole("textbox", { name: "Category", exact: true });
    await category.waitFor();
    await page.context().setOffline(true);
    await category.fill("Mine");
    await category.press("Enter");
    await page.keyboard.press("Escape");
    await card("Phone one").getByText("not saved yet").waitFor();
    await changeRecord(ana, product, "incidents", "phone-1", { category: "Theirs" });
    await page.context().setOffline(false);
    await card("Phone one").getByText("1 conflict").waitFor();
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it("changes the height of neither toolbar nor tabs for a filter or comments", async () => {
    const heightOf = async (role: "toolbar" | "tablist") =>
      (await boxAtRest(page.getByRole(role).first())).height;
    await openCards("?q=Phone");
    const toolbar = await heightOf("toolbar");
    const filter = JSON.stringify({ field: "title", op: "contains", value: "Phone" });
    await openCards(`?filter=${encodeURIComponent(filter)}`);
    await page.getByRole("button", { name: /^Filter/ }).waitFor();
    await expect.poll(() => heightOf("toolbar")).toBe(toolbar);
    await makeRecord(ana, product, "incidents", "phone-silent", { title: "Without a comment" });
    await page.goto(`${product.url}/t/incidents/phone-silent`);
    const tabs = page.getByRole("tablist");
    await tabs.getByRole("tab", { name: "Activity", exact: true }).waitFor();
    const before = await heightOf("tablist");
    const comment = { table: "incidents", record: "phone-silent", text: "Seen" };
    await apiRequest(ana, product, "POST", "/comments", comment);
    await tabs.getByRole("tab", { name: /Activity.*1/ }).waitFor();
    await expect.poll(() => heightOf("tablist")).toBe(before);
  });

  it("shows the tools in one line, and the rarer ones in a menu", async () => {
    await openCards("?q=Phone");
    const toolbar = page.getByRole("toolbar");
    const heightOf = async () => (await toolbar.boundingBox())?.height ?? 0;
    await expect.poll(heightOf).toBeLessThan(48);
    for (const name of [/^View: /, /^Filter/, "New incident"])
      await toolbar.getByRole("button", { name }).waitFor();
    await toolbar.getByRole("searchbox").waitFor();
    await toolbar.getByRole("button", { name: "Group", exact: true }).waitFor();
    const last = await toolbar.getByRole("button", { name: "New incident" }).boundingBox();
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBe(phone.viewport.width - 8);
    await tapButton("More tools");
    await page.getByRole("menuitem", { name: "Undo" }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(heightOf).toBeLessThan(48);
  });

  it("shows each field of a card, also the last one", async () => {
    const [user] = (
      await apiRequest<{ items: { id: string; name: string }[] }>(ana, product, "GET", "/users")
    ).items;
    const title = "A card with all of its fields";
    const values = { title, state: "New", priority: "1 - Critical", assignee: user?.id };
    await makeRecord(ana, product, "incidents", "all-fields", values);
    await openCards(`?q=${title}`);
    const fields = card(title).locator(".wf-card-field");
    const whole = () =>
      fields.evaluateAll((all) =>
        all.every((field) => {
          const { bottom, right } = field.getBoundingClientRect();
          const frame = field.closest(".ag-cell")?.getBoundingClientRect();
          return frame !== undefined && bottom <= frame.bottom && right <= frame.right;
        }),
      );
    await card(title)
      .getByText(user?.name ?? "", { exact: true })
      .waitFor();
    await expect.poll(() => fields.count()).toBeGreaterThan(2);
    await expect.poll(whole).toBe(true);
  });

  it("closes a filter by its button or a tap beside it, which opens no record", async () => {
    await openCards();
    await tapButton("Filter");
    const filter = page
      .getByRole("dialog")
      .filter({ has: page.getByRole("listbox", { name: "Fields" }) });
    await filter.getByRole("button", { name: "Close" }).tap();
    await filter.waitFor({ state: "detached" });
    await tapButton("Filter");
    await filter.waitFor();
    await page.touchscreen.tap(195, 800);
    await filter.waitFor({ state: "detached" });
    await untilIdle(page);
    await panel().waitFor({ state: "detached" });
  });

  it("chooses several options of a filter, which stays open", async () => {
    await openCards();
    await tapButton("Filter");
    const filter = page.getByRole("dialog");
    await filter.getByRole("option", { name: "Priority", exact: true }).tap();
    await filter.getByRole("combobox", { name: "Values" }).tap();
    for (const name of ["2 - High", "4 - Low"]) {
      await page.getByRole("option", { name, exact: true }).tap();
    }
    const values = filter.getByRole("combobox", { name: "Values" });
    await expect.poll(() => values.inputValue()).toBe("2 - High, 4 - Low");
    // The button moves down once the filter can be cleared.
    await filter.getByRole("button", { name: "Clear all" }).waitFor();
    await page.keyboard.press("Escape");
    await filter.getByRole("button", { name: "Close" }).tap();
    await filter.waitFor({ state: "detached" });
  });

  it("says in the panel that it is offline", async () => {
    await openCards();
    await card("INC").first().tap();
    await panel().getByRole("heading").first().waitFor();
    await page.context().setOffline(true);
    await panel().getByText("You are offline.").waitFor();
    await page.context().setOffline(false);
    await panel().getByText("You are offline.").waitFor({ state: "detached" });
  });

  it("replaces the label of a user by what is typed, also after a second tap", async () => {
    await openCards("?q=A card with all of its fields");
    await page.locator(".wf-card").first().tap();
    const input = panel().getByRole("combobox", { name: "Assignee" });
    await input.tap();
    await input.tap();
    await page.keyboard.type("Ana");
    await expect.poll(() => input.inputValue()).toBe("Ana");
    await page.keyboard.press("Escape");
    expect(
      Number.parseFloat(await input.evaluate((it) => getComputedStyle(it).fontSize)),
    ).toBeGreaterThanOrEqual(16);
  });

  it("has what deletes far from what ends the selection, both as large as a finger needs", async () => {
    await openCards("?q=Phone");
    await press("Phone one");
    const bar = page.getByRole("toolbar", { name: /selected/ });
    const end = await boxAtRest(bar.getByRole("button", { name: "Clear selection" }));
    const remove = await boxAtRest(bar.getByRole("button", { name: "Delete" }));
    for (const { width, height } of [end, remove])
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(40);
    const apart = Math.max(remove.x - (end.x + end.width), remove.y - (end.y + end.height));
    expect(apart).toBeGreaterThanOrEqual(40);
    await tapButton("Clear selection");
  });

  it("brings up the keyboard that fits the field", async () => {
    const keyboards = async (...names: string[]) =>
      Promise.all(
        names.map((name) => panel().getByRole("textbox", { name }).getAttribute("inputmode")),
      );
    await makeRecord(ana, product, "groups", "keyboards", { name: "Keyboards" });
    await page.goto(`${product.url}/t/groups/keyboards`);
    await panel().getByRole("textbox", { name: "Email" }).waitFor();
    await expect.poll(() => keyboards("Email", "Name")).toEqual(["email", null]);
    await makeRecord(ana, product, "incidents", "keyboards", {
      ...{ title: "Keyboards", reassignments: 1 },
    });
    await page.goto(`${product.url}/t/incidents/keyboards`);
    await panel().getByRole("textbox", { name: "Reassignments" }).waitFor();
    await expect.poll(() => keyboards("Reassignments", "Category")).toEqual(["decimal", null]);
  });

  it("is a list of cards also on its side, with nothing that is too small to tap", async () => {
    await page.setViewportSize({ width: 844, height: 390 });
    await openCards("?q=Phone");
    expect(await smallTargets(page)).toEqual([]);
    await card("Phone one").tap();
    await panel().getByRole("tab").first().waitFor();
    expect(await smallTargets(page)).toEqual([]);
    await tapButton("Close panel");
    await tapButton("Filter");
    await page.getByRole("listbox", { name: "Fields" }).waitFor();
    expect(await smallTargets(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
  });

  it("has headings of groups that are much lower than cards", async () => {
    await openCards("?q=Phone&by=priority");
    const heading = page.locator(".wf-heading");
    const heightOf = async () => (await heading.first().boundingBox())?.height ?? 0;
    await expect.poll(heightOf).toBeLessThan(56);
    const add = await heading.first().locator(".wf-heading-add").boundingBox();
    expect(add?.height).toBeGreaterThanOrEqual(40);
    await heading.first().tap();
    await expect.poll(() => card("Phone two").count()).toBe(0);
    await heading.first().tap();
    await card("Phone two").waitFor();
  });

  it("gives cards their height in a window that was wide before", async () => {
    await ana.goto(`${product.url}/t/incidents`);
    await ana.locator(".ag-row .wf-cell:not(.wf-loading)").first().waitFor();
    await ana.setViewportSize(phone.viewport);
    const cards = ana.locator("[data-cards]");
    await cards.locator(".wf-card:not(.wf-loading)").first().waitFor();
    const height = (at: Element) => getComputedStyle(at).getPropertyValue("--wf-row-height");
    await expect.poll(() => cards.evaluate(height)).toBe("7.5rem");
  });
});
