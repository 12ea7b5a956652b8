import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LineProxy } from "../harness/line-proxy.ts";
import { MachineLag } from "../harness/machine-lag.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { createInstalled } from "../harness/test-installation.ts";
import { signIn, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { createIncident, createWallboard, pairDisplay } from "../harness/wallboards.ts";
import { systemOverTcp } from "../provision/databases.ts";
import { someCases } from "../provision/proof-size.ts";
import { startRedis } from "../provision/redis.ts";
import { leaveBrowser, openBrowser } from "./testing/browser.ts";

/**
 * Freshness, with everything real: server, Postgres and Redis each behind a proxy that can fail, and the
 * built player in a browser. In every case the display reports it in time, and recovers by itself.
 */
const STATUS_TIMEOUT_MS = 10_000;
const BACK_WITHIN_MS = 60_000;
const TIMEOUT_MS = 300_000;
const NOW = "Up to date";

const opened = new AsyncDisposableStack();
let browser: Browser;
let server: ServerProcess;
let ownerUser: TestUser;
let wall: Page;
let http: LineProxy;
let postgres: LineProxy;
let redis: LineProxy;
let token: string;

beforeAll(async () => {
  browser = opened.adopt(await openBrowser(), leaveBrowser);
  const database = opened.adopt(await createInstalled(systemOverTcp), (it) => it.drop());
  const bus = opened.adopt(await startRedis(), (started) => started.close());
  [postgres, redis] = await Promise.all([lineTo(database.url), lineTo(bus.url)]);
  server = opened.use(
    await ServerProcess.start({
      environment: {
        DATABASE_URL: through(database.url, postgres),
        REDIS_URL: through(bus.url, redis),
      },
    }),
  );
  http = opened.use(await LineProxy.start(server.port));
  ownerUser = await signIn(server.url, owner);
  ({ token } = await pairDisplay(server.url, ownerUser, [await createWallboard(ownerUser)]));
  wall = await hang();
});
afterAll(() => opened.disposeAsync());

async function lineTo(url: string): Promise<LineProxy> {
  return opened.use(await LineProxy.start(Number(new URL(url).port)));
}

function through(url: string, line: LineProxy): string {
  const other = new URL(url);
  other.port = new URL(line.url).port;
  return other.href;
}

/** The player on a screen of its own, showing current values. */
async function hang(prepare: (page: Page) => Promise<void> = async () => {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 960, height: 540 } });
  await context.addCookies([{ name: "watchfloor_display", value: token, url: http.url }]);
  const page = await context.newPage();
  await prepare(page);
  await page.goto(`${http.url}/display`);
  await waitForStatus(page, NOW, BACK_WITHIN_MS);
  return page;
}

const statusText = (page: Page) => page.locator(".freshness-text").textContent({ timeout: 500 });

async function waitForStatus(page: Page, text: string | RegExp, withinMs: number): Promise<string> {
  let last: string | null = null;
  const fits = (expectedStatus: string) =>
    typeof text === "string" ? expectedStatus === text : text.test(expectedStatus);
  return until(`“${text}”, but it says “${last}”`, withinMs, async () => {
    last = await statusText(page).catch(() => null);
    return last !== null && fits(last) ? last : null;
  });
}

/** The display reports it as soon as it has to; a slow machine gets more time. */
async function waitForStatusInTime(page: Page, text: RegExp): Promise<void> {
  const lag = new MachineLag();
  const startedAt = performance.now();
  await waitForStatus(page, text, TIMEOUT_MS);
  const took = performance.now() - startedAt;
  expect(took).toBeLessThan(await lag.allowing(STATUS_TIMEOUT_MS));
}

/** Runs in the page: records each status from now on. */
function recordStatuses(): void {
  const statuses: string[] = [];
  Object.assign(globalThis, { statuses });
  const note = () => {
    statuses.push(document.querySelector(".freshness-text")?.textContent ?? "");
  };
  const all = { subtree: true, childList: true, characterData: true };
  new MutationObserver(note).observe(document.body, all);
}

/** Runs in the page. */
function recordedStatuses(): string[] {
  return (globalThis as unknown as { statuses: string[] }).statuses;
}

/** The display shows what a fresh query returns. */
async function isTrue(page: Page): Promise<void> {
  await createIncident(ownerUser);
  const { total } = await ownerUser.page("incidents", "limit=0");
  await page
    .locator('[data-tile="all"]')
    .getByText(String(total), { exact: true })
    .waitFor({ timeout: BACK_WITHIN_MS });
}

const expectGrey = (page: Page, isGrey: boolean) =>
  expect
    .poll(() => page.locator('[data-tile="all"][data-fresh="lost"]').count())
    .toBe(isGrey ? 1 : 0);

describe("D3 the display says within ten seconds that its values are not proven, and recovers by itself", () => {
  const connectionLost =
    /^(Connection lost|Server delayed) (\d+:)?\d\d:\d\d — values from \d\d:\d\d:\d\d$/;
  const cases: [
    string,
    { fault: () => void; restore: () => void; expectedStatus: RegExp; grey: boolean },
  ][] = [
    [
      "the server is stopped (SIGSTOP)",
      {
        fault: () => server.freeze(true),
        restore: () => server.freeze(false),
        expectedStatus: connectionLost,
        grey: true,
      },
    ],
    [
      "the network is cut",
      {
        fault: () => http.cut(),
        restore: () => http.restore(),
        expectedStatus: connectionLost,
        grey: true,
      },
    ],
    [
      "a proxy answers 502 pages",
      {
        fault: () => http.reset(),
        restore: () => http.restore(),
        expectedStatus: connectionLost,
        grey: true,
      },
    ],
    [
      "Postgres is down",
      {
        fault: () => postgres.cut(),
        restore: () => postgres.restore(),
        expectedStatus: connectionLost,
        grey: true,
      },
    ],
    [
      "Redis is down: the values stay correct, with a note that changes may be delayed",
      {
        fault: () => redis.cut(),
        restore: () => redis.restore(),
        expectedStatus: /changes may be delayed$/,
        grey: false,
      },
    ],
  ];

  it.each(someCases(cases))(
    "%s",
    async (_name, { fault, restore, expectedStatus, grey }) => {
      await isTrue(wall);
      await wall.evaluate(() => Object.assign(globalThis, { untouched: true }));
      fault();
      await waitForStatusInTime(wall, expectedStatus);
      await expectGrey(wall, grey);
      if (!grey) await isTrue(wall);
      restore();
      await waitForStatus(wall, NOW, BACK_WITHIN_MS);
      await expectGrey(wall, false);
      await isTrue(wall);
      expect(await wall.evaluate(() => "untouched" in globalThis)).toBe(true);
    },
    TIMEOUT_MS,
  );

  it(
    "the tab slept for an hour",
    async () => {
      const page = await hang((one) => one.clock.install());
      await page.evaluate(recordStatuses);
      const lag = new MachineLag();
      const startedAt = performance.now();
      await page.clock.fastForward("01:00:00");
      // Until the next confirmation, which may come at once.
      await until("the display says so", TIMEOUT_MS, async () =>
        (await page.evaluate(recordedStatuses)).some((text) => connectionLost.test(text)),
      );
      const took = performance.now() - startedAt;
      expect(took).toBeLessThan(await lag.allowing(STATUS_TIMEOUT_MS));
      await waitForStatus(page, NOW, BACK_WITHIN_MS);
      await isTrue(page);
      await page.context().close();
    },
    TIMEOUT_MS,
  );

  it(
    "D6 switched on while the server is unavailable it shows the last values with their age, and continues",
    async () => {
      await wall.evaluate(async () => {
        await navigator.serviceWorker.ready;
        while (!(await caches.match("/display"))) await new Promise((done) => setTimeout(done, 50));
      });
      await isTrue(wall);
      const { total } = await ownerUser.page("incidents", "limit=0");
      http.reset();
      await wall.reload();
      await waitForStatusInTime(wall, connectionLost);
      await expectGrey(wall, true);
      const shown = () => wall.locator('[data-tile="all"]').textContent();
      await expect.poll(shown).toContain(String(total));
      http.restore();
      await waitForStatus(wall, NOW, BACK_WITHIN_MS);
      await isTrue(wall);
    },
    TIMEOUT_MS,
  );

  it("D1 a revoked display shows no value within a second, and asks for a new pairing", async () => {
    const { items } = await ownerUser.call<{ items: { id: string }[] }>("GET", "/displays");
    const lag = new MachineLag();
    await ownerUser.call("POST", `/displays/${items[0]?.id}/revoke`);
    const done = performance.now();
    await wall.getByRole("heading", { name: "This display was revoked" }).waitFor();
    const took = performance.now() - done;
    expect(took).toBeLessThan(await lag.allowing(1_000));
    expect(await wall.locator("[data-tile]").count()).toBe(0);
    await wall.locator(".pairing-code").waitFor();
    expect(await wall.evaluate(() => localStorage.length)).toBe(0);
  });
});
