import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { createInstalled } from "../harness/test-installation.ts";
import { signIn, type TestUser } from "../harness/test-user.ts";
import type { TestDatabase } from "../provision/create-database.ts";
import { anyDatabase } from "../provision/databases.ts";
import { startRedis, type TestRedis } from "../provision/redis.ts";
import { WallboardClient } from "./wallboard-client.ts";

/** Two servers, one of which evaluates the tiles for both, until the bus or that one is gone. */

const RECOVERED_WITHIN_MS = 60_000;
const within = { timeout: RECOVERED_WITHIN_MS, interval: 50 };
const layout = { x: 0, y: 0, w: 3, h: 2 };

let redis: TestRedis;
let database: TestDatabase;
let servers: ServerProcess[];
let me: TestUser;
let wallboard: string;

beforeAll(async () => {
  [redis, database] = await Promise.all([startRedis(), createInstalled(anyDatabase)]);
  const environment = { DATABASE_URL: database.url, REDIS_URL: redis.url };
  const first = await ServerProcess.start({ environment });
  servers = [first, await ServerProcess.start({ environment })];
  me = await signIn(first.url, owner);
  const tiles = [
    { id: "all", kind: "number", table: "incidents", layout },
    { id: "states", kind: "breakdown", table: "incidents", group: "state", limit: 20, layout },
    // What is in the order of labels is read again after each change.
    {
      ...{ id: "first", kind: "queue", table: "incidents", layout },
      ...{ order: "group", fields: ["number"], limit: 3 },
    },
  ];
  wallboard = (await me.call<{ id: string }>("POST", "/wallboards", { name: "B", tiles })).id;
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await database.drop();
  await redis.close();
});

async function queriesOf(server: ServerProcess): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^watchfloor_tile_queries_total (\d+)/m.exec(text)?.[1]);
}

async function createIncident(
  by: ServerProcess,
  screens: readonly WallboardClient[],
): Promise<void> {
  const records = `${by.url}/api/v1/tables/incidents/records`;
  const headers = { authorization: `Bearer ${me.token}`, "content-type": "application/json" };
  const body = JSON.stringify({ values: { title: "one more" } });
  const answer = await fetch(records, { method: "POST", headers, body });
  expect(answer.status).toBe(201);
  const { total } = await (await fetch(`${records}?limit=0`, { headers })).json();
  await vi.waitFor(() => {
    for (const screen of screens) expect(screen.tile("all")?.value).toBe(total);
  }, within);
}

/** How far behind the server's clock the values of a screen are proven. */
function lagOf(screen: WallboardClient): number {
  const { asOf = "", now = "" } = screen.proofs.at(-1) ?? {};
  return Date.parse(now) - Date.parse(asOf);
}

describe("T12 tiles on two servers", () => {
  it("are evaluated by one of them, for both", async () => {
    const screens = await Promise.all(
      servers.map(({ url }) => WallboardClient.open(url, me.token)),
    );
    for (const screen of screens) await screen.show(wallboard);
    // Until the lock is taken and the other server has heard of it, each evaluates its own.
    await vi.waitFor(async () => {
      const before = await Promise.all(servers.map(queriesOf));
      for (const server of servers) await createIncident(server, screens);
      const after = await Promise.all(servers.map(queriesOf));
      const newQueries = after.map((count, index) => count - (before[index] ?? 0));
      expect(newQueries.filter((count) => count > 0)).toHaveLength(1);
    }, within);
    for (const screen of screens) screen[Symbol.dispose]();
  });

  it("continue without the bus, and again with it", async () => {
    const screens = await Promise.all(
      servers.map(({ url }) => WallboardClient.open(url, me.token)),
    );
    for (const screen of screens) await screen.show(wallboard);
    await redis.stop("SIGKILL");
    const [one, two] = servers as [ServerProcess, ServerProcess];
    await createIncident(one, screens);
    await createIncident(two, screens);
    await redis.start();
    await createIncident(one, screens);
    await vi.waitFor(() => {
      for (const screen of screens) expect(lagOf(screen)).toBeLessThan(5_000);
    }, within);
    for (const screen of screens) screen[Symbol.dispose]();
  });

  it("continue when either server is killed", async () => {
    const [one, two] = servers as [ServerProcess, ServerProcess];
    for (const [lost, left] of [
      [one, two],
      [two, one],
    ] as const) {
      using screen = await WallboardClient.open(left.url, me.token);
      await screen.show(wallboard);
      await lost.kill();
      await createIncident(left, [screen]);
      await vi.waitFor(() => {
        expect(screen.proofs.length).toBeGreaterThan(1);
        expect(lagOf(screen)).toBeLessThan(5_000);
      }, within);
      await lost.start();
    }
  });
});
