// Covers: client/src/transport client/src/sync/connection client/src/display/core
import type { Page } from "playwright";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { MachineLag } from "../harness/machine-lag.ts";
import { type Obstacle, ObstacleProxy } from "../harness/obstacle-proxy.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { createInstalled } from "../harness/test-installation.ts";
import { signIn, type TestUser } from "../harness/test-user.ts";
import { createWallboard, pairDisplay } from "../harness/wallboards.ts";
import { workableIncident } from "../harness/workable-incident.ts";
import { anyDatabase } from "../provision/databases.ts";
import { proofSize } from "../provision/proof-size.ts";
import { startRedis } from "../provision/redis.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { leaveBrowser, openBrowser, type Visitor, visitAs } from "./testing/browser.ts";
import { cell, openTable, waitForText } from "./testing/grid.ts";

/**
 * What users read whose network lets requests pass and no WebSocket, after how long, and when their page is live again. Each
 * obstacle, on one server; those that a balancer without sticky sessions makes different, on two.
 */
const EXPLAINED_WITHIN_MS = 10_000;
const CUT_AFTER_MS = proofSize(4_000, 60_000);
const CUTS = 3;
const record = workableIncident(1);
const view = `incidents?filter=${encodeURIComponent(JSON.stringify({ field: "id", op: "eq", value: record }))}`;
/** Those that keep a WebSocket from opening. */
const closed: readonly Obstacle[] = ["403", "html", "never", "swallowed", "held"];

const browser = await openBrowser();
const redis = await startRedis();
const database = await createInstalled(anyDatabase);
const environment = { DATABASE_URL: database.url, REDIS_URL: redis.url };
const one = await ServerProcess.start({ environment });
const two = await ServerProcess.start({ environment });
const colleague = await signIn(one.url, owner);
const wallboard = await createWallboard(colleague);
const display = await pairDisplay(one.url, colleague, [wallboard]);
afterAll(async () => {
  await leaveBrowser(browser);
  await Promise.all([one.kill("SIGTERM"), two.kill("SIGTERM")]);
  await database.drop();
  await redis.close();
});

let proxy: ObstacleProxy;
let visitor: Visitor;
let page: Page;
let serial = 0;

/** A page that has not been opened yet, behind a proxy in front of these servers. */
async function arrive(...servers: readonly ServerProcess[]): Promise<void> {
  proxy = await ObstacleProxy.start(...servers.map(({ url }) => Number(new URL(url).port)));
  visitor = await visitAs(browser, one, owner);
  page = visitor.page;
  await page
    .context()
    .addCookies([
      { name: "watchfloor_display", value: display.token, url: proxy.url, httpOnly: true },
    ]);
}
afterEach(async () => {
  await visitor.leave();
  await proxy[Symbol.asyncDispose]();
});

/** A colleague's edit appears, and one made here is stored. */
async function worksBothWays(by: TestUser): Promise<void> {
  serial += 1;
  const [theirs, mine] = [`theirs ${serial}`, `mine ${serial}`];
  const path = `/tables/incidents/records/${record}`;
  await by.call("PATCH", `${path}?overwrite=true`, { set: { title: theirs } });
  await waitForText(cell(page, record, "title"), theirs);
  await cell(page, record, "title").click();
  await page.keyboard.type(mine);
  await page.keyboard.press("Enter");
  const stored = async () => (await by.record("incidents", record)).values.title;
  await expect.poll(stored, { timeout: 60_000 }).toBe(mine);
}

/** Milliseconds until something is there, reported with the rest of the table. */
async function timed(what: string, wait: Promise<unknown>): Promise<number> {
  const started = performance.now();
  await wait;
  const took = performance.now() - started;
  process.stdout.write(`obstacles: ${what}: ${(took / 1_000).toFixed(1)} s\n`);
  return took;
}

const isLive = () => page.getByTestId("connection").getByText("Live", { exact: true }).waitFor();
const blockedBar = () => page.getByTestId("blocked-bar");

/** What the page says of its connection from now on, one after the other, and for how long. */
async function watchConnection(): Promise<() => Promise<{ said: string; ms: number }[]>> {
  await page.evaluate(() => {
    const said: { text: string; at: number }[] = [];
    const read = () => {
      const text = document.querySelector('[data-testid="connection"]')?.textContent;
      if (text && text !== said.at(-1)?.text) said.push({ text, at: performance.now() });
    };
    read();
    new MutationObserver(read).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    Object.assign(globalThis, { said });
  });
  return async () => {
    const said = (await page.evaluate("said")) as { text: string; at: number }[];
    const until = (await page.evaluate("performance.now()")) as number;
    return said.map(({ text, at }, index) => ({
      said: text,
      ms: Math.round((said[index + 1]?.at ?? until) - at),
    }));
  };
}

describe("the console behind a network that lets no WebSocket pass", () => {
  beforeEach(() => arrive(one));

  it.each(closed)(
    "%s: works by polling, live both ways, and by a WebSocket once it passes",
    async (obstacle) => {
      proxy.obstacle = obstacle;
      await timed(`${obstacle}, console, rows by polling`, openTable(page, proxy, view));
      await isLive();
      await worksBothWays(colleague);
      expect(await blockedBar().count()).toBe(0);
      proxy.obstacle = "none";
      const upgraded = page.waitForEvent("websocket");
      // Chrome repeats a request whose connection is cut: the next connection is opened when the network is back.
      await page.context().setOffline(true);
      await page.getByText("You are offline.").waitFor();
      await page.context().setOffline(false);
      await upgraded;
      await isLive();
      await worksBothWays(colleague);
    },
  );

  it.each(closed)(
    "%s, and polling blocked: says so within ten seconds with what to pass on, and is live once it passes",
    async (obstacle) => {
      proxy.obstacle = obstacle;
      proxy.refusesPolling = true;
      const lag = new MachineLag();
      await page.goto(`${proxy.url}/t/${view}`);
      const explained = blockedBar()
        .getByText("Your network blocks the live connection.")
        .waitFor();
      const took = await timed(`${obstacle} and polling blocked, console, explained`, explained);
      expect(took).toBeLessThan(await lag.allowing(EXPLAINED_WITHIN_MS));
      await expect
        .poll(() => blockedBar().innerText())
        .toContain(`Let ${proxy.url}/socket.io/ pass unchanged`);
      await page.getByTestId("connection").getByText("Live connection blocked").first().waitFor();
      expect(await page.getByText("You are offline").count()).toBe(0);
      expect(await accessibilityProblems(page)).toEqual([]);
      proxy.obstacle = "none";
      proxy.refusesPolling = false;
      await timed(`${obstacle} and polling blocked, console, live again`, isLive());
      await blockedBar().waitFor({ state: "detached" });
      await worksBothWays(colleague);
    },
  );
});

describe("a display behind a network that lets no WebSocket pass", () => {
  beforeEach(() => arrive(one));
  const isUpToDate = () => page.getByText("Up to date").waitFor();

  it.each(closed)("%s: shows its wallboard by polling", async (obstacle) => {
    proxy.obstacle = obstacle;
    await page.goto(`${proxy.url}/display`);
    await timed(
      `${obstacle}, display, wallboard by polling`,
      page.locator('[data-tile="all"]').waitFor(),
    );
    await isUpToDate();
  });

  it.each(closed)(
    "%s, and polling blocked: says so within ten seconds, and shows its wallboard once it passes",
    async (obstacle) => {
      proxy.obstacle = obstacle;
      proxy.refusesPolling = true;
      const lag = new MachineLag();
      await page.goto(`${proxy.url}/display`);
      const explained = page.getByText("The network blocks the live connection").waitFor();
      const took = await timed(`${obstacle} and polling blocked, display, explained`, explained);
      expect(took).toBeLessThan(await lag.allowing(EXPLAINED_WITHIN_MS));
      proxy.obstacle = "none";
      proxy.refusesPolling = false;
      await timed(`${obstacle} and polling blocked, display, live again`, isUpToDate());
    },
  );

  it("names the cause beside the values that it still shows", async () => {
    await page.goto(`${proxy.url}/display`);
    await isUpToDate();
    proxy.obstacle = "403";
    proxy.refusesPolling = true;
    proxy.reset();
    await page.locator(".freshness-text").getByText("the network blocks /socket.io/").waitFor();
    await page.locator('[data-tile="all"]').waitFor();
  });
});

describe.each([
  { title: "one server", servers: [one] },
  { title: "two servers without sticky sessions", servers: [one, two] },
])("the console in front of $title", ({ title, servers }) => {
  beforeEach(() => arrive(...servers));

  it(`whose WebSockets are cut after ${CUT_AFTER_MS} ms is live again by itself, and misses nothing`, async () => {
    proxy.obstacle = "cut";
    proxy.cutAfterMs = CUT_AFTER_MS;
    await openTable(page, proxy, view);
    const readConnection = await watchConnection();
    for (let cut = 1; cut <= CUTS; cut += 1) {
      await expect.poll(() => proxy.cuts, { timeout: 120_000 }).toBeGreaterThanOrEqual(cut);
      await worksBothWays(colleague);
      await isLive();
    }
    // It is the same page: what was noted in it is there.
    const states = await readConnection();
    const words = new Set(states.map(({ said }) => said));
    const others = states.filter(({ said }) => said !== "Live");
    process.stdout.write(
      `obstacles: WebSockets cut after ${CUT_AFTER_MS / 1_000} s, ${title}: ${others.map(({ said, ms }) => `"${said}" for ${ms / 1_000} s`).join(", ")}\n`,
    );
    expect(words).toContain("Live");
    for (const word of words) expect(["Live", "Reconnecting…", "Catching up…"]).toContain(word);
    expect(await blockedBar().count()).toBe(0);
  });

  it("whose WebSockets are refused works by polling, or says what blocks it", async () => {
    proxy.obstacle = "403";
    await page.goto(`${proxy.url}/t/${view}`);
    if (servers.length === 1) await isLive();
    else await blockedBar().waitFor();
  });
});
