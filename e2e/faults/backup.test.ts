import { stat } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../server/store/database.ts";
import { recordsUnlikeLog } from "../../server/store/testing/log-agreement.ts";
import { EditLoad } from "../harness/edit-load.ts";
import { runProgram } from "../harness/run-program.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser, signIn, type TestUser } from "../harness/test-user.ts";
import { Watcher } from "../harness/watcher.ts";
import { workableIncident } from "../harness/workable-incident.ts";
import type { TestDatabase } from "../provision/create-database.ts";
import { embeddedDatabase as embedded, systemDatabase as system } from "../provision/databases.ts";
import { someCases } from "../provision/proof-size.ts";
import { type TempFolder, tempFolder } from "../provision/temp-folder.ts";

const record = workableIncident(100);
const incident = `/tables/incidents/records/${record}`;

const backUp = (file: string, url: string) => runProgram(["backup", file], { DATABASE_URL: url });
const restore = (url: string, ...args: string[]) =>
  runProgram(["restore", ...args], { DATABASE_URL: url });

/** Tables that a restored database has anew. */
const own = ["installation", "session", "managed_table", "migration", "migration_lock", "marker"];
/** Columns whose values a restore changes: epochs begin anew, and transactions have other numbers. */
const changed = ["tx", "epoch", "instance", "triggers", "last_seen"];

/** What edits of incidents write, and what the server makes of them. */
const writtenByEdits = [
  "public.incidents",
  ...["change", "feed", "mutation", "numbering"].map((name) => `watchfloor.${name}`),
];

/** Every row of every table, as text. */
async function contents(url: string): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: tables } = await client.query<{ schema: string; name: string }>(
    `select schemaname as schema, tablename as name from pg_tables
     where schemaname in ('public', 'watchfloor') and tablename <> all($1) order by 1, 2`,
    [[...own, "former_epoch", "inbox_position", "sign_in_attempt", "display_report"]],
  );
  const found: Record<string, string[]> = {};
  for (const { schema, name } of tables) {
    const { rows } = await client.query<{ row: string }>(
      `select (to_jsonb(t) - $1::text[])::text as row from "${schema}"."${name}" t order by 1`,
      [changed],
    );
    found[`${schema}.${name}`] = rows.map(({ row }) => row);
  }
  await client.end();
  return found;
}

/** What users have made besides the seed: a change of a record, its undo, a role, a view and a change set. */
async function useProduct(user: TestUser, url: string): Promise<void> {
  await addUser(url, user, "Nuno");
  await user.call("PATCH", `${incident}?overwrite=true`, { set: { title: "before the backup" } });
  await user.call("POST", "/roles", { name: "Reader", rights: [], grants: {} });
  const set = { title: "in a draft" };
  const ops = [{ op: "update", table: "incidents", record, set, base: {} }];
  await user.call("POST", "/change-sets", { title: "A draft", ops });
}

/** An answer without what differs: epochs in the versions of records, and when somebody was last seen. */
function comparable(answer: unknown): unknown {
  const text = JSON.stringify(answer, (key, value) => {
    if (key === "lastSeen") return undefined;
    return key === "version" ? String(value).split(".").at(-1) : value;
  });
  return JSON.parse(text);
}

const answers = ["/model", "/users", "/roles", "/views", "/wallboards", "/change-sets", incident];

describe.each(
  someCases([
    { from: embedded, to: system },
    { from: system, to: embedded },
  ]),
)("a backup from $from.name that is restored on $to.name", ({ from, to }) => {
  let installation: TestInstallation;
  let target: TestDatabase;
  let folder: TempFolder;
  let file: string;

  beforeAll(async () => {
    folder = await tempFolder();
    file = `${folder.path}/quiet.backup`;
    installation = await TestInstallation.open({ kind: from });
    await useProduct(installation.ownerUser, installation.server.url);
    target = await to.create();
  });
  afterAll(async () => {
    await target?.drop();
    await installation?.[Symbol.asyncDispose]();
    folder?.drop();
  });

  it("has the same rows in every table", async () => {
    const made = await backUp(file, installation.databaseUrl);
    expect(made).toMatchObject({ code: 0, err: "" });
    expect(made.out).toMatch(/holds 312 records, 4 tables, 2 users, 1 wallboard, 6 views, /);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const restored = await restore(target.url, file);
    expect(restored).toMatchObject({ code: 0, err: "" });
    expect(restored.out).toContain("Everybody has to sign in again");
    expect(await contents(target.url)).toEqual(await contents(installation.databaseUrl));
  });

  it("serves the same answers, to users who sign in again", async () => {
    await using server = await ServerProcess.start({ environment: { DATABASE_URL: target.url } });
    const old = { headers: { authorization: `Bearer ${installation.ownerUser.token}` } };
    expect((await fetch(`${server.url}/api/v1/model`, old)).status).toBe(401);
    const user = await signIn(server.url, owner);
    for (const path of [...answers, `${incident}/history`]) {
      expect(comparable(await user.call("GET", path)), path).toEqual(
        comparable(await installation.ownerUser.call("GET", path)),
      );
    }
    const { number } = (
      await user.call<{ values: { number: string } }>("POST", "/tables/incidents/records", {
        values: { title: "the next number" },
      })
    ).values;
    const { rows } = await installation.program.query("select max(number) as last from incidents");
    expect(Number(number.slice(3))).toBe(Number(rows[0].last.slice(3)) + 1);
  });

  it("refuses a database that is in use or not empty, and changes nothing", async () => {
    const before = await contents(target.url);
    const occupied = await restore(target.url, file);
    expect(occupied).toMatchObject({ code: 1, out: "" });
    expect(occupied.err).toMatch(/^The database already has an installation .*--replace.*\n$/);
    const used = await restore(installation.databaseUrl, file, "--replace");
    expect(used).toMatchObject({ code: 1, out: "" });
    expect(used.err).toMatch(/^A Watchfloor server is running on the database: stop all .*\n$/);
    expect(await contents(target.url)).toEqual(before);
  });

  it("is of one moment while users edit, and replaces an installation", async () => {
    const { ownerUser, server, databaseUrl } = installation;
    const during = `${folder.path}/during.backup`;
    const watchers = await Promise.all(
      ["Priya", "Joana"].map(async (name) =>
        Watcher.open(await addUser(server.url, ownerUser, name)),
      ),
    );
    const load = await EditLoad.begin(ownerUser, watchers);
    const head = watchers[0]?.session.position?.seq ?? 0;
    await watchers[0]?.reaches(head + 100);
    expect(await backUp(during, databaseUrl)).toMatchObject({ code: 0, err: "" });
    await watchers[0]?.reaches(head + 200);
    const { logged, expected } = await load.end(ownerUser);
    expect(logged).toBe(expected);
    for (const watcher of watchers) await watcher[Symbol.asyncDispose]();

    expect(await restore(target.url, during, "--replace")).toMatchObject({ code: 0, err: "" });
    const [source, copy] = [await contents(databaseUrl), await contents(target.url)];
    const log = copy["watchfloor.change"] ?? [];
    expect(log.length).toBeLessThan(source["watchfloor.change"]?.length ?? 0);
    const numbered = new Set(source["watchfloor.change"]);
    expect(log.filter((row) => !numbered.has(row))).toEqual([]);
    const differing = Object.keys(source).filter(
      (name) => !isDeepStrictEqual(source[name], copy[name]),
    );
    expect(differing.filter((name) => !writtenByEdits.includes(name))).toEqual([]);
    await expectLogged(target.url, ownerUser);
  });
});

/** The records are those of the log, up to its head: nothing of a later or an earlier moment. */
async function expectLogged(url: string, { model }: TestUser): Promise<void> {
  const database = openDatabase({ connectionString: url, poolSize: 2, onError: () => {} });
  const { pool } = database;
  for (const table of model.tables) expect(await recordsUnlikeLog(database, table)).toEqual([]);
  const { rows } = await pool.query(`select f.table_name from watchfloor.feed f
    where f.head <> (select count(*) from watchfloor.change c where c.feed = f.id)
       or f.head <> (select coalesce(max(upto), 0) from watchfloor.numbering n where n.feed = f.id)`);
  expect(rows).toEqual([]);
  await database.close();
}
