import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { Client } from "pg";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../../server/config/config.ts";
import { type ApiClient, signedInClient } from "../../server/http/testing/api-client.ts";
import { startFailure } from "../../server/start-failure.ts";
import { type RunningServer, startServer } from "../../server/start-server.ts";
import type { TestDatabase } from "../provision/create-database.ts";
import { type DatabaseKind, systemDatabase } from "../provision/databases.ts";
import { systemPostgresPrograms } from "../provision/system-postgres.ts";

/** The system's Postgres: its own pg_dump reads it. */
const system = systemDatabase;
const programs = await systemPostgresPrograms();

let database: TestDatabase;
beforeEach(async () => {
  if (!system) throw new Error("There is no database to test on.");
  database = await system.create();
});
afterEach(() => database.drop());

async function run(text: string, url = database.url): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return ([await client.query(text)].flat().at(-1)?.rows ?? []) as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** Everything in the database as text, without what pg_dump changes each time. */
function dump(...options: string[]): string {
  const text = execFileSync(join(programs, "pg_dump"), [...options, database.url], {
    encoding: "utf8",
  });
  return text.replaceAll(/^\\(un)?restrict .*$/gm, "");
}

const environment = {
  WATCHFLOOR_OWNER_EMAIL: "owner@example.com",
  WATCHFLOOR_OWNER_PASSWORD: "correct horse battery",
  HOST: "127.0.0.1",
  PORT: "0",
};
const silent = pino({ level: "silent" });
type Template = "service-desk" | "empty";

const configOf = (url: string, template: Template) =>
  readConfig({ ...environment, DATABASE_URL: url, WATCHFLOOR_TEMPLATE: template });

/** Starts a server and stops it again; returns what the operator would read if it is refused. */
async function start(template: Template = "service-desk", url = database.url): Promise<unknown> {
  const config = configOf(url, template);
  try {
    await (await startServer(config, silent)).stop();
    return "started";
  } catch (error) {
    return startFailure(error, config);
  }
}

const takers = {
  "a table":
    "create table people (id int primary key, salary money); insert into people values (1, 5)",
  "a table of the same shape": `create table people (id text collate "C" primary key default gen_random_uuid()::text, name text);
     insert into people values ('a', 'Anna')`,
  "a view": "create view people as select 1 as id",
  "a materialised view": "create materialized view people as select 1 as id",
  "a sequence": "create sequence people; select nextval('people')",
  "a composite type": "create type people as (id int)",
  "an enum": "create type people as enum ('a')",
  "a domain": "create domain people as text",
  "a partitioned table": `create table people (id int, at date) partition by range (at);
     create table people_1 partition of people default; insert into people values (1, '2020-01-01')`,
  "a foreign table": `create extension postgres_fdw;
     create server elsewhere foreign data wrapper postgres_fdw;
     create foreign table people (id int) server elsewhere`,
  "an index": "create table staff (id int); create index people on staff (id)",
  "a table named for the last of the template": "create table incidents (id int)",
  "a table with triggers and columns of our names": `create table people (id text, watchfloor_seq int);
     create function watchfloor_insert() returns trigger language plpgsql as 'begin return new; end';
     create trigger watchfloor_insert before insert on people
       for each row execute function watchfloor_insert();
     insert into people values ('a', 1)`,
};

describe("a first start on a database of another program", () => {
  it.each(Object.entries(takers))(
    "refuses %s that has a name of the template, and writes nothing",
    async (_, taker) => {
      await run(taker);
      const before = dump();
      expect(await start()).toMatch(
        /^[^\n]* already has "(people|incidents)", which Watchfloor did not create[^\n]*$/,
      );
      expect(dump()).toBe(before);
    },
  );

  it.each([
    ["a table", "create schema watchfloor; create table watchfloor.rooms (id int)"],
    ["a function", "create schema watchfloor; create function watchfloor.f() returns int return 1"],
    [
      "the migrations of another program",
      `create schema watchfloor; create table watchfloor.migration (name text, timestamp text);
       create table watchfloor.migration_lock (id text);
       insert into watchfloor.migration values ('0001-init', '')`,
    ],
  ])("refuses a schema watchfloor that contains %s, and writes nothing", async (_, taker) => {
    await run(taker);
    const before = dump();
    expect(await start("empty")).toMatch(
      /^[^\n]*schema "watchfloor" that Watchfloor did not create[^\n]*$/,
    );
    expect(dump()).toBe(before);
  });

  it("leaves everything of the other program unchanged if no name collides", async () => {
    await run(`create table staff (id int primary key, name text default 'x');
      create index on staff (name);
      create function people() returns int return 1;
      create schema crm; create table crm.people (id int); create view crm.incidents as select 1 as id;
      create schema watchfloor;
      insert into staff values (1, 'a'); insert into crm.people values (2)`);
    const theirs = () => dump("--table=staff", "--table=crm.*");
    const before = theirs();
    expect(await start()).toBe("started");
    expect(theirs()).toBe(before);
    expect(await run("select people()")).toEqual([{ people: 1 }]);
  });

  it("refuses the database of a newer release, and writes nothing", async () => {
    expect(await start("empty")).toBe("started");
    await run("insert into watchfloor.migration values ('9999-later', '')");
    const before = dump();
    expect(await start("empty")).toMatch(/^[^\n]*newer Watchfloor \(9999-later\)[^\n]*$/);
    expect(dump()).toBe(before);
  });

  it("reports that the stored model is invalid", async () => {
    expect(await start("empty")).toBe("started");
    await run(`insert into watchfloor.model values (99, '{"version":99,"tables":7}', 'odd')`);
    expect(await start("empty")).toMatch(
      /^The newest model in the database is none: tables: [^\n]*$/,
    );
  });

  it("recognises its own tables in a restored backup", async () => {
    expect(await start()).toBe("started");
    const restored = await (system as DatabaseKind).create();
    const input = dump();
    const options = ["--quiet", "--set=ON_ERROR_STOP=1", restored.url];
    execFileSync(join(programs, "psql"), options, { input, stdio: ["pipe", "ignore", "inherit"] });
    expect(await start("service-desk", restored.url)).toBe("started");
    const own = `select count(*)::int as tables from watchfloor.managed_table
      join pg_class on oid = relation::oid and relname in ('incidents', 'people', 'groups', 'services')`;
    expect(await run(own, restored.url)).toEqual([{ tables: 4 }]);
    await restored.drop();
  });
});

describe("servers that start together on an empty database", () => {
  it.each([1, 2, 3])("all come up, and set it up once (round %i)", async () => {
    expect(await Promise.all([start(), start(), start()])).toEqual(Array(3).fill("started"));
    const counts = `select (select count(*) from watchfloor."user")::int as users,
      (select count(*) from watchfloor.model)::int as models, (select count(*) from groups)::int as groups`;
    expect(await run(counts)).toEqual([{ users: 1, models: 1, groups: 4 }]);
  });
});

const text = (value: string) => `'${value.replaceAll("'", "''")}'`;
const log = (after: string, kind = "update") =>
  `insert into watchfloor.change (feed, record, kind, before, after, actor)
   select id, 'odd', ${text(kind)}, ${text(after)}, ${text(after)}, '' from watchfloor.feed where table_name = 'groups';
   insert into watchfloor.marker (tx, since) values (pg_current_xact_id(), 0)`;
const group = (id: string, name: string) =>
  `insert into groups (id, name) values (${text(id)}, ${text(name)})`;

/** What another program, or a user of psql, may leave in the tables. */
const rows = {
  "a role without any sense": `insert into watchfloor.role (id, name, rights, grants) values ('odd', 'Odd', '7', '"all"');
    insert into watchfloor."user" (id, email, name, colour, role, status) values ('odd', 'odd@x.y', 'Odd', '', 'odd', 'active')`,
  "a user of no role, with odd attributes": `insert into watchfloor."user" (id, email, name, colour, role, attributes, status)
    values ('lost', '', '', 'javascript:', 'gone', '[1]', 'disabled')`,
  "a view of nothing": `insert into watchfloor.view (id, table_name, name, shared, look) values ('v', 'gone', '', true, '7'),
    ('w', 'groups', 'W', true, '{"filter":{"and":7}}')`,
  "a wallboard of nothing": `insert into watchfloor.wallboard (id, draft, published, published_version, scopes)
    values ('b', '7', '{"tiles":[null]}', 1, '[]'), ('c', '{"name":"C","tiles":[{"kind":"number"}]}', null, null, null)`,
  "a display of nothing": `insert into watchfloor.display (id, name, boards, dim) values ('d', '', '{gone,b}', '7')`,
  "events of security of no kind": `insert into watchfloor.security_event (kind, actor, detail) values ('odd', 'gone', '7')`,
  "changes that are no documents": log('"text"'),
  "changes of no kind": log("{}", "odd"),
  "a record whose id and text are signs of control": group("\u0001/../\u2028%00", "a\u0007\u202Eb"),
  "a record whose id is empty": group("", "Nameless"),
  "a record of very long text": `insert into incidents (id, notes) values ('long', repeat('x', 2000000))`,
  "a record whose id is very long": `insert into groups (id, name) values (repeat('y', 2000), 'Long id')`,
  "numbers and times that are none": `insert into services (id, name, monthly_cost) values ('nan', 'NaN', 'NaN');
    insert into incidents (id, opened_at, due_at) values ('times', 'infinity', '4713-01-01 BC')`,
};

describe("a server whose tables another program writes to", () => {
  let server: RunningServer;
  let client: ApiClient;
  beforeAll(async () => {
    const own = await (system as DatabaseKind).create();
    shared = own;
    server = await startServer(configOf(own.url, "service-desk"), silent);
    client = await signedInClient(server.url, {
      email: environment.WATCHFLOOR_OWNER_EMAIL,
      password: environment.WATCHFLOOR_OWNER_PASSWORD,
    });
  });
  afterAll(async () => {
    await server.stop();
    await shared.drop();
  });
  let shared: TestDatabase;

  const lists = ["users", "roles", "views", "wallboards", "displays", "security-events", "changes"];
  const reads = [
    ...lists,
    "tables/groups/records?search=a",
    "tables/incidents/records?sort=-due_at",
    "model",
  ];

  it.each(Object.entries(rows))(
    "answers everybody as before after %s",
    async (name, statements) => {
      await run(`begin; ${statements}; commit`, shared.url);
      const record = name.replaceAll(/\W/g, "-");
      const values = { name: record };
      const create = { values, record };
      const made = await client.call("POST", "/api/v1/tables/groups/records", create);
      expect([made.status, made.body.message]).toEqual([201, undefined]);
      const failed: string[] = [];
      for (const path of reads) {
        const { status } = await client.call("GET", `/api/v1/${path}`);
        if (status !== 200) failed.push(`${status} ${path}`);
      }
      expect(failed).toEqual([]);
      // the change is sent: an unreadable one does not block the relay
      const behind = async () =>
        (await (await fetch(`${server.url}/metrics`)).text()).match(
          /feed_lag_changes\{table="groups"\} (\d+)/,
        )?.[1];
      await expect.poll(behind).toBe("0");
    },
  );
});
