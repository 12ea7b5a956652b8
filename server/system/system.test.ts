import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anyDatabase } from "../../e2e/provision/databases.ts";
import { defaultLimits } from "../../shared/limits.ts";
import { builtInRoles, type Role } from "../../shared/policy/role.ts";
import type { NodeStatus } from "../../shared/protocol/system.ts";
import { buildVersion } from "../config/version.ts";
import { createInProcessBus } from "../relay/bus/in-process-bus.ts";
import { silentLog } from "../relay/testing/silent-log.ts";
import { openDatabase } from "../store/database.ts";
import { StatementTimes, withoutValues } from "../store/statement-times.ts";
import {
  createStoreEnvironment,
  type StoreEnvironment,
} from "../store/testing/store-environment.ts";
import { ErrorCounts } from "./error-counts.ts";
import { NodeRegistry } from "./node-registry.ts";
import { createNodeStatus } from "./node-status.ts";
import { readSystem } from "./read-system.ts";

let store: StoreEnvironment;
beforeAll(async () => {
  store = await createStoreEnvironment(anyDatabase);
});
afterAll(() => store[Symbol.asyncDispose]());

const node = (changed: Partial<NodeStatus> = {}): NodeStatus => ({
  id: "one",
  host: "web-1:3000",
  version: "1.0.0",
  startedAt: "2026-01-01T00:00:00.000Z",
  isLeader: true,
  connections: 3,
  waitingMutations: 2,
  memoryBytes: 1e8,
  loopDelayMs: 1,
  disks: [{ place: "data", freeBytes: 1e9, totalBytes: 2e9 }],
  lag: { incidents: 4, people: 1 },
  errors: [{ code: "conflict", count: 2, lastAt: "2026-01-01T00:00:02.000Z" }],
  slow: [{ text: 'select "salary" from "people"', calls: 1, meanMs: 200, maxMs: 200 }],
  ...changed,
});

const role = (rights: Role["rights"], grants: Role["grants"]): Role => ({
  id: "operator",
  name: "Operator",
  rights,
  grants,
});

function read(by: Role, nodes: NodeStatus[] = [node()], model = store.model) {
  const deps = {
    ...{ database: store.database, model: () => model, version: "1.0.0" },
    ...{
      limits: defaultLimits,
      isBackupScheduled: false,
      mailOff: null,
      messages: () => "alone" as const,
    },
    nodes: async () => nodes,
  };
  return readSystem(deps, { id: "u", role: by, attributes: {} });
}

const owner = builtInRoles[0] as Role;

describe("the state of the system", () => {
  it("adds up what the servers say, and names the one that answers", async () => {
    const other = node({
      id: "two",
      isLeader: false,
      lag: { incidents: 9 },
      errors: [{ code: "conflict", count: 5, lastAt: "2026-01-01T00:00:01.000Z" }],
      slow: [{ text: 'select "salary" from "people"', calls: 3, meanMs: 400, maxMs: 900 }],
    });
    const system = await read(owner, [node(), other]);
    expect(system.nodes).toMatchObject([
      { id: "one", isThis: true, lag: 5 },
      { id: "two", isThis: false, lag: 9 },
    ]);
    const incidents = system.feeds.find(({ table }) => table === "incidents");
    expect(incidents).toMatchObject({ label: "Incidents", head: 0, lag: 9 });
    expect(system.errors).toEqual([
      { code: "conflict", count: 7, lastAt: "2026-01-01T00:00:02.000Z" },
    ]);
    expect(system.slow).toEqual([
      { text: 'select "salary" from "people"', calls: 4, meanMs: 350, maxMs: 900 },
    ]);
    expect(system.queues).toMatchObject({ waitingMutations: 4, openDeliveries: 0 });
    expect(system.backup).toBeNull();
    expect(system.database.sizeBytes).toBeGreaterThan(1e6);
  });

  it("lists the feeds in the order of the model's tables", async () => {
    for (const tables of [store.model.tables, store.model.tables.toReversed()]) {
      const { feeds } = await read(owner, [node()], { ...store.model, tables });
      expect(feeds.map(({ table }) => table)).toEqual(tables.map(({ name }) => name));
    }
  });

  it("names no table to a user who may not read it, and no statement without the right to the model", async () => {
    const system = await read(role(["system"], { incidents: { read: true } }));
    expect(system.feeds.map(({ table }) => table)).toEqual(["incidents"]);
    expect(system.otherFeeds).toBe(store.model.tables.length - 1);
    expect(system.slow).toEqual([{ text: null, calls: 1, meanMs: 200, maxMs: 200 }]);
    expect(JSON.stringify(system)).not.toMatch(/people|salary/);
    const modeller = await read(role(["system", "model"], {}));
    expect([modeller.otherFeeds, modeller.slow[0]?.text]).toEqual([
      0,
      'select "salary" from "people"',
    ]);
  });

  it("says that the last backup failed or is overdue", async () => {
    const { pool } = store.database;
    await pool.query(`insert into watchfloor.scheduled_backup
      (attempted_at, ended_at, succeeded_at, bytes, seconds)
      values (now() - interval '3 days', now(), now() - interval '3 days', 1000, 2)`);
    expect((await read(owner)).backup).toMatchObject({
      bytes: 1000,
      failed: false,
      isOverdue: true,
    });
    await pool.query(
      "update watchfloor.scheduled_backup set error = 'ENOSPC', succeeded_at = now()",
    );
    expect((await read(owner)).backup).toMatchObject({ failed: true, isOverdue: false });
    await pool.query("delete from watchfloor.scheduled_backup");
  });
});

describe("servers", () => {
  it("know each other by the bus, and what each has just said", async () => {
    const bus = createInProcessBus(silentLog);
    let connections = 1;
    const fail = (error: unknown) => {
      throw error;
    };
    const one = new NodeRegistry(bus, async () => node({ id: "one", connections }), fail);
    const two = new NodeRegistry(bus, async () => node({ id: "two", isLeader: false }), fail);
    one.start("one");
    two.start("two");
    await expect.poll(async () => (await one.list()).map(({ id }) => id)).toEqual(["one", "two"]);
    await expect.poll(async () => (await two.list()).map(({ id }) => id)).toEqual(["two", "one"]);
    connections = 7;
    expect((await one.list())[0]?.connections).toBe(7);
    one.stop();
    two.stop();
  });

  it("count what they refuse, by code", () => {
    const errors = new ErrorCounts();
    for (const code of ["conflict", "not_found", "conflict"]) errors.note(code);
    expect(errors.byCode()).toEqual({ conflict: 2, not_found: 1 });
    expect(errors.list()[0]).toMatchObject({ code: "conflict", count: 2 });
  });
});

describe("slow statements", () => {
  it("are known by a text without values", () => {
    expect(
      withoutValues(`select 'it''s a secret', 42.5, "col2"  from t1
        where a in ($1, $2,$3) and b = $1 and c > 17`),
    ).toBe(`select ?, ?, "col2" from t1 where a in ($…) and b = $1 and c > ?`);
    expect(withoutValues("do $body$ secret $body$")).toBe("do ?");
    expect(withoutValues("x".repeat(1_000))).toHaveLength(401);
  });

  it("are measured on every way to the pool, and forgotten where others take longer", async () => {
    const times = new StatementTimes();
    const onError = () => {};
    const database = openDatabase({ connectionString: store.url, poolSize: 2, onError, times });
    await database.pool.query("select pg_sleep(0.12), 'secret'");
    await database.pool.query({ name: "n", text: "select pg_sleep($1)", values: [0.12] });
    await expect(database.pool.query("select pg_sleep(0.12) / 0 from nowhere")).rejects.toThrow();
    const client = await database.pool.connect();
    await client.query("select pg_sleep(0.12) as by_client");
    client.release();
    times.note("select quick", 99);
    expect(times.list().map(({ text, calls }) => [text, calls])).toEqual(
      expect.arrayContaining([
        ["select pg_sleep(?), ?", 1],
        ["select pg_sleep($1)", 1],
        ["select pg_sleep(?) as by_client", 1],
      ]),
    );
    // The rejected statement is measured as well, if its rejection takes long.
    expect(times.list().filter(({ text }) => !text.includes("nowhere"))).toHaveLength(3);
    await database.close();
    for (let index = 0; index < 200; index += 1) times.note(`select a${index}b`, 100_000 + index);
    expect(times.list()).toHaveLength(50);
    expect(times.list()[0]?.text).toBe("select a199b");
  });
});

it("the status of a server names its build, which differs by commit", async () => {
  const status = createNodeStatus({
    config: { port: 3000, databaseUrl: "postgres://elsewhere", dataDir: "", backupDir: undefined },
    ...{ isLeader: () => true, connections: () => 0, waitingMutations: () => 0 },
    ...{ feedLag: async () => ({}), errors: new ErrorCounts(), statements: new StatementTimes() },
  });
  expect((await status.read()).version).toBe(buildVersion);
  status.stop();
});
