import { setTimeout as sleep } from "node:timers/promises";
import { io, type Socket } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import { MachineLag } from "../harness/machine-lag.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";

const USERS = 4;
const CONNECTIONS = 200;
const CONNECTED_AT_ONCE = 10;
const EDIT_EVERY_MS = 200;
/** Promised: a change of rights acts on open connections within this time. */
const ACTS_WITHIN_MS = 1_000;
/** Long enough to notice a leak that continues. */
const WATCH_MS = 2_500;

const word = /(secret|public)-\d+x/g;

/** A bare connection that follows incidents and notes, with the times of raw packets. */
class Line {
  readonly socket: Socket;
  readonly received = { secret: 0, public: 0, table: 0 };
  /** When its latest packet of each kind came, by the test's own clock. */
  readonly last = { secret: 0, public: 0, table: 0 };
  resyncs = 0;

  constructor(url: string, token: string) {
    const auth = { protocol: PROTOCOL_VERSION, token };
    const once = { autoConnect: false, forceNew: true, reconnection: false };
    this.socket = io(url, { transports: ["websocket"], ...once, auth });
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.socket.once("connect", resolve);
      this.socket.once("connect_error", reject);
      this.socket.connect();
    });
    const engine = this.socket.io.engine as unknown as {
      on(event: "packet", listener: (packet: { data?: unknown }) => void): void;
    };
    engine.on("packet", ({ data }) => this.#receive(String(data ?? "")));
    this.socket.on("resync", () => {
      this.resyncs += 1;
      this.#followAgain();
    });
    this.socket.on("model", () => this.#followAgain());
    await this.follow();
  }

  /** As a client does, also when it was refused before; the answer is of no interest here. */
  async follow(): Promise<void> {
    await this.socket.timeout(60_000).emitWithAck("subscribe", { table: "incidents" });
  }

  /** The connection may end while it waits for the answer. */
  #followAgain(): void {
    this.follow().catch(() => undefined);
  }

  #receive(packet: string): void {
    const now = performance.now();
    const note = (kind: "secret" | "public" | "table") => {
      this.received[kind] += 1;
      this.last[kind] = now;
    };
    for (const [, kind] of packet.matchAll(word)) note(kind as "secret" | "public");
    if (packet.includes("incidents")) note("table");
  }
}

describe("a revoked right", () => {
  let installation: TestInstallation;
  let role: string;
  let editing = true;
  let edits: Promise<void>;
  const lines: Line[] = [];

  beforeAll(async () => {
    installation = await TestInstallation.open();
    const { ownerUser, server } = installation;
    const grants = { incidents: { read: true, history: true } };
    role = (await ownerUser.call<{ id: string }>("POST", "/roles", { name: "Watch", grants })).id;
    const users: TestUser[] = [];
    for (let index = 0; index < USERS; index++) {
      users.push(await addUser(server.url, ownerUser, `Watch ${index}`, role));
    }
    for (let index = 0; index < CONNECTIONS; index++) {
      lines.push(new Line(server.url, users[index % USERS]?.token ?? ""));
    }
    // All at once, a slow machine would not authenticate the last ones within the time that a handshake may take.
    for (let from = 0; from < CONNECTIONS; from += CONNECTED_AT_ONCE) {
      const some = lines.slice(from, from + CONNECTED_AT_ONCE);
      await Promise.all(some.map((line) => line.open()));
    }
    edits = keepEditing(ownerUser);
  });

  afterAll(async () => {
    editing = false;
    await edits;
    for (const { socket } of lines) socket.disconnect();
    await installation[Symbol.asyncDispose]();
  });

  /** Both fields of records change all the time, to words that are written nowhere else. */
  async function keepEditing(ownerUser: TestUser): Promise<void> {
    const isNew = encodeURIComponent(JSON.stringify({ field: "state", op: "eq", value: "New" }));
    const { records } = await ownerUser.page("incidents", `limit=20&filter=${isNew}`);
    for (let count = 0; editing; count++) {
      const record = records[count % records.length]?.id;
      const set = { notes: `secret-${count}x`, title: `public-${count}x` };
      const path = `/tables/incidents/records/${record}?overwrite=true`;
      // An edit that waits while rights change is answered `unavailable`; the next one takes its place.
      await ownerUser.call("PATCH", path, { set }).catch((error: Error) => {
        if (!/: 503 /.test(error.message)) throw error;
      });
      await sleep(EDIT_EVERY_MS);
    }
  }

  const all = (test: (line: Line) => boolean) => () => lines.every(test);
  const patch = (grants: object) =>
    installation.ownerUser.call("PATCH", `/roles/${role}`, { grants });

  it(`to a field stops sending it to ${CONNECTIONS} connections within ${ACTS_WITHIN_MS} ms`, async () => {
    const allReceived = all(({ received }) => received.secret > 2 && received.public > 2);
    await until("everybody hears of both fields", 60_000, allReceived);
    const before = lines.map(({ received }) => received.public);
    const lag = new MachineLag();
    await patch({ incidents: { read: { hide: ["notes"] } } });
    const done = performance.now();
    await sleep(WATCH_MS);
    const late = lines.map(({ last }) => last.secret - done);
    expect(Math.max(...late)).toBeLessThan(await lag.allowing(ACTS_WITHIN_MS));
    await until(
      "everybody has to read again",
      60_000,
      all(({ resyncs }) => resyncs > 0),
    );
    const goesOn = all((line) => line.received.public > (before[lines.indexOf(line)] ?? 0) + 2);
    await until("everybody goes on hearing of the other field", 60_000, goesOn);
  });

  it(`the table: not another byte of it after ${ACTS_WITHIN_MS} ms`, async () => {
    const lag = new MachineLag();
    await patch({ incidents: null });
    const done = performance.now();
    await sleep(WATCH_MS);
    const late = lines.map(({ last }) => Math.max(last.public, last.secret, last.table) - done);
    expect(Math.max(...late)).toBeLessThan(await lag.allowing(ACTS_WITHIN_MS));
    expect(lines.every(({ socket }) => socket.connected)).toBe(true);
  });

  it("granted again, it is there again on the connections that stayed open", async () => {
    const before = lines.map(({ received }) => received.secret);
    await patch({ incidents: { read: true } });
    const back = all((line) => line.received.secret > (before[lines.indexOf(line)] ?? 0));
    await until("everybody hears of both fields again", 60_000, back);
  });
});
