// Covers: server/relay server/presence client/src/sync
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MachineLag } from "../harness/machine-lag.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { createInstalled } from "../harness/test-installation.ts";
import { addUser, signIn as signInByRest } from "../harness/test-user.ts";
import type { TestDatabase } from "../provision/create-database.ts";
import { systemDatabase } from "../provision/databases.ts";
import { startRedis, type TestRedis } from "../provision/redis.ts";
import { leaveBrowser, openBrowser, visitAs } from "./testing/browser.ts";
import { cell, openTable, waitForText } from "./testing/grid.ts";

/** The default is 25 s, which the tests would wait out. */
const PRESENCE_TTL_MS = 8_000;
/** A little longer for a server that was killed. */
const GONE_WITHIN_MS = PRESENCE_TTL_MS + 5_000;
const VIEW = `incidents?filter=${encodeURIComponent(JSON.stringify({ field: "id", op: "eq", value: "seed-1" }))}`;

let browser: Browser;
let redis: TestRedis;
let database: TestDatabase;
let one: ServerProcess;
let two: ServerProcess;
let mara: Page;
let ben: Page;

beforeAll(async () => {
  [browser, redis, database] = await Promise.all([
    openBrowser(),
    startRedis(),
    createInstalled(systemDatabase),
  ]);
  const environment = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    PRESENCE_TTL_MS: String(PRESENCE_TTL_MS),
    PRESENCE_HEARTBEAT_MS: "2500",
  };
  one = await ServerProcess.start({ environment });
  two = await ServerProcess.start({ environment });
  await addUser(one.url, await signInByRest(one.url, owner), "Ben");
  const asBen = { email: "ben@example.com", password: "password of Ben" };
  mara = (await visitAs(browser, one, owner)).page;
  ben = (await visitAs(browser, two, asBen, { expectsErrors: true })).page;
  await openTable(mara, one, VIEW);
  await openTable(ben, two, VIEW);
});

afterAll(async () => {
  await leaveBrowser(browser);
  await Promise.all([one.kill("SIGTERM"), two.kill("SIGTERM")]);
  await database.drop();
  await redis.close();
});

describe("two users on two servers, with Postgres and Redis between them", () => {
  it("see each other's typing and each other's changes", async () => {
    await cell(ben, "seed-1", "title").click();
    const frame = cell(mara, "seed-1", "title").locator(".wf-frame-name");
    await frame.filter({ hasText: "Ben" }).waitFor();
    await ben.keyboard.type("Ben, by the other server");
    await frame.filter({ hasText: "editing" }).waitFor();
    await ben.keyboard.press("Enter");
    await waitForText(cell(mara, "seed-1", "title"), "Ben, by the other server");
  });

  it("do not see users of a killed server for long, who then come back alone", async () => {
    await cell(ben, "seed-1", "title").click();
    const frame = cell(mara, "seed-1", "title").locator(".wf-frame-name");
    await frame.waitFor();
    await two.kill("SIGKILL");
    const lag = new MachineLag();
    const killedAt = performance.now();
    await frame.waitFor({ state: "detached" });
    const took = performance.now() - killedAt;
    expect(took).toBeLessThan(await lag.allowing(GONE_WITHIN_MS));
    await two.start();
    await ben.getByText("Live", { exact: true }).first().waitFor({ timeout: 60_000 });
    await cell(ben, "seed-1", "title").click();
    await frame.waitFor();
    await expect.poll(() => frame.textContent()).toContain("Ben");
  });
});
