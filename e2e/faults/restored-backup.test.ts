import { cp, rm } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import pg from "pg";
import { io } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMemoryEditStorage } from "../../client/src/transport/memory-edit-storage.ts";
import type { SubscribeAnswer, SubscribeCall } from "../../shared/protocol/feed.ts";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import { backUp, type DatabaseBackup } from "../harness/database-backup.ts";
import { runProgram } from "../harness/run-program.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { signIn, type TestUser } from "../harness/test-user.ts";
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
  { token }: TestUser,
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

const positionOf = ({ epoch, seq, scope, mark }: SubscribeAnswer): Position => ({
  epoch,
  seq,
  scope,
  mark,
});

async function retitle(user: TestUser, records: readonly string[], prefix: string): Promise<void> {
  for (const record of records) {
    const path = `/tables/incidents/records/${record}?overwrite=true`;
    const set = { title: `${prefix} ${record}` };
    // Copying a database ends all sessions. Until the server has them again it answers `unavailable`, once to each edit
    // that was under way; repeated, the edit changes nothing twice.
    await until("the edit is stored", WITHIN_MS, () =>
      user.call("PATCH", path, { set }).then(
        () => true,
        (error: Error) => {
          if (!/: 503 /.test(error.message)) throw error;
          return false;
        },
      ),
    );
  }
}

async function recordsOf(user: TestUser): Promise<string[]> {
  const isOpen = JSON.stringify({ field: "state", op: "ne", value: "Closed" });
  const filter = encodeURIComponent(isOpen);
  const { records } = await user.page("incidents", `sort=number&limit=25&filter=${filter}`);
  return records.map(({ id }) => id);
}

describe("a cold copy of the data folder that replaces the folder", () => {
  it("invalidates the positions that were assigned after it, and no others", async () => {
    const folder = await tempFolder();
    const [data, copy] = [`${folder.path}/data`, `${folder.path}/copy`];
    await using server = await ServerProcess.start({ environment: { DATA_DIR: data } });
    const ownerUser = await signIn(server.url, owner);
    const records = await recordsOf(ownerUser);
    const shared = positionOf(await subscribe(server, ownerUser));

    await server.kill("SIGTERM");
    await cp(data, copy, { recursive: true, preserveTimestamps: true });
    await server.start();
    const restarted = await subscribe(server, ownerUser, shared);
    expect(restarted).toMatchObject({ ok: true, seq: shared.seq, replay: [] });
    await retitle(ownerUser, records.slice(0, LOST), "lost");
    const ahead = await subscribe(server, ownerUser, positionOf(restarted));
    expect(ahead.replay).toHaveLength(LOST);
    const { version } = await ownerUser.record("incidents", records[0] as string);

    await server.kill("SIGTERM");
    await rm(data, { recursive: true });
    await cp(copy, data, { recursive: true, preserveTimestamps: true });
    await server.start();
    await retitle(ownerUser, records.slice(0, WRITTEN_AFTERWARDS), "after");

    const lostClient = await subscribe(server, ownerUser, positionOf(ahead));
    expect(lostClient).toMatchObject({ ok: true, resync: true });
    expect(lostClient).not.toHaveProperty("replay");
    const sharedClient = await subscribe(server, ownerUser, shared);
    expect(sharedClient.replay?.map(({ set }) => set.title)).toEqual(
      records.slice(0, WRITTEN_AFTERWARDS).map((record) => `after ${record}`),
    );
    const stale = ownerUser.call("DELETE", `/tables/incidents/records/${records[0]}`, {});
    await expect(stale).rejects.toThrow();
    const answer = await fetch(`${server.url}/api/v1/tables/incidents/records/${records[0]}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${ownerUser.token}`, "if-match": `"${version}"` },
    });
    expect(answer.status).toBe(409);
    await server.kill("SIGTERM");
    folder.drop();
  });
});

describe.each(databases)("a backup that npm run restore puts in place, on $name", (kind) => {
  it("invalidates the positions that were assigned after it, and no others", async () => {
    const folder = await tempFolder();
    const file = `${folder.path}/backup`;
    await using installation = await TestInstallation.open({ kind });
    const { server, databaseUrl } = installation;
    const environment = { DATABASE_URL: databaseUrl };
    const before = installation.ownerUser;
    const records = await recordsOf(before);
    const shared = positionOf(await subscribe(server, before));
    const made = await runProgram(["backup", file], environment);
    expect(made).toMatchObject({ code: 0, err: "" });
    const storage = createMemoryEditStorage();
    const watcher = await Watcher.open(before, before.open({ storage }));
    await retitle(before, records.slice(0, LOST), "lost");
    await watcher.reaches(shared.seq + LOST);
    const ahead = positionOf(await subscribe(server, before));
    // Made while there is no server, and sent after signing in again.
    await server.kill("SIGTERM");
    const edited = records[LOST] as string;
    const base = { title: watcher.values(edited)?.title ?? null };
    const set = { title: "made offline" };
    watcher.core.edits.edit("incidents", { record: edited, set, base });
    await watcher[Symbol.asyncDispose]();
    const args = [file, "--replace"];
    const restored = await runProgram(["restore", ...args], environment);
    expect(restored).toMatchObject({ code: 0, err: "" });
    await server.start();

    const user = await signIn(server.url, owner);
    expect(await subscribe(server, user, shared)).toMatchObject({ ok: true, seq: shared.seq });
    const lostClient = await subscribe(server, user, ahead);
    expect(lostClient).toMatchObject({ ok: true, resync: true });
    const lost = await user.record("incidents", records[0] as string);
    expect(lost.values.title).not.toMatch(/^lost/);
    await retitle(user, records.slice(0, 1), "after");
    // A server that has just started may answer the edit before it has read it from the log.
    await expect
      .poll(() => subscribe(server, user, ahead))
      .toMatchObject({ ok: true, resync: true, seq: shared.seq + 1 });
    await using returned = await Watcher.open(user, user.open({ storage }));
    await until("the edit made offline is stored", WITHIN_MS, async () => {
      return (await user.record("incidents", edited)).values.title === "made offline";
    });
    await until("the screen shows what is stored", WITHIN_MS, async () => {
      const { shown, stored } = await returned.againstQuery();
      return isDeepStrictEqual(shown, stored);
    });
    folder.drop();
  });
});

describe.each(databases)("a backup that is restored under a running server, on $name", (kind) => {
  let installation: TestInstallation<ServerProcess>;
  let backup: DatabaseBackup;
  let records: string[];
  beforeAll(async () => {
    installation = await TestInstallation.open({ kind });
    // Ended by the copying, as every session is.
    installation.program.on("error", () => undefined);
    records = await recordsOf(installation.ownerUser);
    backup = await backUp(installation.database);
  });
  afterAll(async () => {
    await backup.drop();
    await installation[Symbol.asyncDispose]();
  });

  /** A screen that has seen what will be lost, and the position before that. */
  async function ahead(): Promise<{ watcher: Watcher; head: number }> {
    const watcher = await Watcher.open(installation.ownerUser);
    const head = await headOf(installation.ownerUser);
    await retitle(installation.ownerUser, records.slice(0, LOST), "lost");
    await watcher.reaches(head + LOST);
    return { watcher, head };
  }
  /** By another program, which may write before any server does. */
  async function byProgram(work: (program: pg.Client) => Promise<unknown>): Promise<void> {
    const program = new pg.Client({ connectionString: installation.databaseUrl });
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

  it("shows what is stored if more was written since than was lost", async () => {
    const { watcher } = await ahead();
    await backup.restore();
    await byProgram(async (program) => {
      for (const record of records.slice(-WRITTEN_AFTERWARDS)) {
        await program.query("update incidents set title = 'after' where id = $1", [record]);
      }
    });
    await expectStored(watcher);
  });

  /**
   * Sets log and records back on the same files, as a reset virtual machine does, and writes in the same moment. Nothing is left for
   * the check of triggers to find: what is seen afterwards is seen by positions and marks.
   */
  async function setBack(head: number, written: readonly string[]): Promise<void> {
    const feed = "(select id from watchfloor.feed where table_name = 'incidents')";
    const lost = `watchfloor.change c join watchfloor.numbering n using (feed, tx)
      where n.upto > ${head} and n.feed = ${feed}`;
    const ids = written.map((id) => pg.escapeLiteral(id)).join();
    await byProgram((program) =>
      program.query(`begin;
        alter table incidents disable trigger user;
        update incidents set title = first.title
          from (select distinct on (record) record, c.before ->> 'title' as title
            from ${lost} order by record, ord) first
          where id = first.record;
        alter table incidents enable trigger user;
        alter table incidents enable replica trigger watchfloor_replica;
        alter table incidents enable always trigger watchfloor_truncate;
        update watchfloor.feed set triggers = watchfloor.triggers_of('incidents'::regclass)
          where id = ${feed};
        delete from watchfloor.change where (tx, ord) in (select tx, ord from ${lost});
        delete from watchfloor.numbering where upto > ${head} and feed = ${feed};
        update watchfloor.feed set head = ${head} where id = ${feed};
        ${ids && `update incidents set title = 'after ${head}' where id in (${ids});`}
        commit`),
    );
  }

  it("shows what is stored if the log itself was reset, on the same files", async () => {
    const { watcher, head } = await ahead();
    await setBack(head, []);
    await expectStored(watcher);
  });

  it("shows what is stored if more was written to the reset log than it had lost", async () => {
    const { watcher, head } = await ahead();
    await setBack(head, records.slice(-WRITTEN_AFTERWARDS));
    await expectStored(watcher);
  });

  it("replays nothing to a client that was offline throughout, nor if its server was", async () => {
    const { watcher, head } = await ahead();
    await watcher[Symbol.asyncDispose]();
    const { server, ownerUser } = installation;
    const lost = positionOf(await subscribe(server, ownerUser));
    await server.kill("SIGKILL");
    await setBack(head, records.slice(-WRITTEN_AFTERWARDS));
    await server.start();
    const answer = await subscribe(server, ownerUser, lost);
    expect(answer).toMatchObject({ ok: true, resync: true, epoch: lost.epoch });
    expect(await subscribe(server, ownerUser, positionOf(answer))).toMatchObject({ replay: [] });
    expect(server.output).not.toContain("triggers were disabled");
  });
});
