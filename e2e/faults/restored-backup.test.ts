import { cp, rm } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import pg from "pg";
import { io } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import type { SubscribeAnswer, SubscribeCall } from "../../shared/protocol/subscribe.ts";
import { backUp, type DatabaseBackup } from "../harness/database-backup.ts";
import { Desk } from "../harness/desk.ts";
import { type Person, signIn } from "../harness/person.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { until } from "../harness/until.ts";
import { headOf, Watcher } from "../harness/watcher.ts";
import { databases } from "../provision/databases.ts";
import { tempFolder } from "../provision/temp-folder.ts";

const WITHIN_MS = 60_000;
const LOST = 10;
const WRITTEN_AFTERWARDS = 15;

type Position = NonNullable<SubscribeCall["after"]>;

/** Subscribes as a client that knows the messages and nothing else. */
async function subscribe(
  { url }: ServerProcess,
  { token }: Person,
  after?: Position,
): Promise<SubscribeAnswer & { ok: boolean }> {
  const auth = { protocol: PROTOCOL_VERSION, token };
  const socket = io(url, { transports: ["websocket"], forceNew: true, auth });
  try {
    const call = { table: "incidents", ...(after && { after }) };
    return await socket.timeout(WITHIN_MS).emitWithAck("subscribe", call);
  } finally {
    socket.close();
  }
}

const positionOf = ({ epoch, seq, scope }: SubscribeAnswer): Position => ({ epoch, seq, scope });

async function retitle(person: Person, records: readonly string[], prefix: string): Promise<void> {
  for (const record of records) {
    const path = `/tables/incidents/records/${record}?overwrite=true`;
    await person.call("PATCH", path, { set: { title: `${prefix} ${record}` } });
  }
}

async function recordsOf(person: Person): Promise<string[]> {
  const isOpen = JSON.stringify({ field: "state", op: "ne", value: "Closed" });
  const filter = encodeURIComponent(isOpen);
  const { records } = await person.page("incidents", `sort=number&limit=25&filter=${filter}`);
  return records.map(({ id }) => id);
}

describe("a cold copy of the data folder that takes the folder's place", () => {
  it("ends the positions that were given out after it, and no others", async () => {
    const folder = await tempFolder();
    const [data, copy] = [`${folder.path}/data`, `${folder.path}/copy`];
    await using server = await ServerProcess.start({ environment: { DATA_DIR: data } });
    const boss = await signIn(server.url, owner);
    const records = await recordsOf(boss);
    const shared = positionOf(await subscribe(server, boss));

    await server.kill("SIGTERM");
    await cp(data, copy, { recursive: true, preserveTimestamps: true });
    await server.start();
    const restarted = await subscribe(server, boss, shared);
    expect(restarted).toMatchObject({ ok: true, seq: shared.seq, replay: [] });
    await retitle(boss, records.slice(0, LOST), "lost");
    const ahead = await subscribe(server, boss, positionOf(restarted));
    expect(ahead.replay).toHaveLength(LOST);
    const { version } = await boss.record("incidents", records[0] as string);

    await server.kill("SIGTERM");
    await rm(data, { recursive: true });
    await cp(copy, data, { recursive: true, preserveTimestamps: true });
    await server.start();
    await retitle(boss, records.slice(0, WRITTEN_AFTERWARDS), "after");

    const lost = await subscribe(server, boss, positionOf(ahead));
    expect(lost).toMatchObject({ ok: true, resync: true });
    expect(lost).not.toHaveProperty("replay");
    const kept = await subscribe(server, boss, shared);
    expect(kept.replay?.map(({ set }) => set.title)).toEqual(
      records.slice(0, WRITTEN_AFTERWARDS).map((record) => `after ${record}`),
    );
    const stale = boss.call("DELETE", `/tables/incidents/records/${records[0]}`, {});
    await expect(stale).rejects.toThrow();
    const answer = await fetch(`${server.url}/api/v1/tables/incidents/records/${records[0]}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${boss.token}`, "if-match": `"${version}"` },
    });
    expect(answer.status).toBe(409);
    await server.kill("SIGTERM");
    folder.drop();
  });
});

describe.each(databases)("a backup that is restored under a running server, on $name", (kind) => {
  let desk: Desk;
  let backup: DatabaseBackup;
  let records: string[];
  beforeAll(async () => {
    desk = await Desk.open({ kind });
    // Ended by the copying, as every session is.
    desk.program.on("error", () => undefined);
    records = await recordsOf(desk.boss);
    backup = await backUp(desk.database);
  });
  afterAll(async () => {
    await backup.drop();
    await desk[Symbol.asyncDispose]();
  });

  /** A screen that has seen what will be lost, and the position before that. */
  async function ahead(): Promise<{ watcher: Watcher; head: number }> {
    const watcher = await Watcher.open(desk.boss);
    const head = await headOf(desk.boss);
    await retitle(desk.boss, records.slice(0, LOST), "lost");
    await watcher.reaches(head + LOST);
    return { watcher, head };
  }
  /** By another program, which may come before any server does. */
  async function byProgram(work: (program: pg.Client) => Promise<unknown>): Promise<void> {
    const program = new pg.Client({ connectionString: desk.databaseUrl });
    await program.connect();
    await work(program);
    await program.end();
  }
  async function expectStored(watcher: Watcher): Promise<void> {
    await until("the screen shows what is stored", WITHIN_MS, async () => {
      await watcher.readAll();
      const found = await watcher.againstQuery().catch(() => null);
      return found !== null && isDeepStrictEqual(found.shown, found.stored);
    });
    await watcher[Symbol.asyncDispose]();
  }

  it("shows what is stored again, before anybody writes", async () => {
    const { watcher } = await ahead();
    await backup.restore();
    await expectStored(watcher);
  });

  it("shows what is stored where more was written since than was lost", async () => {
    const { watcher } = await ahead();
    await backup.restore();
    await byProgram(async (program) => {
      for (const record of records.slice(-WRITTEN_AFTERWARDS)) {
        await program.query("update incidents set title = 'after' where id = $1", [record]);
      }
    });
    await expectStored(watcher);
  });

  it("shows what is stored where the log itself was set back, on the same files", async () => {
    const { watcher, head } = await ahead();
    const feed = "(select id from watchfloor.feed where table_name = 'incidents')";
    await byProgram((program) =>
      program.query(`begin;
        alter table incidents disable trigger user;
        update incidents set title = 'as it was' where title like 'lost %';
        alter table incidents enable trigger user;
        delete from watchfloor.numbering where upto > ${head} and feed = ${feed};
        update watchfloor.feed set head = ${head} where table_name = 'incidents';
        commit`),
    );
    await expectStored(watcher);
  });
});
