import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./testing/browser.ts";
import { changeRecord, makeRecord } from "./testing/grid.ts";
import { type Product, startProduct } from "./testing/product.ts";
import { twoPeople } from "./testing/two-people.ts";

let browser: Browser;
let product: Product;
let people: Awaited<ReturnType<typeof twoPeople>>;

beforeAll(async () => {
  [browser, product] = await Promise.all([openBrowser(), startProduct()]);
  people = await twoPeople(browser, product);
});

afterAll(async () => {
  await browser.close();
  await product.close();
});

/** The cards as their links say them: what, how many, and where that leads. */
async function cardsOf(page: Page) {
  const links = page.getByRole("link", { name: /Show these records\.$/ });
  const told = await links.evaluateAll((found) =>
    found.map((link) => ({
      name: link.getAttribute("aria-label") ?? "",
      href: link.getAttribute("href") ?? "",
    })),
  );
  return told.map(({ name, href }) => {
    const [, title = "", figure = ""] = /^(.*): ([\d,]+)\./.exec(name) ?? [];
    return { title, figure: Number(figure.replaceAll(",", "")), href };
  });
}

async function figureOf(page: Page, title: string): Promise<number> {
  const card = (await cardsOf(page)).find((one) => one.title === title);
  if (!card) throw new Error(`There is no card ${title}.`);
  return card.figure;
}

describe("the dashboard", () => {
  it("moves when somebody else edits, without a reload, and shows what is mine", async () => {
    const { mara, ana } = people;
    const { page } = mara;
    await page.goto(product.url);
    await page.getByRole("link", { name: /^Unassigned: \d+/ }).waitFor();
    const before = await figureOf(page, "Unassigned");
    const title = "Lift stands between floors";
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
    expect(mara.complaints).toEqual([]);
  });

  it("opens with every card exactly the records that it counts", async () => {
    const { page } = people.mara;
    const cards = await cardsOf(page);
    const titles = cards.map(({ title }) => title);
    const wanted = ["Open incidents", "Overdue", "Unassigned", "Opened today", "Resolved today"];
    expect(titles).toEqual(expect.arrayContaining(wanted));
    for (const { title, figure, href } of cards) {
      const { pathname, searchParams } = new URL(href, product.url);
      const table = pathname.split("/")[2];
      const query = `limit=0&${searchParams}`;
      const answer = await page.request.get(
        `${product.url}/api/v1/tables/${table}/records?${query}`,
      );
      const { total } = (await answer.json()) as { total: number };
      expect(`${title}: ${total}`).toBe(`${title}: ${figure}`);
    }
    const overdue = await figureOf(page, "Overdue");
    await page.getByRole("link", { name: /^Overdue: / }).click();
    await page.waitForURL(/\/t\/incidents\?filter=/);
    await page
      .getByText(new RegExp(`^${overdue} (records|incidents)`))
      .first()
      .waitFor();
  });
});
