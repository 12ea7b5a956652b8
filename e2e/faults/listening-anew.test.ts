import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { createInstalled } from "../harness/test-installation.ts";
import { addUser, signIn, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { workableIncident } from "../harness/workable-incident.ts";
import type { TestDatabase } from "../provision/create-database.ts";
import { systemDatabase } from "../provision/databases.ts";
import { Backends } from "./testing/stopped-backends.ts";

/**
 * A server that may have missed notifications checks all rights anew: that is no reason to refuse the edits that
 * wait meanwhile.
 */

const GUARD_MS = 60_000;
/** What waits for a lock waits for as long as a test holds it. */
const environment = {
  COMMIT_PATIENCE_MS: "120000",
  COMMIT_CONNECTION_TIMEOUT_MS: "150000",
  COMMIT_CALL_TIMEOUT_MS: "180000",
};

let database: TestDatabase;
let server: ServerProcess;
let me: TestUser;
let backends: Backends;
/** A transaction sees the same activity until it ends. */
let program: Backends;

beforeAll(async () => {
  database = await createInstalled(systemDatabase);
  const all = { ...environment, DATABASE_URL: database.url };
  server = await ServerProcess.start({ environment: all });
  me = await signIn(server.url, owner);
  [backends, program] = await Promise.all([Backends.of(database.url), Backends.of(database.url)]);
});
afterAll(async () => {
  for (const one of [backends, program]) await one?.[Symbol.asyncDispose]();
  await server?.kill();
  await database?.drop();
});

const edit = async ({ token }: TestUser, record: string, title: string) => {
  const path = `/api/v1/tables/incidents/records/${record}?overwrite=true`;
  const answer = await fetch(server.url + path, {
    method: "PATCH",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ set: { title } }),
  });
  return answer.status;
};

/** An edit that waits for a lock, until it is released. */
async function waitingEdit(by: TestUser, record: string, title: string) {
  const unlock = await program.lock(`select from incidents where id = '${record}' for update`);
  const status = edit(by, record, title).catch((error: Error) => error.message);
  await until("the edit waits", GUARD_MS, async () => {
    const waiting = await backends.query(
      `select from pg_stat_activity where datname = current_database()
         and application_name = 'watchfloor-writer' and wait_event_type = 'Lock'`,
    );
    return waiting.length > 0;
  });
  return { status, unlock };
}

/** The listener's connection is lost, and the next one follows all channels: it is checked only then. */
async function listenAnew() {
  const [before] = await backends.pids("watchfloor listener");
  await backends.end("watchfloor listener");
  await until("it listens again", GUARD_MS, async () => {
    const checked = await backends.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database()
         and application_name = 'watchfloor listener'
         and query like 'select pg_backend_pid%' and query not like '%set_config%'`,
    );
    return checked.some(({ pid }) => pid !== before);
  });
}

describe("a server that listens anew", () => {
  it("M18 commits what waits under rights that turn out to be the same", async () => {
    const record = workableIncident(1);
    const { status, unlock } = await waitingEdit(me, record, "waited");
    await listenAnew();
    await unlock();
    expect(await status).toBe(200);
    expect((await me.record("incidents", record)).values.title).toBe("waited");
  });

  it("M18 does not commit what waits under rights that changed unnoticed", async () => {
    const record = workableIncident(2);
    const ida = await addUser(server.url, me, "Ida", "editor");
    const { title } = (await me.record("incidents", record)).values;
    const { status, unlock } = await waitingEdit(ida, record, "waited");
    await backends.query("set session_replication_role = replica");
    await backends.query(`update watchfloor."user" set role = 'viewer' where id = $1`, [
      ida.info.id,
    ]);
    await backends.query("reset session_replication_role");
    await listenAnew();
    await unlock();
    expect(await status).toBe(503);
    expect((await me.record("incidents", record)).values.title).toBe(title);
  });
});
