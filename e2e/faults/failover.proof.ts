// Covers: server/store
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { leaveBrowser, openBrowser, visitAs } from "../browser/testing/browser.ts";
import { cell, openTable, waitForText } from "../browser/testing/grid.ts";
import { LineProxy } from "../harness/line-proxy.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { signIn, type TestUser } from "../harness/test-user.ts";
import { startRedis, type TestRedis } from "../provision/redis.ts";
import { type PrimaryAndStandby, startPrimaryAndStandby } from "../provision/system-postgres.ts";
import { noteMeasurement } from "./testing/note-measurement.ts";
import { SteadyEdits } from "./testing/steady-edits.ts";

/**
 * The standby becomes the primary, while users edit through two servers. The old primary is dead, or answers and takes no
 * changes, which no connection notices by itself.
 */

const VIEW = `incidents?filter=${encodeURIComponent(JSON.stringify({ field: "id", op: "eq", value: "seed-1" }))}`;
const RECORDS = ["seed-2", "seed-3", "seed-4", "seed-5"];

let pair: PrimaryAndStandby;
let redis: TestRedis;
let line: LineProxy;
let servers: ServerProcess[] = [];

const superuser = async (url: string, statement: string) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows as Record<string, unknown>[];
};

/** As the operator does it: no more commits on the old one, all of them on the new one. */
async function makeReadOnly(): Promise<void> {
  const { primary, standby } = pair;
  await superuser(primary.url, "alter system set default_transaction_read_only = on");
  await superuser(primary.url, "select pg_reload_conf()");
  await superuser(
    primary.url,
    `select count(pg_terminate_backend(pid)) from pg_stat_activity where backend_xid is not null`,
  );
  const [{ at } = {}] = await superuser(
    primary.url,
    "select pg_current_wal_flush_lsn()::text as at",
  );
  const isReplayed = async () =>
    (await superuser(standby.url, `select pg_last_wal_replay_lsn() >= '${at}' as done`))[0]?.done;
  while (!(await isReplayed())) await sleep(20);
}

const promote = async () => {
  await superuser(pair.standby.url, "select pg_promote()");
};

const isReady = async ({ url }: ServerProcess) => (await fetch(`${url}/readyz`)).status === 200;

/** How the servers reach the database: by a list of hosts, as libpq does, or by one address that a proxy moves. */
const addresses = {
  "a list of hosts": () => {
    const [one, two] = [pair.primary, pair.standby].map(({ port }) => `127.0.0.1:${port}`);
    return `postgres://postgres:watchfloor@${one},${two}/postgres?target_session_attrs=read-write`;
  },
  "a proxy's one address": () =>
    `postgres://postgres:watchfloor@127.0.0.1:${new URL(line.url).port}/postgres`,
};
type Address = keyof typeof addresses;

beforeEach(async () => {
  [pair, redis] = await Promise.all([startPrimaryAndStandby(), startRedis()]);
  line = await LineProxy.start(pair.primary.port);
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  servers = [];
  await line[Symbol.asyncDispose]();
  await Promise.all([pair[Symbol.asyncDispose](), redis.close()]);
});

async function startServers(address: Address): Promise<[ServerProcess, ServerProcess, TestUser]> {
  const environment = { DATABASE_URL: addresses[address](), REDIS_URL: redis.url };
  const one = await ServerProcess.start({ environment });
  servers.push(one);
  const two = await ServerProcess.start({ environment });
  servers.push(two);
  return [one, two, await signIn(one.url, owner)];
}

async function steadyEdits(one: ServerProcess, two: ServerProcess, me: TestUser) {
  const titles = await Promise.all(
    RECORDS.map(async (id) => ({
      id,
      title: (await me.record("incidents", id)).values.title ?? null,
    })),
  );
  return [one, two].map(
    ({ url }, index) =>
      new SteadyEdits({ url, token: me.token }, titles.slice(index * 2, index * 2 + 2)),
  );
}

/** The changes of each acknowledged mutation on the new primary: one, or it was lost or applied twice. */
async function expectEachOnce(writers: readonly SteadyEdits[]): Promise<void> {
  const ids = writers.flatMap(({ acknowledged }) => acknowledged);
  const rows = await superuser(
    pair.standby.url,
    "select mutation, count(*)::int as count from watchfloor.change where mutation like 'steady%' group by 1",
  );
  const counts = new Map(rows.map(({ mutation, count }) => [mutation, count]));
  expect(ids.filter((id) => counts.get(id) !== 1)).toEqual([]);
}

describe.each(Object.keys(addresses) as Address[])("with %s", (address) => {
  it.each(["dead", "alive but read-only"])(
    "edits wait and arrive by themselves when the standby was promoted and the old primary is %s",
    async (fate) => {
      const [one, two, me] = await startServers(address);
      const browser = await openBrowser();
      const { page } = await visitAs(browser, two, owner);
      await openTable(page, two, VIEW);
      await cell(page, "seed-1", "title").waitFor();
      const writers = await steadyEdits(one, two, me);
      for (const writer of writers) await writer.more(5);
      if (fate === "dead") await pair.primary.end("SIGQUIT");
      else await makeReadOnly();
      const { promise: unready, resolve } = Promise.withResolvers<void>();
      void (async () => {
        while ((await isReady(one)) || (await isReady(two))) await sleep(50);
        resolve();
      })();
      await cell(page, "seed-1", "title").click();
      await page.keyboard.type("typed meanwhile");
      await page.keyboard.press("Enter");
      await unready;
      const status = page.getByTestId("connection");
      await status.getByText("Database unavailable", { exact: true }).waitFor();
      const promotedAt = performance.now();
      const seconds = () => ((performance.now() - promotedAt) / 1000).toFixed(1);
      await promote();
      line.leadTo(pair.standby.port);
      const stored = () =>
        superuser(pair.standby.url, "select title from incidents where id = 'seed-1'");
      const arrived = (async () => {
        while ((await stored())[0]?.title !== "typed meanwhile") await sleep(50);
        return seconds();
      })();
      const writing = Promise.all(writers.map((writer) => writer.more(1))).then(seconds);
      noteMeasurement(
        `${address}, ${fate}: others' edits after ${await writing} s, the page's after ${await arrived} s`,
      );
      for (const server of [one, two]) while (!(await isReady(server))) await sleep(50);
      for (const writer of writers) writer.faultIsOver();
      for (const writer of writers) await writer.more(5);
      for (const writer of writers) await writer.stop();
      await status.getByText("Live", { exact: true }).waitFor();
      await waitForText(cell(page, "seed-1", "title"), "typed meanwhile");
      await leaveBrowser(browser);
      await expectEachOnce(writers);
    },
    300_000,
  );
});
