// Covers: server/store server/terminal/doctor
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { LineProxy } from "../harness/line-proxy.ts";
import { runProgram } from "../harness/run-program.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { createInstalled } from "../harness/test-installation.ts";
import { signIn, type TestUser } from "../harness/test-user.ts";
import { systemOverTcp } from "../provision/databases.ts";
import { type PgBouncerOptions, pgbouncerProgram, startPgBouncer } from "../provision/pgbouncer.ts";
import { startRedis } from "../provision/redis.ts";
import { noteMeasurement } from "./testing/note-measurement.ts";
import { SteadyEdits } from "./testing/steady-edits.ts";

/** PgBouncer between the servers and Postgres. */

const REFUSED =
  /^The database at DATABASE_URL can't be used: a connection pooler is in between that changes the Postgres session .*pool_mode = transaction.*Use the direct address of Postgres, or let the pooler use session mode\.\n$/;

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function installed() {
  const database = await createInstalled(systemOverTcp);
  undo.push(() => database.drop());
  return database;
}

async function pooler(address: string, options: PgBouncerOptions) {
  const made = await startPgBouncer(address, options);
  undo.push(async () => made[Symbol.asyncDispose]());
  return made;
}

async function startServer(environment: Record<string, string>): Promise<ServerProcess> {
  const server = await ServerProcess.start({ environment });
  undo.push(() => server.kill());
  return server;
}

async function select<Row extends object>(address: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}

/** Two servers on one Redis, with two writers each. */
async function startWriters(address: string) {
  const redis = await startRedis();
  undo.push(() => redis.close());
  const environment = { DATABASE_URL: address, REDIS_URL: redis.url };
  const servers = [await startServer(environment), await startServer(environment)];
  const me = await signIn(servers[0]?.url ?? "", owner);
  const writers = await Promise.all(
    servers.map(async ({ url }, index) => {
      const ids = [2, 3].map((n) => `seed-${n + index * 2}`);
      const records = await Promise.all(
        ids.map(async (id) => ({
          id,
          title: (await me.record("incidents", id)).values.title ?? null,
        })),
      );
      return new SteadyEdits({ url, token: me.token }, records);
    }),
  );
  return { servers, writers, me };
}

const stored = (address: string) =>
  select<{ title: string }>(address, "select title from incidents where id = 'seed-1'");

async function statusOf({ url }: ServerProcess, { token }: TestUser, op: object): Promise<number> {
  const answer = await fetch(`${url}/api/v1/mutations`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ id: crypto.randomUUID(), ops: [op] }),
  });
  await answer.body?.cancel();
  return answer.status;
}

async function expectEachOnce(address: string, writers: readonly SteadyEdits[]): Promise<void> {
  const rows = await select<{ mutation: string; count: number }>(
    address,
    "select mutation, count(*)::int as count from watchfloor.change where mutation like 'steady%' group by 1",
  );
  const counts = new Map(rows.map(({ mutation, count }) => [mutation, count]));
  const ids = writers.flatMap(({ acknowledged }) => acknowledged);
  expect(ids.filter((id) => counts.get(id) !== 1)).toEqual([]);
}

/** A user edits while the way to the database changes sessions, beside other writers: refused until it keeps them again, and then stored by itself. */
async function editMeanwhile(
  what: string,
  url: string,
  address: string,
  { toTransactions, toSessions }: Record<"toTransactions" | "toSessions", () => Promise<void>>,
): Promise<void> {
  const { servers, writers, me } = await startWriters(address);
  const { core } = me.open();
  undo.push(async () => core.stop());
  core.openTable("incidents");
  core.start();
  for (const writer of writers) await writer.more(3);
  await toTransactions();
  for (const { url: at } of servers) {
    while ((await fetch(`${at}/readyz`)).status === 200) await sleep(20);
  }
  const [{ title = null } = {}] = await stored(url);
  const change = { set: { title: "typed meanwhile" }, base: { title } };
  core.edits.edit("incidents", { record: "seed-1", ...change });
  const op = { op: "update", table: "incidents", record: "seed-1", ...change };
  for (let n = 0; n < 5; n += 1) {
    for (const server of servers) expect(await statusOf(server, me, op)).toBe(503);
  }
  expect(await stored(url)).toEqual([{ title }]);
  await toSessions();
  const at = performance.now();
  const seconds = () => ((performance.now() - at) / 1_000).toFixed(1);
  const writing = Promise.all(writers.map((writer) => writer.more(1))).then(seconds);
  while ((await stored(url))[0]?.title !== "typed meanwhile") await sleep(20);
  noteMeasurement(
    `${what}: the user's edit after ${seconds()} s, others' after ${await writing} s`,
  );
  for (const writer of writers) await writer.more(5);
  for (const writer of writers) await writer.stop();
  await expectEachOnce(url, writers);
}

if (!pgbouncerProgram) it("not applicable here: PgBouncer is not on this machine", () => {});

describe.each(pgbouncerProgram ? [false, true] : [])(
  "behind PgBouncer that ignores start-up options: %s",
  (ignoresOptions) => {
    it("a server refuses transaction mode in one sentence, and so does the doctor", async () => {
      const { url } = await installed();
      const { through } = await pooler(url, { mode: "transaction", ignoresOptions });
      const environment = { DATABASE_URL: through(url), PORT: "0" };
      const start = await runProgram(["start"], environment);
      expect([start.code, start.err]).toEqual([1, expect.stringMatching(REFUSED)]);
      const doctor = await runProgram(["doctor"], environment);
      expect(doctor.code).toBe(1);
      expect(doctor.out).toMatch(/fault {4}postgres: .*a connection pooler is in between/);
    });

    it("two servers work in session mode, with one leader, and nothing is lost or doubled", async () => {
      const { url } = await installed();
      const { through } = await pooler(url, { mode: "session", ignoresOptions });
      const { servers, writers } = await startWriters(through(url));
      for (const writer of writers) writer.faultIsOver();
      for (const writer of writers) await writer.more(20);
      for (const writer of writers) await writer.stop();
      await expectEachOnce(url, writers);
      const leaders = await select(
        url,
        `select pid from pg_locks where locktype = 'advisory' and objid = 7244801 and granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
      expect(leaders).toHaveLength(1);
      for (const { url: at } of servers) expect((await fetch(`${at}/readyz`)).status).toBe(200);
    });

    it("nothing is refused, lost or doubled by a RELOAD under open connections", async () => {
      const { url } = await installed();
      const pool = await pooler(url, { mode: "session", ignoresOptions });
      const { writers } = await startWriters(pool.through(url));
      for (const writer of writers) writer.faultIsOver();
      for (let reload = 0; reload < 3; reload += 1) {
        for (const writer of writers) await writer.more(3);
        await pool.reload("session");
      }
      for (const writer of writers) await writer.more(10);
      for (const writer of writers) await writer.stop();
      await expectEachOnce(url, writers);
    });

    it("edits wait from a RELOAD to transaction mode under open connections on, and arrive after one back to session mode", async () => {
      const { url } = await installed();
      const pool = await pooler(url, { mode: "session", ignoresOptions });
      await editMeanwhile(`RELOAD, options ignored: ${ignoresOptions}`, url, pool.through(url), {
        toTransactions: () => pool.reload("transaction"),
        toSessions: () => pool.reload("session"),
      });
    });

    it("edits wait while the address leads to transaction mode, and arrive in session mode by themselves", async () => {
      const { url } = await installed();
      const transaction = await pooler(url, { mode: "transaction", ignoresOptions });
      const session = await pooler(url, { mode: "session", ignoresOptions });
      const line = await LineProxy.start(Number(new URL(url).port));
      undo.push(async () => line[Symbol.asyncDispose]());
      const address = Object.assign(new URL(url), { port: new URL(line.url).port }).href;
      const lead = async (port: number) => {
        line.cut();
        line.leadTo(port);
        line.restore();
      };
      await editMeanwhile(`PgBouncer, options ignored: ${ignoresOptions}`, url, address, {
        toTransactions: () => lead(transaction.port),
        toSessions: () => lead(session.port),
      });
    });
  },
);
