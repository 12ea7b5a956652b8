import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MachineLag } from "../harness/machine-lag.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { createInstalled } from "../harness/test-installation.ts";
import { signIn, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { workableIncident } from "../harness/workable-incident.ts";
import type { TestDatabase } from "../provision/create-database.ts";
import { systemDatabase } from "../provision/databases.ts";
import { isFullProof } from "../provision/proof-size.ts";
import { SteadyEdits } from "./testing/steady-edits.ts";
import { type BackendName, Backends, backendNames } from "./testing/stopped-backends.ts";

/**
 * Edits continue while the backends of a server's database connections are stopped, ended, delayed and locked
 * out.
 */

const ANSWER_WITHIN_MS = 12_000;
const NOT_READY_WITHIN_MS = 10_000;
const EDITORS = 8;

type Fault = "stopped" | "ended" | "delayed";
const faults: readonly Fault[] = ["stopped", "ended", "delayed"];
/** What an edit depends on; the whole proof does everything to every connection. */
const short: readonly [BackendName, Fault][] = [
  ["watchfloor-writer", "stopped"],
  ["watchfloor", "stopped"],
  ["watchfloor-writer", "ended"],
  ["watchfloor relay", "stopped"],
];
const allCases = backendNames.flatMap((name) => faults.map((fault) => [name, fault] as const));

let database: TestDatabase;
let server: ServerProcess;
let me: TestUser;
let backends: Backends;
let edits: SteadyEdits;
let next = 0;

beforeAll(async () => {
  database = await createInstalled(systemDatabase);
  server = await ServerProcess.start({ environment: { DATABASE_URL: database.url } });
  me = await signIn(server.url, owner);
  backends = await Backends.of(database.url);
});
afterAll(async () => {
  await backends?.[Symbol.asyncDispose]();
  await server?.kill();
  await database?.drop();
});

const readiness = async () => (await fetch(`${server.url}/readyz`)).status;

/** Runs a fault during edits; every one of them must be answered in time and be stored once. */
async function whileEditing(fault: () => Promise<void>): Promise<void> {
  const ids = Array.from({ length: EDITORS }, () => {
    next += 1;
    return workableIncident(next);
  });
  const records = await Promise.all(
    ids.map(async (id) => {
      const { values } = await me.record("incidents", id);
      return { id, title: values.title ?? null };
    }),
  );
  edits = new SteadyEdits({ url: server.url, token: me.token }, records);
  const lag = new MachineLag();
  await edits.more(3);
  await fault();
  await until("the server is ready", 60_000, async () => (await readiness()) === 200);
  // One that began before may still be answered by what the fault has left.
  await edits.more(1);
  edits.faultIsOver();
  await edits.more(3);
  await edits.stop();
  expect(edits.slowestMs).toBeLessThan(await lag.allowing(ANSWER_WITHIN_MS));
  for (const [id, title] of edits.titles) {
    expect((await me.record("incidents", id)).values.title).toBe(title);
  }
  const made = await backends.query<{ mutation: string; count: number }>(
    `select mutation, count(*)::int as count from watchfloor.change
     where mutation = any($1) group by mutation`,
    [edits.acknowledged],
  );
  expect(made).toHaveLength(edits.acknowledged.length);
  expect(made.every(({ count }) => count === 1)).toBe(true);
}

describe("a server whose database connections fail one by one", () => {
  it.each(isFullProof ? allCases : short)(
    "answers every edit and loses none while the backends of %s are %s",
    async (name, fault) => {
      await whileEditing(async () => {
        if (fault === "ended") return backends.end(name);
        if (fault === "delayed") return backends.delay(name, 3_000);
        expect(await backends.stop(name)).toBeGreaterThan(0);
        if (name === "watchfloor-writer") {
          const lag = new MachineLag();
          const stoppedAt = performance.now();
          await until("it is not ready", 60_000, async () => (await readiness()) === 503);
          const waitedMs = performance.now() - stoppedAt;
          expect(waitedMs).toBeLessThan(await lag.allowing(NOT_READY_WITHIN_MS));
        }
        await edits.more(3);
        backends.resume();
      });
      const isRepeatedHere = name === "watchfloor-writer" && fault === "ended";
      if (isRepeatedHere) expect(edits.statuses).toEqual(new Set([200]));
    },
  );

  it.each([
    ["a record", () => `select from incidents where id = '${workableIncident(next)}' for update`],
    ["a linked record", () => "select from groups where id = 'Network' for update"],
    ["a table", () => "lock table services in access exclusive mode"],
  ])("answers every edit and loses none while another program locks %s", async (_, statement) => {
    await whileEditing(async () => {
      const unlock = await backends.lock(statement());
      const others = new Set(edits.titles.keys());
      const before = edits.acknowledged.length;
      await until("others go on", 60_000, () => {
        return edits.acknowledged.length >= before + 3 * (others.size - 1);
      });
      await unlock();
    });
  });
});
