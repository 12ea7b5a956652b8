import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { presenceAtom } from "../../client/src/state/table-state.ts";
import type { SystemInfo } from "../../shared/protocol/system.ts";
import { ServerProcess } from "../harness/server-process.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { headOf, Watcher } from "../harness/watcher.ts";
import { systemDatabase } from "../provision/databases.ts";
import { startRedis, type TestRedis } from "../provision/redis.ts";

/**
 * Somebody who can read and write everything in Redis, and has read the source: two servers on one Postgres,
 * and an attacker who publishes in the form of their messages and sends captured ones again.
 */

const WITHIN_MS = 60_000;
const RATE_WINDOW_MS = 10_000;

let redis: TestRedis;
let installation: TestInstallation<ServerProcess>;
let second: ServerProcess;
let ann: Watcher;
let bob: Watcher;
let attacker: Attacker;
const opened = new AsyncDisposableStack();

interface Attacker {
  readonly captured: string[];
  publish(message: string): Promise<unknown>;
  /** A message with an invented tag, in the name of a server that does not exist, and with that of one that does. */
  send(channel: string, message: unknown): Promise<void>;
}

async function connectAttacker(channel: string): Promise<Attacker> {
  const [reader, writer] = [createClient({ url: redis.url }), createClient({ url: redis.url })];
  for (const client of [reader, writer]) {
    await client.on("error", () => undefined).connect();
    opened.defer(() => client.destroy());
  }
  const captured: string[] = [];
  await reader.subscribe(channel, (message) => captured.push(message));
  const publish = (message: string) => writer.publish(channel, message);
  return {
    captured,
    publish,
    async send(name, message) {
      const text = `${name} ${JSON.stringify(message)}`;
      await publish(`${"A".repeat(43)} 00000000-0000-4000-8000-000000000000 ${text}`);
      const [tag, sender] = captured.at(-1)?.split(" ") ?? [];
      if (tag && sender) await publish(`${tag} ${sender} ${text}`);
    },
  };
}

beforeAll(async () => {
  redis = opened.adopt(await startRedis(), (started) => started.close());
  const environment = { REDIS_URL: redis.url };
  installation = opened.use(await TestInstallation.open({ kind: systemDatabase, environment }));
  const both = { ...environment, DATABASE_URL: installation.databaseUrl };
  second = opened.use(await ServerProcess.start({ environment: both }));
  const { rows } = await installation.program.query("select id from watchfloor.installation");
  attacker = await connectAttacker(`watchfloor:${rows[0].id}`);
  ann = await watch("Ann", installation.server);
  bob = await watch("Bob", second);
});
afterAll(() => opened.disposeAsync());

async function watch(name: string, server: ServerProcess): Promise<Watcher> {
  const person = await addUser(installation.server.url, installation.ownerUser, name);
  return opened.use(await Watcher.open(person, person.open({ url: server.url })));
}

/** A change by another program reaches both; so all earlier messages have been handled. */
async function realChangeArrives(title: string, record = "seed-1"): Promise<void> {
  await installation.program.query("update incidents set title = $1 where id = $2", [
    title,
    record,
  ]);
  for (const watcher of [ann, bob]) {
    await until(`${record} shows ${title}`, WITHIN_MS, () => {
      return watcher.values(record)?.title === title;
    });
  }
}

async function expectOnlyStored(): Promise<void> {
  const head = await headOf(installation.ownerUser);
  for (const watcher of [ann, bob]) {
    await watcher.reaches(head);
    const { shown, stored } = await watcher.againstQuery();
    expect(shown).toEqual(stored);
    expect(watcher.session.counters).toMatchObject({ duplicates: 0, resyncs: 0 });
  }
}

async function metric(server: ServerProcess, name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line.startsWith(name));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

async function feed() {
  const { rows } = await installation.program.query<{ epoch: string; head: string }>(
    "select epoch, head from watchfloor.feed where table_name = 'incidents'",
  );
  return { epoch: String(rows[0]?.epoch), head: Number(rows[0]?.head) };
}

const by = { kind: "user", id: "owner", name: "Owner" };
const change = (seq: number, title: string) => ({
  seq,
  kind: "update",
  record: "seed-1",
  before: { title: "before" },
  after: { id: "seed-1", title },
  by,
  at: new Date().toISOString(),
});

describe("an attacker in Redis", () => {
  it("shows nobody a forged change, and the real one at that position arrives", async () => {
    const { epoch, head } = await feed();
    const span = { table: "incidents", epoch, from: head, to: head + 1 };
    await attacker.send("feeds", { span: { ...span, changes: [change(head + 1, "forged")] } });
    await realChangeArrives("real after a forged one");
    await expectOnlyStored();
  });

  it("blocks no change by invalid messages", async () => {
    const { epoch, head } = await feed();
    const span = { table: "incidents", epoch, from: head, to: head + 1 };
    for (const changes of [[null], [{}], [7], null, [change(head + 9, "forged")]]) {
      await attacker.send("feeds", { span: { ...span, changes } });
    }
    for (const text of ["", " ", "x", "x y", "x feeds", "x feeds {", "\u0000".repeat(9_000)]) {
      await attacker.publish(text);
    }
    for (const channel of ["feeds", "hint", "presence", "tiles", "rates", "nodes", "probe"]) {
      for (const message of [null, 7, "x", [], {}, { kind: "want" }, { heads: [null] }]) {
        await attacker.send(channel, message);
      }
    }
    await realChangeArrives("real after nonsense");
    await expectOnlyStored();
  });

  it("makes nobody resync by forged heads or another epoch", async () => {
    const { epoch, head } = await feed();
    for (const state of [
      { epoch, head: head + 1_000_000, floor: 0 },
      { epoch, head, floor: head },
      { epoch: "another", head: 1, floor: 0 },
    ]) {
      await attacker.send("feeds", { heads: [{ table: "incidents", ...state }] });
    }
    await realChangeArrives("real after forged heads");
    await expectOnlyStored();
  });

  it("makes no server evaluate an invented query", async () => {
    const query = {
      kind: "figures",
      model: 1,
      table: "user",
      scope: null,
      filter: null,
      me: null,
      zone: "UTC",
      op: "max(pg_read_file('/etc/passwd')), max",
      field: "password_hash",
      percentile: 50,
      group: null,
      time: null,
    };
    const tile = {
      id: "t",
      kind: "number",
      form: { op: "max", scale: 0, isWhole: true },
      thresholds: [],
    };
    const board = { id: "b", name: "b", version: 1, grid: { columns: 12, rows: 8 }, tiles: [] };
    const plan = { key: "stolen", wallboard: "b", version: 1, board, tables: ["incidents"] };
    for (const table of ["incidents", "user"]) {
      const total = { ...query, table, op: table === "user" ? query.op : "count" };
      await attacker.send("tiles", {
        kind: "want",
        scenes: [{ ...plan, tiles: [{ ...tile, total }] }],
      });
    }
    const owner = installation.ownerUser.info.id;
    const request = { reader: { kind: "user", id: owner }, call: { wallboard: "home" } };
    await attacker.send("tiles", { kind: "want", wants: [{ scene: "stolen", request }] });
    await realChangeArrives("real after a forged query");
    for (const server of [installation.server, second]) {
      expect(await metric(server, "watchfloor_tile_queries_total")).toBe(0);
      expect(await metric(server, "watchfloor_tile_boards")).toBe(0);
    }
  });

  it("locks nobody out by forged or flooded counters", async () => {
    const counts = Object.fromEntries(
      [
        `user ${installation.ownerUser.info.id}`,
        installation.ownerUser.info.id,
        "handshake",
        "127.0.0.1",
      ].flatMap((key) => [
        [key, 1_000_000],
        [`request ${key}`, 1_000_000],
        [`handshake ${key}`, 1_000_000],
        [`handshake from ${key}`, 1_000_000],
      ]),
    );
    const window = Math.floor(Date.now() / RATE_WINDOW_MS);
    for (const at of [window, window + 1]) {
      for (let n = 0; n < 50; n += 1) {
        await attacker.send("rates", { node: `forged ${n}`, window: at, counts });
      }
    }
    await realChangeArrives("real after forged counters");
    for (const server of [installation.server, second]) {
      const answer = await fetch(`${server.url}/api/v1/tables/incidents/records?limit=1`, {
        headers: { authorization: `Bearer ${installation.ownerUser.token}` },
      });
      expect(answer.status).toBe(200);
    }
  });

  it("adds nobody to the presence list and removes nobody from it", async () => {
    ann.core.presence.set("incidents", { record: "seed-3", mode: "viewing" });
    const namesBobSees = () => bobSees().map(({ name }) => name);
    const bobSees = () => bobStore.get(presenceAtom("incidents"));
    const person = await addUser(installation.server.url, installation.ownerUser, "Cid");
    const open = person.open({ url: second.url });
    const bobStore = open.store;
    await using cid = await Watcher.open(person, open);
    await until("Ann is seen", WITHIN_MS, () => namesBobSees().includes("Ann"));
    const connection = bobSees().find(({ name }) => name === "Ann")?.connection;
    const mallory = { id: "m", name: "Mallory", colour: "red" };
    const set = { connection: "c", person: mallory, table: "incidents", mode: "viewing" };
    await attacker.send("presence", { node: "n", set });
    await attacker.send("presence", { node: "n", list: [set] });
    await attacker.send("presence", { node: "n", set: { ...set, connection } });
    await attacker.send("presence", { node: "n", gone: connection });
    await realChangeArrives("real after forged presence");
    expect(namesBobSees()).toContain("Ann");
    expect(namesBobSees()).not.toContain("Mallory");
    expect(cid.session.counters.resyncs).toBe(0);
  });

  it("makes no change appear twice or vanish by sending captured messages again, in any order", async () => {
    for (let n = 0; n < 5; n += 1) await realChangeArrives(`captured ${n}`);
    const captured = attacker.captured.slice();
    expect(captured.length).toBeGreaterThan(5);
    for (const message of [...captured, ...captured.toReversed()]) await attacker.publish(message);
    await realChangeArrives("real after a replay");
    await expectOnlyStored();
  });

  it("is counted, and leaves the bus live", async () => {
    for (const server of [installation.server, second]) {
      expect(await metric(server, 'watchfloor_bus_rejected_total{reason="forged"')).toBeGreaterThan(
        0,
      );
      const headers = { authorization: `Bearer ${installation.ownerUser.token}` };
      // A busy machine may answer a probe of the bus late.
      await until("the bus is live", WITHIN_MS, async () => {
        const answer = await fetch(`${server.url}/api/v1/system`, { headers });
        return ((await answer.json()) as SystemInfo).messages === "live";
      });
    }
  });
});
