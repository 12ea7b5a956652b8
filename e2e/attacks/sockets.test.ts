import { once } from "node:events";
import { type AddressInfo, connect, type Socket as NetSocket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { BufferMeter } from "../../server/socket/buffered-bytes.ts";
import { SocketNode } from "../../server/socket/testing/socket-node.ts";
import type { TestClient } from "../../server/socket/testing/test-client.ts";
import { defaultLimits } from "../../shared/limits.ts";
import type { Model, Table } from "../../shared/model/model.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { until } from "../harness/until.ts";
import { WallboardClient } from "../tiles/wallboard-client.ts";

const WITHIN_MS = 60_000;
const BUFFER_MAX_BYTES = 1_000_000;
const PAGE_BYTES = 2_000_000;
/** Concurrent reads of one connection (server/socket/connection.ts). */
const READS_AT_ONCE = 8;

let node: SocketNode;
afterEach(() => node?.stop());

/** A server whose pages are so large that a few of them fill a connection. */
async function startNode() {
  let pages = 0;
  const records = [{ id: "r", version: "e1.0", values: { title: "x".repeat(PAGE_BYTES) } }];
  node = await new SocketNode(
    {
      readPage: async () => {
        pages += 1;
        return { records, total: 1, totalExact: true, seq: 0, epoch: "e1" };
      },
      mutate: async () => ({
        results: [{ ok: true, record: "x".repeat(PAGE_BYTES), version: "", seq: 1 }],
      }),
    },
    { SLOW_CLIENT_BUFFER_BYTES: BUFFER_MAX_BYTES },
  ).start();
  return { pages: () => pages };
}

/** The client's connection, to be paused and resumed. */
function lineOf(client: TestClient): NetSocket {
  const { transport } = client.socket.io.engine as unknown as {
    transport: { ws: { _socket: NetSocket } };
  };
  return transport.ws._socket;
}

function bufferedBytes(): number {
  const meters = [...node.sockets.sockets.sockets.values()].map((one) => new BufferMeter(one));
  return meters.reduce((sum, meter) => sum + meter.read(), 0);
}

/** Waits until the server does no more than it did. */
async function waitUntilStable(count: () => number): Promise<void> {
  let before = -1;
  await until("the server is idle", WITHIN_MS, async () => {
    const now = count();
    const isSame = now === before;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return isSame && now > 0;
  });
}

describe("a connection that does not read its answers", () => {
  it.each(["query", "mutate"])(
    "holds a bounded number of bytes after 80 times %s",
    async (event) => {
      const { pages } = await startNode();
      const clients = await Promise.all([1, 2, 3].map(() => node.connect(node.user("A"))));
      for (const client of clients) lineOf(client).pause();
      const call = event === "query" ? { table: "t" } : { id: "m", ops: [] };
      const op = { op: "create", table: "t", values: {} };
      const answers: Promise<Record<string, unknown>>[] = [];
      for (const client of clients) {
        for (let n = 0; n < 80; n += 1) {
          const message = event === "query" ? call : { id: `m${n}`, ops: [op] };
          answers.push(client.call(event, message));
        }
      }
      await waitUntilStable(() => pages() + bufferedBytes());
      const bound = BUFFER_MAX_BYTES + (READS_AT_ONCE + 1) * PAGE_BYTES;
      expect(bufferedBytes()).toBeLessThanOrEqual(clients.length * bound);

      for (const client of clients) lineOf(client).resume();
      const codes = (await Promise.all(answers)).map(({ ok, error }) =>
        ok ? "ok" : (error as { code: string }).code,
      );
      expect(new Set(codes)).toEqual(new Set(["ok", "rate_limited"]));
      expect(clients.map(({ ended }) => ended)).toEqual([null, null, null]);
    },
  );

  it("is read again when it has drained", async () => {
    const { pages } = await startNode();
    const client = await node.connect(node.user("A"));
    lineOf(client).pause();
    const flood = Array.from({ length: 100 }, () => client.call("query", { table: "t" }));
    await waitUntilStable(pages);
    const before = pages();
    expect(before).toBeLessThan(100);
    lineOf(client).resume();
    await Promise.all(flood);
    expect((await client.call("query", { table: "t" })).ok).toBe(true);
    expect(pages()).toBeGreaterThan(before);
  });
});

describe("a packet of a stranger", () => {
  it("takes linear time over a string that never ends", async () => {
    await startNode();
    const { port } = node.server.address() as AddressInfo;
    const line = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`);
    await once(line, "open");
    line.send(`40{"a":1234567890123456789,"b":"${'\\"'.repeat(400_000)}`);
    await once(line, "close");
    expect((await node.connect(node.user("A"))).ended).toBeNull();
  });
});

describe("spellings of a time zone", () => {
  const spellings = (zone: string, count: number) =>
    Array.from({ length: count }, (_, n) =>
      [...zone].map((letter, at) => ((n >> at) & 1 ? letter.toUpperCase() : letter)).join(""),
    );

  it("of one zone are one evaluation, and those of many zones are bounded", async () => {
    await using installation = await TestInstallation.open();
    using screen = await WallboardClient.open(
      installation.server.url,
      installation.ownerUser.token,
    );
    const show = (zone: string): Promise<{ ok: boolean; error?: object }> =>
      screen.socket.timeout(WITHIN_MS).emitWithAck("tiles", { wallboard: "home", zone });
    const wallboards = async () => {
      const text = await (await fetch(`${installation.server.url}/metrics`)).text();
      return Number(/^watchfloor_tile_boards (\S+)$/m.exec(text)?.[1]);
    };
    const before = await wallboards();
    for (const zone of spellings("europe/berlin", 60)) {
      expect((await show(zone)).ok, zone).toBe(true);
    }
    expect(await wallboards()).toBe(before + 1);

    const zones = Intl.supportedValuesOf("timeZone").slice(0, 60);
    const answers = [];
    for (const zone of zones) answers.push(await show(zone));
    const refused = answers.filter(({ ok }) => !ok).map(({ error }) => error as { code: string });
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(["rate_limited"]));
    expect(await wallboards()).toBeLessThanOrEqual(
      before + defaultLimits.EVALUATIONS_PER_USER_AND_BOARD,
    );
  });

  it("are not counted together with evaluations for former versions of the model", async () => {
    await using installation = await TestInstallation.open();
    const { server, ownerUser } = installation;
    for (let n = 0; n <= defaultLimits.EVALUATIONS_PER_USER_AND_BOARD; n += 1) {
      const model = await ownerUser.call<Model>("GET", "/model");
      const [first, ...others] = model.tables as [Table, ...Table[]];
      const tables = [{ ...first, label: `Version ${n}` }, ...others];
      await ownerUser.call("PUT", "/model", { ...model, tables });
      using page = await WallboardClient.open(server.url, ownerUser.token);
      await page.show("home");
    }
  });
});

describe("an upgrade to something else than a WebSocket", () => {
  it.each(["h2c", "TLS/1.0", "nonsense"])("as %s is answered as without it", async (protocol) => {
    await using installation = await TestInstallation.openInProcess();
    const { port } = new URL(installation.server.url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(
      `GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: ${protocol}\r\n\r\n`,
    );
    const parts: Buffer[] = [];
    for await (const part of socket) parts.push(part as Buffer);
    expect(Buffer.concat(parts).toString()).toMatch(/^HTTP\/1\.1 200 OK/);
  });
});
