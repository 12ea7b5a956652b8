import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Model } from "../../shared/model/model.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { signIn, type TestUser } from "../harness/test-user.ts";
import type { TestDatabase } from "../provision/create-database.ts";
import { systemDatabase } from "../provision/databases.ts";

/** A Postgres of the customer's own, with roles that are not superusers. */

const system = systemDatabase;
const ownerRole = `desk_owner_${process.pid}`;
const serverRole = `desk_server_${process.pid}`;

let database: TestDatabase;
let admin: pg.Client;

beforeEach(async () => {
  if (!system) throw new Error("There is no database to test on.");
  database = await system.create();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  for (const role of [ownerRole, serverRole]) await admin.query(`create role ${role} login`);
  await admin.query(`alter database ${database.name} owner to ${ownerRole}`);
});
afterEach(async () => {
  await admin.query(`drop owned by ${serverRole}; drop owned by ${ownerRole}`);
  await admin.query(`alter database ${database.name} owner to current_user`);
  await admin.query(`drop role ${serverRole}; drop role ${ownerRole}`);
  await admin.end();
  await database.drop();
});

function urlOf(role: string): string {
  const url = new URL(database.url);
  url.username = role;
  return url.href;
}

/** An edit, a new field, an edit of that, and a new table with a record: a server's real work. */
async function worksWith(me: TestUser): Promise<void> {
  const path = "/tables/incidents/records";
  const edit = (values: object) => me.call<{ id: string }>("POST", path, { values });
  await edit({ title: "first" });
  const model = await me.call<Model>("GET", "/model");
  const field = { name: "extra", label: "Extra", type: "text" as const };
  const auto = {
    name: "n",
    label: "N",
    type: "text",
    automatic: { prefix: "N", digits: 3, start: 1 },
  };
  const rooms = {
    name: "rooms",
    label: "Rooms",
    recordLabel: "room",
    display: "title",
    columns: ["title"],
    sort: ["title"],
    fields: [{ name: "title", label: "Title", type: "text" }, auto],
  };
  const tables = model.tables.map((table) =>
    table.name === "incidents" ? { ...table, fields: [...table.fields, field] } : table,
  );
  await me.call("PUT", "/model", { ...model, tables: [...tables, rooms] });
  const { id } = await edit({ title: "second", extra: "stored" });
  expect((await me.record("incidents", id)).values.extra).toBe("stored");
  await me.call("POST", "/tables/rooms/records", { values: { title: "a room" } });
}

describe("a server on a Postgres of the customer's", () => {
  it("needs one role, which owns the database and is not a superuser", async () => {
    await using server = await ServerProcess.start({
      environment: { DATABASE_URL: urlOf(ownerRole) },
    });
    await worksWith(await signIn(server.url, owner));
    expect(server.output).not.toContain("superuser");
  });

  it("warns if its role is a superuser", async () => {
    await using server = await ServerProcess.start({ environment: { DATABASE_URL: database.url } });
    expect(server.output).toContain("is a superuser");
  });

  it("may use a second role for tables, and creates and alters none with the first", async () => {
    const environment = {
      DATABASE_URL: urlOf(serverRole),
      DATABASE_OWNER_URL: urlOf(ownerRole),
    };
    await using server = await ServerProcess.start({ environment });
    await worksWith(await signIn(server.url, owner));
    const { rows } = await admin.query(`
      select distinct pg_get_userbyid(relowner) as owner from pg_class c
      join pg_namespace n on n.oid = relnamespace where nspname in ('public', 'watchfloor')`);
    expect(rows).toEqual([{ owner: ownerRole }]);
    const own = new pg.Client({ connectionString: urlOf(serverRole) });
    await own.connect();
    for (const text of [
      "alter table incidents add column stolen text",
      "drop table incidents",
      "alter table incidents disable trigger all",
      "truncate watchfloor.change",
      "create table public.mine (id int)",
      "select pg_read_file('/etc/hostname')",
      "copy (select 1) to program 'true'",
    ]) {
      await expect(own.query(text)).rejects.toThrow(/permission denied|must be/);
    }
    await own.end();
    await server.kill("SIGTERM");
    await server.start();
    await signIn(server.url, owner);
  });
});
