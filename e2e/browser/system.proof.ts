// Covers: client/src/features/system
import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SystemInfo } from "../../shared/protocol/system.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { leaveBrowser, openBrowser, visitAs } from "./testing/browser.ts";
import { owner, type Product, startProduct } from "./testing/product.ts";
import {
  dataTexts,
  formattedTexts,
  languageProblems,
  usePseudoLanguage,
} from "./testing/pseudo-language.ts";

let browser: Browser;
let product: Product;

beforeAll(async () => {
  [browser, product] = await Promise.all([openBrowser(), startProduct()]);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await product.close();
});

/** An installation with much to look at: a second server, and something in every list. */
function eventful(system: SystemInfo): SystemInfo {
  const [node] = system.nodes as [SystemInfo["nodes"][number]];
  const disks = [{ place: "backups" as const, freeBytes: 4e8, totalBytes: 8e11 }];
  const text =
    'select "id", "title" from "incidents" where "title" ilike $1 order by "number" limit ?';
  return {
    ...system,
    messages: "degraded",
    nodes: [
      { ...node, disks },
      { ...node, id: "5f0e11aa", host: "web-2:3000", isThis: false, isLeader: false },
    ],
    queues: { ...system.queues, failedDeliveries: 3 },
    slow: [
      { text, calls: 1_204, meanMs: 380, maxMs: 2_150 },
      { text: null, calls: 2, meanMs: 120, maxMs: 130 },
    ],
    otherFeeds: 2,
    errors: [{ code: "conflict", count: 17, lastAt: system.now }],
    backup: { succeededAt: system.now, seconds: 3, bytes: 2e6, failed: true, isOverdue: false },
  };
}

describe("the screen of the system", () => {
  it("shows servers, log, database and queues, and what needs attention", async () => {
    const { page, consoleErrors, leave } = await visitAs(browser, product, owner);
    await page.goto(`${product.url}/admin/system`);
    await page.getByText("No backups are scheduled.").waitFor();
    await page.getByRole("navigation", { name: "Breadcrumb" }).getByText("System").waitFor();
    await page.getByRole("cell", { name: "(this one)" }).waitFor();
    await page.getByRole("cell", { name: "Incidents", exact: true }).waitFor();
    await page.getByText("Nothing took 100 ms.").or(page.getByText("Longest")).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    const address = `${product.url}/api/v1/system`;
    const system = await apiRequest<SystemInfo>(page, product, "GET", "/system");
    let answer: SystemInfo | null = eventful(system);
    await page.route(address, (route) =>
      answer
        ? route.fulfill({ json: answer })
        : route.fulfill({ status: 503, json: { code: "unavailable" } }),
    );
    await page.reload();
    await page.getByText("3 webhook deliveries were given up.").waitFor();
    await page.getByText("You need the right to change the model").waitFor();
    const alignment = (element: Element) => getComputedStyle(element).textAlign;
    for (const role of ["columnheader", "cell"] as const) {
      const name = role === "cell" ? "1,204" : "Calls";
      await expect.poll(() => page.getByRole(role, { name }).evaluate(alignment)).toBe("end");
    }
    for (const [colorScheme, width] of [
      ["light", 1440],
      ["dark", 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect(await accessibilityProblems(page)).toEqual([]);
      const isCut = () => document.documentElement.scrollWidth > innerWidth;
      expect(await page.evaluate(isCut)).toBe(false);
    }
    answer = null;
    await page.getByRole("alert").waitFor();
    await page.getByText("3 webhook deliveries were given up.").waitFor();
    await page.reload();
    await page.getByRole("alert").waitFor();
    expect(consoleErrors.splice(0).filter((text) => !text.includes("503"))).toEqual([]);
    await leave();
  });

  it("names the missing right to others", async () => {
    const { page, leave } = await visitAs(browser, product, owner);
    const ed = { email: "ed@example.com", password: "a quite long sentence" };
    await apiRequest(page, product, "POST", "/users", { ...ed, name: "Ed", role: "editor" });
    const other = await visitAs(browser, product, ed);
    await other.page.goto(`${product.url}/admin/system`);
    await other.page.getByText("see the system status").waitFor();
    await other.leave();
    await leave();
  });

  it.each([1440, 390])("is translated and fits %d px", async (width) => {
    const { page, leave } = await visitAs(browser, product, owner);
    await page.setViewportSize({ width, height: 900 });
    await usePseudoLanguage(page);
    const data = [...(await dataTexts(page, product)), ...formattedTexts, "Ctrl", "MV"];
    const system = eventful(await apiRequest<SystemInfo>(page, product, "GET", "/system"));
    const { version, database, nodes, slow, errors } = system;
    const own = [version, database.version, ...nodes.map(({ host }) => host)];
    const texts = slow.flatMap(({ text }) => text ?? []);
    await page.route("**/api/v1/system", (route) => route.fulfill({ json: system }));
    await page.goto(`${product.url}/admin/system`);
    await page.locator("main table").first().waitFor();
    const known = [
      ...texts,
      ...own,
      ...data,
      ...errors.map(({ code }) => code),
      /\b(byte|kB|MB|GB|TB)\b/,
    ];
    expect(await languageProblems(page, known)).toEqual([]);
    await leave();
  });
});
