// Covers: client/src/app
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { apiRequest } from "./testing/api-request.ts";
import { visitAs } from "./testing/browser.ts";
import { makeRecord, openTable } from "./testing/grid.ts";
import { openProduct, owner } from "./testing/product.ts";

const MODEL_CODE = "**/assets/model-screen-*.js";

const { browser, product } = await openProduct();
let page: Page;

beforeAll(async () => {
  ({ page } = await visitAs(browser, product, owner, { expectsErrors: true }));
});

const heading = (name: string) => page.getByRole("heading", { level: 1, name });

it("the other screens are loaded one after the other, whenever the page is idle", async () => {
  const { page: idle, leave } = await visitAs(browser, product, owner, { prefetches: true });
  await idle.addInitScript(() => {
    const calls: (() => void)[] = [];
    Object.assign(globalThis, {
      calls,
      requestIdleCallback: (call: () => void) => calls.push(call),
    });
  });
  await idle.goto(product.url);
  const count = () =>
    idle.evaluate(() => (globalThis as unknown as { calls: unknown[] }).calls.length);
  await expect.poll(count).toBe(1);
  const loaded = idle.waitForRequest(/\/assets\/screen-styles-/);
  await idle.evaluate(() => (globalThis as unknown as { calls: (() => void)[] }).calls[0]?.());
  await loaded;
  await expect.poll(count).toBe(2);
  await leave();
});

describe("a screen whose code does not arrive", () => {
  it("is loaded by trying again", async () => {
    let refused = 0;
    await page.route(MODEL_CODE, (route) => {
      refused += 1;
      return route.abort();
    });
    await page.goto(`${product.url}/admin/model`);
    await heading("This screen could not be loaded").waitFor();
    const before = refused;
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => refused).toBeGreaterThan(before);
    await heading("This screen could not be loaded").waitFor();
    await page.unroute(MODEL_CODE);
    await page.getByRole("button", { name: "Try again" }).click();
    await heading("Model").waitFor();
  });

  it("is loaded by opening it again", async () => {
    await page.route(MODEL_CODE, (route) => route.abort());
    await page.goto(`${product.url}/admin/model`);
    await heading("This screen could not be loaded").waitFor();
    await page.unroute(MODEL_CODE);
    await page.getByRole("link", { name: "Users" }).click();
    await heading("Users").waitFor();
    await page.goBack();
    await heading("Model").waitFor();
  });

  it("asks for a reload if a newer build is deployed, and no typed text is lost", async () => {
    await makeRecord(page, product, "incidents", "typed", { title: "Typed", state: "New" });
    await openTable(page, product, "incidents/typed?q=Typed");
    const panel = page.getByRole("complementary");
    await panel.getByRole("button", { name: /empty fields$/ }).click();
    await panel.getByRole("textbox", { name: "Location", exact: true }).fill("Third floor");
    await page.route(MODEL_CODE, (route) => route.fulfill({ status: 404 }));
    const newer = { contentType: "text/html", body: '<script src="/assets/newer.js"></script>' };
    await page.route(`${product.url}/`, (route) => route.fulfill(newer));
    await page.evaluate(() => {
      history.pushState(null, "", "/admin/model");
      dispatchEvent(new PopStateEvent("popstate"));
    });
    await heading("A newer version is available").waitFor();
    await page.unroute(MODEL_CODE);
    await page.getByRole("button", { name: "Reload the page" }).click();
    await heading("Model").waitFor();
    const read = () =>
      apiRequest<{ values: { location: string } }>(
        page,
        product,
        "GET",
        "/tables/incidents/records/typed",
      );
    await expect.poll(async () => (await read()).values.location).toBe("Third floor");
  });
});
