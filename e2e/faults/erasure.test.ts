import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HistoryEntry } from "../../shared/protocol/records.ts";
import { runCommand } from "../harness/run-command.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { Watcher } from "../harness/watcher.ts";
import { workableIncident } from "../harness/workable-incident.ts";
import { systemDatabase } from "../provision/databases.ts";

const WITHIN_MS = 60_000;
const secret = 'Wilhelmina "Billie" Vandersteen';
const record = workableIncident(100);
const path = `/tables/incidents/records/${record}`;

let installation: TestInstallation;
let mara: TestUser;
beforeAll(async () => {
  // The embedded Postgres passed these tests too; the older one accepts less.
  installation = await TestInstallation.openInProcess({ kind: systemDatabase });
  mara = installation.ownerUser;
});
afterAll(() => installation[Symbol.asyncDispose]());

const run = async (text: string, values: unknown[] = []) =>
  (await installation.program.query(text, values)).rows;
const erase = (...args: string[]) =>
  runCommand(["erase", ...args], { DATABASE_URL: installation.databaseUrl });
const eraseLocation = (...more: string[]) =>
  erase("--table", "incidents", "--record", record, "--fields", "location,notes", ...more);

/** The tables in which a text is, among every row of every table. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await run(`select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'watchfloor')`);
  const found: string[] = [];
  for (const { name } of tables) {
    const needle = JSON.stringify(text).slice(1, -1);
    const rows = await run(
      `select from ${name} t where position($1 in to_jsonb(t)::text) > 0
         or position($2 in to_jsonb(t)::text) > 0 limit 1`,
      [text, needle],
    );
    if (rows.length) found.push(name);
  }
  return found;
}

const history = async () =>
  (await mara.call<{ items: HistoryEntry[] }>("GET", `${path}/history`)).items;
const set = (values: object) => mara.call("PATCH", `${path}?overwrite=true`, { set: values });

describe("values of a record that were erased", () => {
  it("are nowhere in the database, and history says that they were", async () => {
    await using watcher = await Watcher.open(mara);
    await set({ location: secret });
    await set({ location: "Elsewhere", notes: `Called by ${secret}.` });
    const base = { location: "Elsewhere" };
    const update = { op: "update", table: "incidents", record, set: { location: secret }, base };
    await mara.call("POST", "/change-sets", { title: `About ${secret}`, ops: [update] });
    await set({ location: secret });
    await mara
      .call("PATCH", path, { set: { location: "Nowhere" }, base: { location: "Somewhere" } })
      .catch(() => undefined);
    await run(
      `insert into watchfloor.comment (id, table_id, record, author, text)
      select 'c', 'incidents', $1, 'user:nobody', $2`,
      [record, `Is ${secret} in?`],
    );
    await run(
      `insert into watchfloor.change_set_reject (change_set, line, cells, errors)
       select id, 1, $1, $2 from watchfloor.change_set limit 1`,
      [JSON.stringify(["x", secret]), JSON.stringify([{ message: `${secret} is no number.` }])],
    );
    const places = await tablesWith(secret);
    expect(places).toEqual(
      expect.arrayContaining([
        "public.incidents",
        "watchfloor.change",
        "watchfloor.change_set",
        "watchfloor.change_set_op",
        "watchfloor.change_set_reject",
        "watchfloor.comment",
        "watchfloor.mutation",
      ]),
    );

    const dry = await eraseLocation("--dry-run");
    expect(dry).toMatchObject({ code: 0, err: "" });
    expect(dry.out).toMatch(/^Dry run, nothing was erased. To erase: 1 records, \d+ changes/);
    expect(await tablesWith(secret)).toEqual(places);

    expect(await eraseLocation()).toMatchObject({ code: 0, err: "" });
    expect(await tablesWith(secret)).toEqual([]);
    expect(await run("select text from watchfloor.comment")).toEqual([{ text: "Is [erased] in?" }]);
    const entries = await history();
    const locations = entries.filter(({ fields }) => fields.location);
    expect(locations.length).toBeGreaterThan(2);
    for (const { fields, erased } of locations) {
      expect(fields.location).toEqual({ before: null, after: null });
      expect(erased).toContain("location");
    }
    await until("the screen shows what is stored", WITHIN_MS, async () => {
      await watcher.readAll();
      const { shown, stored } = await watcher.againstQuery();
      return isDeepStrictEqual(shown, stored) && !JSON.stringify(shown).includes("Billie");
    });
  });

  it("are not brought back by undo, by a revert, or by restoring the record", async () => {
    const op = { op: "update", table: "incidents", record, base: { location: null } };
    const undo = { id: "undo-erased", ops: [{ ...op, set: { location: secret } }], origin: "undo" };
    const { results } = await mara.call<{ results: unknown[] }>("POST", "/mutations", undo);
    expect(results).toMatchObject([{ ok: false, error: { code: "field_locked" } }]);

    const entries = await history();
    const [oldest] = entries.slice(-1) as [HistoryEntry];
    const revert = { by: mara.info.id, from: oldest.at, table: "incidents", record };
    const draft = await mara.call<{ id: string }>("POST", "/change-sets", { revert });
    await mara.call("POST", `/change-sets/${draft.id}/apply`, { atomic: false });
    await mara.call("DELETE", `${path}?overwrite=true`, {});
    await mara.call("POST", `${path}/restore`, {});
    expect(await mara.record("incidents", record)).toMatchObject({ values: { location: null } });
    expect(await tablesWith("Vandersteen")).toEqual([]);
  });

  it("are refused for what does not exist, without erasing anything", async () => {
    const of = (...args: string[]) => erase("--table", "incidents", ...args);
    expect((await of("--record", record, "--fields", "colour")).err).toMatch(/no field colour/);
    expect((await of("--record", "none", "--fields", "notes")).err).toMatch(/never had a record/);
    expect((await of("--record", record)).err).toMatch(/all of --table, --record and --fields/);
    expect((await erase("--user", "nobody@example.com")).err).toMatch(/no user with the address/);
  });
});

describe("a user who was erased", () => {
  it("is no longer named anywhere, and what they did stays", async () => {
    const name = "Zebulon Quixote";
    const zeb = await addUser(installation.server.url, mara, name);
    const { email } = zeb.info as unknown as { email: string };
    await zeb.call("PATCH", `${path}?overwrite=true`, { set: { location: "By Zeb" } });
    const { token } = await zeb.call<{ token: string }>("POST", "/tokens", {
      name: `Sync of ${name}`,
    });
    const body = JSON.stringify({ table: "incidents", record, text: "Written by a program" });
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const url = `${installation.server.url}/api/v1/comments`;
    expect((await fetch(url, { method: "POST", headers, body })).status).toBe(201);
    expect((await tablesWith(name)).length).toBeGreaterThan(1);
    const erased = await erase("--user", email.toUpperCase());
    expect(erased).toMatchObject({ code: 0, err: "" });
    expect(await tablesWith(name)).toEqual([]);
    expect(await tablesWith(email)).toEqual([]);
    expect(await tablesWith("Written by a program")).toEqual([]);
    await expect(zeb.call("GET", "/session")).rejects.toThrow(/: 401 /);
    const entries = await history();
    expect(entries.find(({ fields }) => fields.location?.after === "By Zeb")?.by).toMatchObject({
      id: zeb.info.id,
      name: "[erased]",
    });
    expect(
      await run("select from watchfloor.security_event where kind = 'user_erased'"),
    ).toHaveLength(1);
  });

  it("is never the only active owner", async () => {
    await addUser(installation.server.url, mara, "Another user");
    const [owner] = await run(`select email from watchfloor."user" where role = 'owner'
      and status = 'active'`);
    expect((await erase("--user", owner.email)).err).toMatch(/only active owner/);
  });
});
