// Covers: server/import
import { request } from "node:http";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChangeSetInfo } from "../../shared/protocol/change-sets.ts";
import type { DraftImport } from "../../shared/protocol/imports.ts";
import { runProgram } from "../harness/run-program.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { createInstalled } from "../harness/test-installation.ts";
import { signIn, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import type { TestDatabase } from "../provision/create-database.ts";
import { systemDatabase } from "../provision/databases.ts";
import { tempFolder } from "../provision/temp-folder.ts";

const WITHIN_MS = 60_000;
const ROWS = 5_000;
const csv = `number,title\n${Array.from({ length: ROWS }, (_, n) => `K${n},Row ${n}\n`).join("")}`;

const pathOf = (id: string) => `/api/v1/change-sets/${id}/import?table=incidents&key=number`;
const headersOf = ({ token }: TestUser) => ({
  authorization: `Bearer ${token}`,
  "content-type": "text/csv",
});

/** Sends half of the file and leaves the connection open. */
function sendHalf(url: string, user: TestUser, id: string): void {
  const sending = request(url + pathOf(id), { method: "POST", headers: headersOf(user) });
  sending.on("error", () => {});
  sending.write(csv.slice(0, csv.length / 2));
}

/** The changes that a set has made, and the records that it has changed. */
async function changesBy(url: string, id: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `select count(*)::int as changes, count(distinct record)::int as records
     from watchfloor.change where change_set = $1`,
    [id],
  );
  await client.end();
  return rows[0];
}

/**
 * Small batches, so that a set is applied for some seconds, and taken over soon. An import renews its lease three times
 * within it, and is given up where a slow machine delays this: a second is too little.
 */
const environment = {
  CHANGE_SET_BATCH_OPS: "2",
  CHANGE_SET_LEASE_MS: "5000",
  CHANGE_SET_RESUME_INTERVAL_MS: "500",
};

describe("a server that is killed while a file is imported", () => {
  const kind = systemDatabase;
  let database: TestDatabase;
  let server: ServerProcess;
  let user: TestUser;
  let id: string;
  beforeAll(async () => {
    database = await createInstalled(kind);
    server = await ServerProcess.start({
      environment: { ...environment, DATABASE_URL: database.url },
    });
    user = await signIn(server.url, owner);
    ({ id } = await user.call<ChangeSetInfo>("POST", "/change-sets", {}));
  });
  afterAll(async () => {
    await server.kill("SIGTERM");
    await database.drop();
  });
  const restart = async () => {
    await server.kill("SIGKILL");
    await server.start();
  };
  const read = (by = user) => by.call<ChangeSetInfo>("GET", `/change-sets/${id}`);

  it("into a draft has applied nothing; the part can't be applied, and the file is imported again", async () => {
    sendHalf(server.url, user, id);
    await until("a part is stored", WITHIN_MS, async () => (await read()).progress.total > 0);
    await restart();
    expect(await read()).toMatchObject({ state: "draft", import: { isComplete: false } });
    const refused = await fetch(`${server.url}/api/v1/change-sets/${id}/apply`, {
      method: "POST",
      headers: { ...headersOf(user), "content-type": "application/json" },
      body: "{}",
    });
    expect(await refused.json()).toMatchObject({ code: "conflict", state: "draft" });
    const again = await fetch(server.url + pathOf(id), {
      method: "POST",
      headers: headersOf(user),
      body: csv,
    });
    const report = (await again.json()) as DraftImport;
    expect(report).toMatchObject({ rows: ROWS, created: ROWS, superseded: 0, failed: 0 });
  });

  it("and backed up while the draft is applied, goes on where it is restored, and applies each op once", async () => {
    const folder = await tempFolder();
    const file = `${folder.path}/applying.backup`;
    await user.call("POST", `/change-sets/${id}/apply`, {});
    await until("a part is applied", WITHIN_MS, async () => (await read()).progress.applied > 0);
    const made = await runProgram(["backup", file], { DATABASE_URL: database.url });
    expect(made).toMatchObject({ code: 0, err: "" });
    await user.call("POST", `/change-sets/${id}/cancel`);

    const target = await kind.create();
    await runProgram(["restore", file], { DATABASE_URL: target.url });
    expect(Number((await changesBy(target.url, id)).changes)).toBeLessThan(ROWS);
    const restored = await ServerProcess.start({ environment: { DATABASE_URL: target.url } });
    const there = await signIn(restored.url, owner);
    await until("it is applied", 120_000, async () => (await read(there)).state === "applied");
    expect((await read(there)).progress).toMatchObject({ applied: ROWS, refused: 0, conflicts: 0 });
    expect(await changesBy(target.url, id)).toEqual({ changes: ROWS, records: ROWS });
    await restored.kill("SIGTERM");
    await target.drop();
    folder.drop();
  });

  const writing = async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ sets: number; ops: number }>(
      `select count(distinct s.id)::int as sets, count(o.n)::int as ops from watchfloor.change_set s
       left join watchfloor.change_set_op o on o.change_set = s.id where s.state = 'writing'`,
    );
    await client.end();
    return rows[0] ?? { sets: 0, ops: 0 };
  };
  const services = Array.from({ length: 1_500 }, (_, n) => `Service ${n}\n`).join("");
  const sendToTable = (isWhole: boolean) => {
    const path = `${server.url}/api/v1/tables/services/imports`;
    const sending = request(path, { method: "POST", headers: headersOf(user) });
    sending.on("error", () => {});
    sending.write(`name\n${services}`);
    if (isWhole) sending.end();
  };
  const added = async () => {
    const path = "/tables/services/records?limit=0&search=Service";
    return (await user.call<{ total: number }>("GET", path)).total;
  };

  it("straight into a table has changed nothing before its end was read, and leaves nothing", async () => {
    const before = await added();
    sendToTable(false);
    await until("a part is stored", WITHIN_MS, async () => (await writing()).ops > 0);
    await restart();
    await until("it is deleted", WITHIN_MS, async () => (await writing()).sets === 0);
    expect(await added()).toBe(before);
  });

  it("straight into a table goes on where it is being applied, and applies each row once", async () => {
    const before = await added();
    sendToTable(true);
    const begun = await until("a part is applied", WITHIN_MS, async () => {
      const list = "/change-sets?state=applying";
      const { items } = await user.call<{ items: ChangeSetInfo[] }>("GET", list);
      return items.find((one) => one.id !== id && one.progress.applied > 0);
    });
    await restart();
    const readBegun = () => user.call<ChangeSetInfo>("GET", `/change-sets/${begun.id}`);
    await until("it is applied", WITHIN_MS, async () => (await readBegun()).state === "applied");
    expect(await readBegun()).toMatchObject({ origin: "import", import: { isComplete: true } });
    expect(await changesBy(database.url, begun.id)).toEqual({ changes: 1_500, records: 1_500 });
    expect(await added()).toBe(before + 1_500);
  });
});
