// Covers: client/src/transport client/src/app
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { openBlockingBrowser, type Visitor, visit, visitAs } from "./testing/browser.ts";
import { cell, makeRecord, openTable } from "./testing/grid.ts";
import { openProduct, owner } from "./testing/product.ts";

const { browser, product } = await openProduct();
const host = new URL(product.url).host;

describe("a browser that blocks all site data", () => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await openBlockingBrowser();
    await visitor.page.goto(`${product.url}/mark.svg`);
    const refusal = () =>
      visitor.page.evaluate(() => {
        try {
          return String(localStorage);
        } catch (error) {
          return (error as Error).name;
        }
      });
    expect(await refusal()).toBe("SecurityError");
  });
  afterAll(() => visitor.leave());

  it.each(["/login", "/", "/t/incidents/1?q=x", "/me"])(
    "is shown the sign-in page at %s, which says that cookies are needed",
    async (path) => {
      const { page } = visitor;
      await page.goto(product.url + path);
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await page
        .getByText(`Your browser blocks cookies for ${host}, so you can't sign in.`)
        .waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
    },
  );

  it("reads at the form that cookies are blocked, and not that the password is incorrect", async () => {
    const { page } = visitor;
    await page.goto(`${product.url}/login`);
    await page.getByLabel("Email").fill(owner.email);
    await page.getByLabel("Password", { exact: true }).fill(owner.password);
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("Your browser blocks cookies").waitFor();
  });

  it("reads on the page of a display that it can't be paired", async () => {
    const { page } = visitor;
    await page.goto(`${product.url}/display`);
    await page.getByText(`This browser blocks cookies for ${host}`).waitFor();
  });
});

/** Reading `kind` throws, as it does where it is blocked. */
function block(kind: string): void {
  const get = () => {
    throw new DOMException("Access is denied for this document.", "SecurityError");
  };
  Object.defineProperty(globalThis, kind, { get, configurable: true });
}

const reads = "Your browser stores only a part of this site's data";

describe.each([
  ["localStorage", `${reads}: when you reload the page, your preferences and texts`],
  ["sessionStorage", `${reads}: edits made offline, drafts and undo steps`],
  ["indexedDB", `${reads}: edits made offline, drafts and undo steps`],
])("a browser that blocks %s alone", (kind, text) => {
  it("reads on the sign-in page what is lost", async () => {
    const { page, leave } = await visit(browser);
    await page.addInitScript(block, kind);
    await page.goto(`${product.url}/login`);
    await page.getByText(text).waitFor();
    await leave();
  });

  it("shows the dashboard, a table and the page of a display, and saves", async () => {
    const { page, leave } = await visitAs(browser, product, owner);
    await page.addInitScript(block, kind);
    const record = `blocked-${kind}`;
    await makeRecord(page, product, "incidents", record, { title: record, state: "New" });
    await page.goto(product.url);
    await page.getByRole("navigation", { name: "Main navigation" }).waitFor();
    await openTable(page, product, `incidents?q=${record}`);
    await cell(page, record, "title").click();
    await page.keyboard.press("Enter");
    await page.keyboard.press("End");
    await page.keyboard.type(" saved");
    await page.keyboard.press("Enter");
    const stored = async () => {
      const path = `${product.url}/api/v1/tables/incidents/records/${record}`;
      return (await (await page.request.get(path)).json()).values.title;
    };
    await expect.poll(stored).toBe(`${record} saved`);
    await page.goto(`${product.url}/display`);
    await page.getByText("Pair this screen").waitFor();
    await leave();
  });
});

it("a browser that blocks no storage shows no such note", async () => {
  const { page, leave } = await visit(browser);
  await page.goto(`${product.url}/login`);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  // The note appears at the latest when the list of databases does.
  await page.evaluate(() => indexedDB.databases());
  expect(await page.getByText("Your browser").count()).toBe(0);
  await leave();
});
