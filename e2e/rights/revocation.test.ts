import { setTimeout as sleep } from "node:timers/promises";
import { io, type Socket } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";

const USERS = 4;
const CONNECTIONS = 200;
const CONNECTED_AT_ONCE = 10;
const EDIT_EVERY_MS = 200;
/** So many edits made after a revocation reach those whom it does not concern before it is said that others got none. */
const LATER_EDITS = 3;

const word = /(secret|public)-(\d+)x/g;

/** A bare connection that follows incidents, and notes what its raw packets contain. */
class Line {
  readonly socket: Socket;
  /** The number of the latest edit of each field that reached it. */
  readonly latest = { secret: -1, public: -1 };
  /** Packets that name the table or contain one of its values. */
  packets = 0;
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
    const edits = [...packet.matchAll(word)];
    for (const [, kind, edit] of edits) {
      const field = kind as "secret" | "public";
      this.latest[field] = Math.max(this.latest[field], Number(edit));
    }
    if (edits.length > 0 || packet.includes("incidents")) this.packets += 1;
  }
}

describe("a revoked right", () => {
  let installation: TestInstallation;
  let role: string;
  let editing = true;
  let edits: Promise<void>;
  /** Edits that were begun: one with a higher number is made later. */
  let begun = 0;
  const lines: Line[] = [];
  /** Of the owner, whose rights stay as they are. */
  let unaffected: Line;

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
    unaffected = new Line(server.url, ownerUser.token);
    await unaffected.open();
    edits = keepEditing(ownerUser);
  });

  afterAll(async () => {
    editing = false;
    await edits;
    for (const { socket } of [...lines, unaffected]) socket.disconnect();
    await installation[Symbol.asyncDispose]();
  });

  /** Both fields of records change all the time, to words that name the edit and are written nowhere else. */
  async function keepEditing(ownerUser: TestUser): Promise<void> {
    const isNew = encodeURIComponent(JSON.stringify({ field: "state", op: "eq", value: "New" }));
    const { records } = await ownerUser.page("incidents", `limit=20&filter=${isNew}`);
    while (editing) {
      const record = records[begun % records.length]?.id;
      const set = { notes: `secret-${begun}x`, title: `public-${begun}x` };
      begun += 1;
      const path = `/tables/incidents/records/${record}?overwrite=true`;
      // An edit that waits while rights change is answered `unavailable`; the next one takes its place.
      await ownerUser.call("PATCH", path, { set }).catch((error: Error) => {
        if (!/: 503 /.test(error.message)) throw error;
      });
      await sleep(EDIT_EVERY_MS);
    }
  }

  const all = (test: (line: Line) => boolean) => () => lines.every(test);

  /** Changes the role's grants; returns the number of the first edit that is made after the answer. */
  async function patch(grants: object): Promise<number> {
    await installation.ownerUser.call("PATCH", `/roles/${role}`, { grants });
    return begun;
  }

  /** Waits until some edits were made from this one on, and have reached those who may see them. */
  async function laterEdits(first: number): Promise<void> {
    await until("later edits reach a connection that may see them", 60_000, () => {
      return unaffected.latest.secret >= first + LATER_EDITS;
    });
  }

  /** An answer comes behind all that was sent before it. */
  const receiveAll = () => Promise.all(lines.map((line) => line.follow()));

  it(`to a field: nothing written to it after the answer reaches any of ${CONNECTIONS} connections`, async () => {
    await until(
      "everybody hears of both fields",
      60_000,
      all(({ latest }) => latest.secret >= LATER_EDITS && latest.public >= LATER_EDITS),
    );
    const first = await patch({ incidents: { read: { hide: ["notes"] } } });
    await laterEdits(first);
    await until(
      "everybody has to read again, and goes on hearing of the other field",
      60_000,
      all(({ resyncs, latest }) => resyncs > 0 && latest.public >= first + LATER_EDITS),
    );
    expect(Math.max(...lines.map(({ latest }) => latest.secret))).toBeLessThan(first);
  });

  it("to the table: not another byte of it once a call made after the answer was answered", async () => {
    const first = await patch({ incidents: null });
    await receiveAll();
    const before = lines.map(({ packets }) => packets);
    await laterEdits(begun);
    await receiveAll();
    expect(lines.map(({ packets }) => packets)).toEqual(before);
    const latest = lines.map((line) => Math.max(line.latest.public, line.latest.secret));
    expect(Math.max(...latest)).toBeLessThan(first);
    expect(lines.every(({ socket }) => socket.connected)).toBe(true);
  });

  it("granted again, it is there again on the connections that stayed open", async () => {
    const first = await patch({ incidents: { read: true } });
    await until(
      "everybody hears of both fields again",
      60_000,
      all(({ latest }) => latest.secret >= first && latest.public >= first),
    );
  });
});
