// Covers: client/public
import { readFileSync } from "node:fs";
import type { Page, Route } from "playwright";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { repositoryRoot } from "../suite/run-tool.ts";
import { type Visitor, visit } from "./testing/browser.ts";
import { openProduct } from "./testing/product.ts";

const { browser, product } = await openProduct();

const pages = [
  { name: "the console", path: "/", program: "**/assets/console-*.js", root: "#root" },
  { name: "a display", path: "/display", program: "**/assets/display-*.js", root: "#wall" },
];

const javascript = { contentType: "text/javascript" };
const answers: Record<string, (route: Route) => Promise<void>> = {
  "404": (route) => route.fulfill({ status: 404, body: "Not found" }),
  "500": (route) => route.fulfill({ status: 500, body: "Error" }),
  "a page of a proxy": (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><p>Sign in</p>" }),
  "no answer": (route) => route.abort("connectionreset"),
  "a part of it": async (route) => {
    const whole = await (await route.fetch()).text();
    await route.fulfill({ ...javascript, body: whole.slice(0, whole.length / 2) });
  },
  "syntax that the browser does not know": (route) =>
    route.fulfill({ ...javascript, body: "let later = now until then;" }),
};

/** More than the time in which a page draws, and than the time between two tries. */
const SOON_MS = 6_000;
const RETRY_MS = 31_000;

let visitor: Visitor;
let page: Page;
beforeEach(async () => {
  visitor = await visit(browser, { expectsErrors: true });
  page = visitor.page;
  await page.clock.install();
});
afterEach(() => visitor.leave());

const notice = () => page.getByRole("alert").filter({ hasText: "Watchfloor" }).innerText();

it("names the browsers of the guide", () => {
  const read = (path: string) => readFileSync(`${repositoryRoot}/${path}`, "utf8");
  const [, oldest] = /"It needs (.+)\."/.exec(read("client/public/load-check.js")) ?? [];
  expect(read("docs/guides/running.md")).toContain(`need ${oldest}`);
});

describe.each(pages)("$name whose program does not arrive", ({ path, program, root }) => {
  it.each(Object.keys(answers))("says so and tries until it does: %s", async (name) => {
    let requests = 0;
    await page.route(program, async (route) => {
      requests += 1;
      await answers[name]?.(route);
    });
    await page.goto(product.url + path);
    await page.clock.fastForward(SOON_MS);
    await expect
      .poll(() => notice())
      .toContain("could not be loaded. It tries again every 30 seconds.");
    const reloaded = page.waitForEvent("load");
    await page.clock.fastForward(RETRY_MS);
    await reloaded;
    await page.clock.fastForward(SOON_MS);
    await expect.poll(() => notice()).toContain("Chrome or Edge 120, Firefox 121, Safari 17.4");
    // By the page, by the retry past the cache, and by the page again.
    expect(requests).toBeGreaterThan(2);

    await page.unroute(program);
    await page.clock.fastForward(RETRY_MS);
    await page.locator(`${root} :is(h1, h2, input)`).first().waitFor();
    expect(await page.getByText("could not be loaded").count()).toBe(0);
  });

  it("does not leave its message for the browser's own error page while the server is unreachable", async () => {
    await page.route(program, (route) => route.abort());
    await page.goto(product.url + path);
    await page.clock.fastForward(SOON_MS);
    await expect.poll(() => notice()).toContain("could not be loaded");
    await page.route(product.url + path, (route) => route.abort());
    const asked = page.waitForEvent("requestfailed");
    await page.clock.fastForward(RETRY_MS);
    await asked;
    await expect.poll(() => notice()).toContain("could not be loaded");
  });

  it("names the oldest browser where this one is too old, and does not blame the server", async () => {
    await page.addInitScript(() => Reflect.deleteProperty(AbortSignal, "timeout"));
    await page.goto(product.url + path);
    await expect
      .poll(() => notice())
      .toBe(
        "This browser is too old for Watchfloor. It needs Chrome or Edge 120, Firefox 121, Safari 17.4, or newer.",
      );
    expect(await page.locator(root).count()).toBe(0);
  });

  it("says nothing where the program starts", async () => {
    await page.goto(product.url + path);
    await page.locator(`${root} :is(h1, h2, input)`).first().waitFor();
    await page.clock.fastForward(SOON_MS);
    expect(await page.getByText("could not be loaded").count()).toBe(0);
  });
});
