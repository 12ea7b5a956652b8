// Covers: client/src/features/dashboard
import type { Page } from "playwright";
import { describe, expect, it, vi } from "vitest";
import { visitAs } from "./testing/browser.ts";
import { changeRecord, makeRecord } from "./testing/grid.ts";
import { countShifts, SHIFT_MAX, shiftOf } from "./testing/layout-shift.ts";
import { shiftClock } from "./testing/page-clock.ts";
import { owner } from "./testing/product.ts";
import { openTwoUsers } from "./testing/two-users.ts";

const { browser, product, users } = await openTwoUsers();
const HOUR_MS = 3_600_000;

/** The cards as their links describe them: what, how many, and the target. */
async function cardsOf(page: Page) {
  const links = page.getByRole("link", { name: /Show these records\.$/ });
  const cards = await links.evaluateAll((found) =>
    found.map((link) => ({
      name: link.getAttribute("aria-label") ?? "",
      href: link.getAttribute("href") ?? "",
    })),
  );
  return cards.map(({ name, href }) => {
    const [, title = "", value = ""] = /^(.*): ([\d,]+)\./.exec(name) ?? [];
    return { title, shown: Number(value.replaceAll(",", "")), href };
  });
}

async function tileValue(page: Page, title: string): Promise<number> {
  const card = (await cardsOf(page)).find((one) => one.title === title);
  if (!card) throw new Error(`There is no card ${title}.`);
  return card.shown;
}

describe("the dashboard", () => {
  it("updates when another user edits, without a reload, and shows what is mine", async () => {
    const { mara, ana } = users;
    const { page } = mara;
    await page.goto(product.url);
    await page.getByRole("link", { name: /^Unassigned: \d+/ }).waitFor();
    const before = await tileValue(page, "Unassigned");
    const title = "Lift stuck between floors";
    await makeRecord(ana.page, product, "incidents", "lift", { title, priority: "1 - Critical" });
    await page.getByRole("link", { name: `Unassigned: ${before + 1}. Show` }).waitFor();
    const { user } = await (await page.request.get(`${product.url}/api/v1/session`)).json();
    await changeRecord(ana.page, product, "incidents", "lift", { assignee: user.id });
    await page.getByRole("link", { name: `Unassigned: ${before}. Show` }).waitFor();
    const mine = page.getByRole("region", { name: "My work" });
    await mine.getByRole("link", { name: new RegExp(title) }).waitFor();
    await page
      .getByRole("region", { name: "Latest changes" })
      .getByText("Ana Lopes")
      .first()
      .waitFor();
  });

  it("says when work is due by the server's clock, where that of the machine is wrong", async () => {
    const { mara } = users;
    const answer = await mara.page.request.get(`${product.url}/api/v1/session`);
    const due_at = new Date(Date.now() + 6.5 * HOUR_MS).toISOString();
    const assignee = (await answer.json()).user.id;
    const values = { title: "Due this evening", due_at, assignee };
    await makeRecord(mara.page, product, "incidents", "evening", values);
    const { page, leave } = await visitAs(browser, product, owner);
    await page.addInitScript(shiftClock, 12 * HOUR_MS);
    await page.goto(product.url);
    const mine = page.getByRole("region", { name: "My work" });
    const line = mine.getByRole("link", { name: /Due this evening/ });
    await line.getByText("in 6 h").waitFor();
    await leave();
  });

  it("fills each line of cards, from a phone to the widest screen", async () => {
    const { page } = users.mara;
    await page.goto(product.url);
    await page.getByRole("link", { name: /^Unassigned: \d+/ }).waitFor();
    const gaps = () =>
      page.locator(".wf-tiles").evaluateAll((lists) =>
        lists.map((list) => {
          const right = list.getBoundingClientRect().right;
          const boxes = [...list.children].map((card) => card.getBoundingClientRect());
          const ends = Map.groupBy(boxes, ({ top }) => Math.round(top)).values();
          return Math.max(
            ...[...ends].map((line) => right - Math.max(...line.map((box) => box.right))),
          );
        }),
      );
    await expect.poll(async () => (await gaps()).length).toBeGreaterThan(0);
    for (const width of [390, 600, 768, 1024, 1280, 3840, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(async () => Math.max(...(await gaps()))).toBeLessThan(1);
    }
  });

  it.each([390, 1440])("moves nothing while it loads, at %d px", async (width) => {
    const { page, leave } = await visitAs(browser, product, owner, {
      viewport: { width, height: 900 },
    });
    await countShifts(page);
    await page.goto(product.url);
    await page.getByRole("link", { name: /^Unassigned: \d+/ }).waitFor();
    const changes = page.getByRole("region", { name: "Latest changes" });
    await changes.getByRole("listitem").first().waitFor();
    expect(await shiftOf(page)).toBeLessThanOrEqual(SHIFT_MAX);
    await leave();
  });

  it("opens with every card exactly the records that it counts", async () => {
    const { page } = users.mara;
    const expectedTitles = [
      "Open incidents",
      "Overdue",
      "Unassigned",
      "Opened today",
      "Resolved today",
    ];
    const totalOf = async (href: string) => {
      const { pathname, searchParams } = new URL(href, product.url);
      const table = pathname.split("/")[2];
      const query = `limit=0&${searchParams}`;
      const answer = await page.request.get(
        `${product.url}/api/v1/tables/${table}/records?${query}`,
      );
      return ((await answer.json()) as { total: number }).total;
    };
    // Records become overdue meanwhile, and a card follows a moment later.
    const compare = async () => {
      const cards = await cardsOf(page);
      expect(cards.map(({ title }) => title)).toEqual(expect.arrayContaining(expectedTitles));
      for (const { title, shown, href } of cards) {
        expect(`${title}: ${await totalOf(href)}`).toBe(`${title}: ${shown}`);
      }
    };
    await vi.waitFor(compare, { timeout: 60_000 });
    const overdue = await tileValue(page, "Overdue");
    await page.getByRole("link", { name: /^Overdue: / }).click();
    await page.waitForURL(/\/t\/incidents\?filter=/);
    const total = page.getByTestId("total").filter({ hasText: /^\d/ });
    const opened = Number.parseInt(await total.innerText(), 10);
    expect(opened).toBeGreaterThanOrEqual(overdue);
    expect(opened).toBeLessThanOrEqual(await totalOf(page.url()));
  });
});
