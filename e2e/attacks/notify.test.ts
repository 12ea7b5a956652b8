import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { headOf, Watcher } from "../harness/watcher.ts";
import { systemDatabase } from "../provision/databases.ts";

/**
 * Somebody who may connect to the database without rights on any table: they can still notify, of every
 * topic and as often as they like.
 */

const WITHIN_MS = 60_000;
const topics = ["feed", "user", "views", "wallboards", "model", "comment", "mentions", "event"];
const odd = [
  "",
  " ",
  "all:",
  "null",
  "[]",
  "{}",
  '{"table":1}',
  "user:",
  ":",
  "é\u0001",
  "x".repeat(7_999),
];

const opened = new AsyncDisposableStack();
let installation: TestInstallation;
let ann: Watcher;
let outsider: pg.Client;

beforeAll(async () => {
  installation = opened.use(await TestInstallation.openInProcess({ kind: systemDatabase }));
  const name = `stranger_${process.pid}`;
  await installation.program.query(`create role ${name} login password 'stranger'`);
  opened.defer(() => installation.program.query(`drop role ${name}`).then(() => undefined));
  const user = await addUser(installation.server.url, installation.ownerUser, "Ann");
  ann = opened.use(await Watcher.open(user, user.open()));
  outsider = new pg.Client({ connectionString: installation.databaseUrl });
  await outsider.connect();
  opened.defer(() => outsider.end());
  await outsider.query(`set session authorization ${name}`);
});
afterAll(() => opened.disposeAsync());

const notify = (payload: string) =>
  outsider.query("select pg_notify('watchfloor_changed', $1)", [payload]);

async function editsGoOn(title: string): Promise<void> {
  await installation.program.query("update incidents set title = $1 where id = 'seed-1'", [title]);
  await until(`seed-1 shows ${title}`, WITHIN_MS, () => ann.values("seed-1")?.title === title);
  const base = { title };
  ann.core.edits.edit("incidents", { record: "seed-1", set: { title: `${title}, edited` }, base });
  await until("the edit is stored", WITHIN_MS, async () => {
    return (
      (await installation.ownerUser.record("incidents", "seed-1")).values.title ===
      `${title}, edited`
    );
  });
  await ann.reaches(await headOf(installation.ownerUser));
  const { shown, stored } = await ann.againstQuery();
  expect(shown).toEqual(stored);
  expect(ann.session.counters).toMatchObject({ duplicates: 0, resyncs: 0 });
}

describe("somebody with only the right to connect", () => {
  it("has no right to anything there", async () => {
    for (const text of [
      "select * from incidents",
      'select * from watchfloor."user"',
      "select bus_key from watchfloor.installation",
      "select watchfloor.finalize(null, null, null, null, null)",
    ]) {
      await expect(outsider.query(text)).rejects.toThrow("permission denied");
    }
  });

  it("does no harm by notifications that are not ours", async () => {
    for (const payload of odd) {
      await notify(payload);
      for (const topic of topics) await notify(`${topic}:${payload}`.slice(0, 7_999));
    }
    await editsGoOn("after odd notifications");
  });

  it("signs nobody out and revokes no right by naming them", async () => {
    const { id } = installation.ownerUser.info;
    const { rows } = await installation.program.query<{ id: string }>(
      "select id from watchfloor.session",
    );
    for (const payload of [
      `user:${id}`,
      "role:owner",
      "role:editor",
      ...rows.map((r) => `session:${r.id}`),
    ]) {
      await notify(payload);
    }
    await editsGoOn("after forged revocations");
    expect(await installation.ownerUser.call("GET", "/session")).toBeTruthy();
  });

  it("makes nobody resync by naming tables, wallboards and views", async () => {
    for (const table of ["incidents", "user", "nothing"]) {
      await notify(`feed:${table}`);
      await notify(`views:${JSON.stringify({ table, owner: null })}`);
    }
    await notify("wallboards:");
    await notify("model:");
    await editsGoOn("after forged hints");
  });

  it("stops nobody's work by a flood", async () => {
    await outsider.query(
      `select pg_notify('watchfloor_changed', topic || ':' || n)
       from unnest($1::text[]) topic cross join generate_series(1, 5000) n`,
      [topics],
    );
    await editsGoOn("after a flood");
  });
});
