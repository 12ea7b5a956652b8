// Covers: client/src/records client/src/ui
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { recordAddress } from "../../shared/record-address.ts";
import { apiRequest } from "./testing/api-request.ts";
import { cardIn, wide } from "./testing/board.ts";
import { visit, visitAs } from "./testing/browser.ts";
import { recordsShown, sortByHeader } from "./testing/grid.ts";
import { openProduct, owner } from "./testing/product.ts";

const { browser, product } = await openProduct();

const ids = ["a/b", "a%2Fb", "a#b", "a?b=c", "a+b", "a&b", "/", "100 %25", "Board"];
const titleOf = (id: string) => `Odd ${id}`;
let page: Page;

beforeAll(async () => {
  ({ page } = await visitAs(browser, product, owner));
  await page.setViewportSize(wide);
  for (const id of ids) {
    const body = { record: id, values: { title: titleOf(id) } };
    await apiRequest(page, product, "POST", "/tables/incidents/records", body);
  }
});

const title = (at = page) =>
  at.getByRole("complementary").getByRole("textbox", { name: "Title", exact: true });
const shownTitle = (at = page) => expect.poll(() => title(at).inputValue());

async function storedTitles(): Promise<Record<string, unknown>> {
  const { records } = await apiRequest<{
    records: { id: string; values: Record<string, unknown> }[];
  }>(page, product, "GET", "/tables/incidents/records?search=Odd&limit=100");
  return Object.fromEntries(records.map(({ id, values }) => [id, values.title]));
}

it.each(ids)(
  "opens the record %j by its address, edits that one only, also after a reload",
  async (id) => {
    const address = `${product.url}${recordAddress("incidents", id)}?q=Odd`;
    await page.goto(address);
    await shownTitle().toBe(titleOf(id));
    const before = await storedTitles();
    await title().fill(`${titleOf(id)}, edited`);
    await title().press("Tab");
    await expect.poll(storedTitles).toEqual({ ...before, [id]: `${titleOf(id)}, edited` });
    await page.reload();
    await shownTitle().toBe(`${titleOf(id)}, edited`);
    expect(page.url()).toBe(address);
    await title().fill(titleOf(id));
    await title().press("Tab");
    await expect.poll(storedTitles).toEqual(before);
  },
);

it.each(["a/b", "a%2Fb", "a#b"])("opens the card %j, and goes back and forward", async (id) => {
  await page.goto(`${product.url}/t/incidents/board?q=Odd`);
  await cardIn(page, "New", id).getByRole("link").first().click();
  await shownTitle().toBe(titleOf(id));
  await page.goBack();
  await title().waitFor({ state: "detached" });
  await page.goForward();
  await shownTitle().toBe(titleOf(id));
});

describe("an address with a filter", () => {
  const value = "Odd w%22x & 50 %25";
  const filter = encodeURIComponent(JSON.stringify({ field: "title", op: "eq", value }));
  const path = `/t/incidents/${encodeURIComponent("a%2Fb")}?filter=${filter}`;

  beforeAll(async () => {
    const body = { record: "w%22x", values: { title: value } };
    await apiRequest(page, product, "POST", "/tables/incidents/records", body);
  });

  it("shows the records that match, and stays as it is when the view changes", async () => {
    await page.goto(product.url + path);
    await shownTitle().toBe(titleOf("a%2Fb"));
    await expect.poll(() => recordsShown(page)).toEqual(["w%22x"]);
    await sortByHeader(page, "Title");
    await expect.poll(() => new URL(page.url()).searchParams.get("sort")).not.toBeNull();
    const url = new URL(page.url());
    expect(url.pathname).toBe("/t/incidents/a%252Fb");
    expect(JSON.parse(url.searchParams.get("filter") ?? "")).toMatchObject({ value });
    await shownTitle().toBe(titleOf("a%2Fb"));
  });

  it("is opened after signing in", async () => {
    const stranger = await visit(browser);
    await stranger.page.goto(product.url + path);
    await stranger.page.getByLabel("Email").fill(owner.email);
    await stranger.page.getByLabel("Password", { exact: true }).fill(owner.password);
    await stranger.page.keyboard.press("Enter");
    await shownTitle(stranger.page).toBe(titleOf("a%2Fb"));
    expect(stranger.page.url()).toBe(product.url + path);
    await expect.poll(() => recordsShown(stranger.page)).toEqual(["w%22x"]);
    await stranger.leave();
  });
});

it.each(["/t/incidents/%", "/t/incidents/%zz", "/t/%E0%A4%A/board", "/wallboards/%", "/%"])(
  "says at %s, which is not encoded correctly, that nothing is there",
  async (path) => {
    const answer = await page.goto(product.url + path);
    expect(answer?.status()).toBe(200);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
  },
);
