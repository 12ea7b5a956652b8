import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { createInstalled } from "../harness/test-installation.ts";
import { signIn, type TestUser } from "../harness/test-user.ts";
import type { TestDatabase } from "../provision/create-database.ts";
import { anyDatabase } from "../provision/databases.ts";
import { startRedis, type TestRedis } from "../provision/redis.ts";
import { Follower, waitFor } from "./follower.ts";

/**
 * Two servers on one Postgres and one Redis. What is committed through one is seen through the other, in
 * order and once, whatever of the three fails meanwhile.
 */

let redis: TestRedis;
let database: TestDatabase;
let one: ServerProcess;
let two: ServerProcess;
let me: TestUser;
const TABLE = "incidents";

beforeAll(async () => {
  [redis, database] = await Promise.all([startRedis(), createInstalled(anyDatabase)]);
  const environment = { DATABASE_URL: database.url, REDIS_URL: redis.url };
  one = await ServerProcess.start({ environment });
  two = await ServerProcess.start({ environment });
  me = await signIn(one.url, owner);
});
afterAll(async () => {
  await Promise.all([one.kill(), two.kill()]);
  await database.drop();
  await redis.close();
});

async function pair(): Promise<[Follower, Follower]> {
  const writer = await Follower.start(one.url, me.token, TABLE);
  return [writer, await Follower.start(two.url, me.token, TABLE)];
}

/** Writes by one server until the other shows each of them. */
async function waitForWrites(writer: Follower, viewer: Follower, count: number): Promise<void> {
  const { id, title, seq: head } = await writer.anyRecord();
  await viewer.sees(head);
  const before = viewer.received.length;
  let [last, seq] = [title, 0];
  for (let n = 0; n < count; n += 1) {
    const next = `written ${n} ${crypto.randomUUID()}`;
    seq = await writer.write(id, last, next);
    last = next;
  }
  await viewer.sees(seq);
  expect(viewer.received.length - before).toBe(count);
  expect(viewer.received.at(-1)?.set.title).toBe(last);
}

function expectNoViolations(...followers: Follower[]): void {
  for (const { violations, resyncs, received } of followers) {
    expect([violations, resyncs]).toEqual([[], []]);
    const seqs = received.map(({ seq }) => seq);
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
  }
}

describe("P8 servers that share a database show the same", () => {
  test("what is committed through one is seen through the other", async () => {
    const [writer, viewer] = await pair();
    using _writer = writer;
    using _viewer = viewer;
    await waitForWrites(writer, viewer, 30);
    await waitForWrites(viewer, writer, 30);
    expectNoViolations(writer, viewer);
  });

  test("what another program writes in Postgres is seen through both", async () => {
    const [left, right] = await pair();
    using _left = left;
    using _right = right;
    const { id } = await left.anyRecord();
    const outside = new Client({ connectionString: database.url });
    await outside.connect();
    await outside.query("update incidents set title = 'from outside' where id = $1", [id]);
    await outside.end();
    await waitFor(() => left.received.length > 0 && right.received.length > 0);
    expect(right.received.at(-1)).toMatchObject({
      set: { title: "from outside" },
      by: { kind: "external" },
    });
    expectNoViolations(left, right);
  });

  test("reports degraded while Redis is stopped, still updates screens, and recovers", async () => {
    const [writer, viewer] = await pair();
    using _writer = writer;
    using _viewer = viewer;
    await redis.stop("SIGKILL");
    await waitFor(() => writer.degraded && viewer.degraded);
    await waitForWrites(writer, viewer, 10);
    await redis.start();
    await waitFor(() => !writer.degraded && !viewer.degraded);
    await waitForWrites(viewer, writer, 10);
    expectNoViolations(writer, viewer);
  });

  test("with Redis emptied nothing is lost", async () => {
    const [writer, viewer] = await pair();
    using _writer = writer;
    using _viewer = viewer;
    await redis.flush();
    await waitForWrites(writer, viewer, 10);
    expectNoViolations(writer, viewer);
  });

  test("the leading server is killed: the other takes over, and disconnected clients catch up", async () => {
    const [writer, viewer] = await pair();
    using _writer = writer;
    using _viewer = viewer;
    await waitForWrites(writer, viewer, 3);
    await one.kill("SIGKILL");
    await waitForWrites(viewer, viewer, 20);
    await one.start();
    await waitFor(() => writer.at?.seq === viewer.at?.seq);
    await waitForWrites(writer, viewer, 10);
    expectNoViolations(writer, viewer);
  });

  test("both database sessions of the relay die: nothing is lost or sent twice", async () => {
    const [writer, viewer] = await pair();
    using _writer = writer;
    using _viewer = viewer;
    const outside = new Client({ connectionString: database.url });
    await outside.connect();
    await outside.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'watchfloor %' and datname = current_database()",
    );
    await outside.end();
    await waitForWrites(writer, viewer, 20);
    expectNoViolations(writer, viewer);
  });

  test("a truncated table is another history: every screen reads it again and continues", async () => {
    const [left, right] = await pair();
    using _left = left;
    using _right = right;
    const outside = new Client({ connectionString: database.url });
    await outside.connect();
    await outside.query("truncate incidents");
    // Rights may be read again as well, because the test before ended the sessions of the database.
    await waitFor(() => [left, right].every(({ resyncs }) => resyncs.includes("epoch")));
    await waitFor(() => left.at !== null && right.at !== null);
    await outside.query("insert into incidents (id, title, state) values ('t1', 'new', 'New')");
    await outside.end();
    await waitFor(() => left.received.length > 0 && right.received.length > 0);
    expect(right.received).toMatchObject([{ kind: "insert", record: "t1" }]);
    expect([left.violations, right.violations]).toEqual([[], []]);
  });
});
