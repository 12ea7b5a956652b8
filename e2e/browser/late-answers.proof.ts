// Covers: client/src/transport client/src/features
import type { Page } from "playwright";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Model } from "../../shared/model/model.ts";
import { apiRequest } from "./testing/api-request.ts";
import { type Visitor, visitAs } from "./testing/browser.ts";
import { goTo } from "./testing/go-to.ts";
import { changeRecord, goToTable, makeRecord } from "./testing/grid.ts";
import { importScreen } from "./testing/import-screen.ts";
import { openProduct, owner } from "./testing/product.ts";
import { chooseInViewMenu } from "./testing/view-menu.ts";

const { browser, product } = await openProduct();
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  visitor = await visitAs(browser, product, owner);
  page = visitor.page;
});

const navigation = () => page.getByRole("navigation", { name: "Main navigation" });

/** Holds a call back. Releasing it waits until the page has its answer. */
async function hold(path: string): Promise<{ asked: Promise<unknown>; release(): Promise<void> }> {
  const held = Promise.withResolvers<void>();
  const url = `${product.url}/api/v1${path}`;
  await page.route(url, async (route) => {
    if (route.request().method() === "POST") await held.promise;
    await route.continue();
  });
  const isCall = (method: string, address: string) => method === "POST" && address === url;
  const asked = page.waitForRequest((one) => isCall(one.method(), one.url()));
  const answered = page.waitForResponse((one) => isCall(one.request().method(), one.url()));
  const release = async () => {
    held.resolve();
    await (await answered).finished();
    // Its handlers have run once a later call is answered.
    await page.evaluate(() => fetch("/api/v1/session").then((answer) => answer.text()));
    await page.unroute(url);
  };
  return { asked, release };
}

describe("an answer that comes after the user has moved on", () => {
  beforeEach(async () => {
    await goTo(page, product, "/me");
    await page.getByRole("heading", { name: "My profile" }).waitFor();
  });

  it("to a revert leads nowhere, and the draft is there", async () => {
    await makeRecord(page, product, "services", "late", { name: "Late service" });
    await changeRecord(page, product, "services", "late", { name: "Renamed service" });
    await goTo(page, product, "/activity?table=services&record=late");
    const change = page
      .getByRole("region", { name: "Timeline" })
      .getByRole("listitem")
      .filter({ hasText: "Renamed service" });
    const call = await hold("/change-sets");
    await change.getByRole("button", { name: /^More/ }).click();
    await page.getByRole("menuitem", { name: "Revert…" }).click();
    await call.asked;
    await navigation().getByRole("link", { name: "Users" }).click();
    await page.getByRole("heading", { level: 1, name: "Users" }).waitFor();
    await call.release();
    expect(new URL(page.url()).pathname).toBe("/admin/users");
    const drafts = "/change-sets?state=draft";
    const { items } = await apiRequest<{ items: object[] }>(page, product, "GET", drafts);
    expect(items).toHaveLength(1);
  });

  it("to a new view leaves the address of another table alone", async () => {
    await goToTable(page, product, "incidents?sort=-title");
    await chooseInViewMenu(page, "Save as new view");
    const dialog = page.getByRole("dialog", { name: "New view" });
    await dialog.getByLabel("Name").fill("A late view");
    const call = await hold("/views");
    await dialog.getByRole("button", { name: "Save view" }).click();
    await call.asked;
    await goToTable(page, product, "services");
    await call.release();
    expect(new URL(page.url()).pathname).toBe("/t/services");
    expect(new URL(page.url()).search).toBe("");
  });

  it("to a new view leaves the dialog alone that was opened meanwhile", async () => {
    await goToTable(page, product, "incidents?sort=-title");
    await chooseInViewMenu(page, "Save as new view");
    const dialog = page.getByRole("dialog", { name: "New view" });
    await dialog.getByLabel("Name").fill("Another late view");
    const call = await hold("/views");
    await dialog.getByRole("button", { name: "Save view" }).click();
    await call.asked;
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await chooseInViewMenu(page, "Save as new view");
    await dialog.getByLabel("Name").fill("Typed meanwhile");
    await call.release();
    await expect.poll(() => dialog.getByLabel("Name").inputValue()).toBe("Typed meanwhile");
  });

  it("of a file that is read slowly does not replace the file chosen after it", async () => {
    const screen = importScreen(() => page, product);
    const input = page.locator("input[type=file]");
    const file = (name: string, content: string) => ({
      name,
      mimeType: "text/csv",
      buffer: Buffer.from(content),
    });
    await goTo(page, product, "/import/services");
    const finish = await readSlowly("slow.csv");
    await input.setInputFiles(file("slow.csv", "Name\nSlow one\n"));
    await input.setInputFiles(file("fast.csv", "Name\nFast one\n"));
    const rows = screen.region("First rows of the file");
    await rows.getByText("Fast one").waitFor();
    await finish();
    await screen.preview();
    await page.getByRole("heading", { level: 1, name: "fast.csv" }).waitFor();
  });

  it("to a question for the model does not replace a newer one", async () => {
    const rename = async (label: string) => {
      const model = await apiRequest<Model>(page, product, "GET", "/model");
      const tables = model.tables.map((one) => (one.name === "groups" ? { ...one, label } : one));
      return apiRequest(page, product, "PUT", "/model", { ...model, tables });
    };
    const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(
      "**/api/v1/model",
      async (route) => {
        const response = await route.fetch();
        arrived.resolve();
        await released.promise;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    const answered = page.waitForResponse("**/api/v1/model");
    await rename("First name");
    await arrived.promise;
    await rename("Second name");
    const link = (name: RegExp) => navigation().getByRole("link", { name });
    await link(/^Second name/).waitFor();
    released.resolve();
    await (await answered).finished();
    await page.evaluate(() => fetch("/api/v1/session").then((answer) => answer.text()));
    await expect.poll(() => link(/^Second name/).count()).toBe(1);
    await rename("Groups");
    await link(/^Groups/).waitFor();
  });
});

/** Files of a name are read to their end only when the returned function is called. */
async function readSlowly(name: string): Promise<() => Promise<void>> {
  const reading = await page.evaluateHandle((slow) => {
    const { stream } = Blob.prototype;
    const ended = Promise.withResolvers<void>();
    Blob.prototype.stream = function (this: Blob) {
      if (!(this instanceof File) || this.name !== slow) return stream.call(this);
      return new ReadableStream({
        start: async (controller) => {
          await ended.promise;
          controller.close();
        },
      });
    };
    return async () => {
      ended.resolve();
      await new Promise(requestAnimationFrame);
    };
  }, name);
  return () => reading.evaluate((end) => end());
}
