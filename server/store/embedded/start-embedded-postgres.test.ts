import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { chmod, mkdir, open, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TempFolder, tempFolder } from "../../../e2e/provision/temp-folder.ts";
import { sharedHome } from "./cluster-folders.ts";
import { isAlive } from "./postmaster-file.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./start-embedded-postgres.ts";
import { type Holder, holdDatabase, type Who } from "./testing/database-holder.ts";

let ready: TempFolder;
let folder: TempFolder;
let dataDir: string;
let holders: Holder[];

/** One cluster for the tests that are not about creating one, which is the slowest part. */
beforeAll(async () => {
  ready = await tempFolder();
  const holder = await holdDatabase(self, join(ready.path, "data"));
  await holder.stop();
});
afterAll(() => ready.drop());

beforeEach(async () => {
  folder = await tempFolder();
  dataDir = join(folder.path, "data");
  holders = [];
});

afterEach(async () => {
  for (const holder of holders) await holder.stop();
  folder.drop();
});

const self: Who = process.getuid?.() === 0 ? "root" : "an ordinary user";

/** The test's data exist already, as an earlier server left them. */
async function haveData(): Promise<void> {
  const [from, to] = [ready.path, folder.path].map((path) => join(path, "data/postgres"));
  await mkdir(to as string, { recursive: true, mode: 0o700 });
  // Of a thousand small files `cp` makes a copy in a tenth of the time that Node takes.
  execFileSync("cp", ["-R", join(from as string, "data"), join(to as string, "data")]);
}

async function hold(caller: Who, ...more: string[]): Promise<Holder> {
  const holder = await holdDatabase(caller, dataDir, ...more);
  holders.push(holder);
  return holder;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(text);
  await client.end();
  return rows;
}

/** What an outsider reads to connect. */
async function publishedUrl(): Promise<string> {
  return (await readFile(join(dataDir, "postgres", "connection"), "utf8")).trim();
}

const postmasterFile = () => join(dataDir, "postgres", "data", "postmaster.pid");
const postmasterPid = () => Number.parseInt(readFileSync(postmasterFile(), "utf8"), 10);

/** The processes that would stop the Postgres of this test. */
function watchers(): string[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => {
    const file = `/proc/${pid}/cmdline`;
    const content = existsSync(file) ? readFileSync(file, "utf8") : "";
    return content.includes("stop-when-orphaned") && content.includes(dataDir);
  });
}

/** Returns as soon as the database answers. */
async function eventually(text: string): Promise<Record<string, unknown>[]> {
  for (;;) {
    try {
      return await query(await publishedUrl(), text);
    } catch {
      await sleep(20);
    }
  }
}

describe.each(["root", "an ordinary user"] as const)(
  "the embedded Postgres, run by %s",
  (caller) => {
    it("creates its data, stops, and has everything when it starts again", async () => {
      const first = await hold(caller);
      await query(first.connection, "CREATE TABLE note AS SELECT 'stored' AS text");
      await first.stop();
      const second = await hold(caller);
      expect(second.adopted).toBe(false);
      expect(await query(second.connection, "SELECT text FROM note")).toEqual([{ text: "stored" }]);
    });

    it("is adopted by the next server when its own was killed", async () => {
      await haveData();
      const first = await hold(caller);
      const pid = postmasterPid();
      await first.kill();
      const second = await hold(caller);
      expect(second).toMatchObject({ adopted: true, connection: first.connection });
      expect(postmasterPid()).toBe(pid);
      await second.stop();
      expect(await isAlive(pid)).toBe(false);
    });

    it("is stopped cleanly when its server was killed and none comes back", async () => {
      await haveData();
      const first = await hold(caller, "grace=200");
      await query(first.connection, "CREATE TABLE note AS SELECT 'stored' AS text");
      const pid = postmasterPid();
      await first.kill();
      await expect.poll(() => isAlive(pid)).toBe(false);
      await expect.poll(() => existsSync(join(dataDir, "postgres", "connection"))).toBe(false);
      const second = await hold(caller);
      expect(await query(second.connection, "SELECT text FROM note")).toEqual([{ text: "stored" }]);
      const log = await readFile(join(dataDir, "postgres", "postgres.log"), "utf8");
      expect(log).not.toContain("not properly shut down");
    });

    it("continues under the next server, and is stopped when that one was killed too", async () => {
      await haveData();
      // Long enough for the next server to start on a busy machine.
      const first = await hold(caller, "grace=5000");
      const pid = postmasterPid();
      await first.kill();
      const second = await hold(caller, "grace=1000");
      expect(second.adopted).toBe(true);
      // the watcher of the first server has ended, that of the second waits
      await expect.poll(watchers).toHaveLength(1);
      expect(await query(second.connection, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
      expect(postmasterPid()).toBe(pid);
      await second.kill();
      await expect.poll(() => isAlive(pid)).toBe(false);
      await expect.poll(watchers).toHaveLength(0);
    });

    it("recovers when everything was killed and its process id belongs to another program", async () => {
      await haveData();
      const first = await hold(caller);
      await query(first.connection, "CREATE TABLE note AS SELECT 'stored' AS text");
      process.kill(postmasterPid(), "SIGKILL");
      await first.kill();
      const other = spawn("sleep", ["60"]);
      const lines = readFileSync(postmasterFile(), "utf8").split("\n");
      await writeFile(postmasterFile(), [other.pid, ...lines.slice(1)].join("\n"));
      const second = await hold(caller);
      other.kill();
      expect(await query(second.connection, "SELECT text FROM note")).toEqual([{ text: "stored" }]);
    });

    it("works below a folder that only its owner may enter, and under a path too long for a socket", async () => {
      const closed = join(folder.path, "closed");
      await mkdir(closed, { mode: 0o700 });
      dataDir = join(closed, "long-".repeat(30), "data");
      await hold(caller);
      const url = await publishedUrl();
      const socketFolder = new URL(url).searchParams.get("host") ?? "";
      expect(Buffer.byteLength(socketFolder)).toBeLessThan(80);
      expect(statSync(socketFolder).mode & 0o777).toBe(0o700);
      expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    });
  },
);

describe("the embedded Postgres, whoever runs it", () => {
  it("accepts other programs by a file that only its owner reads, and nobody without a password", async () => {
    await haveData();
    await hold(self);
    const url = await publishedUrl();
    const rows = await query(
      url,
      `SELECT upper('ä') AS upper, current_setting('fsync') AS fsync,
       current_setting('TimeZone') AS zone, current_setting('server_encoding') AS encoding`,
    );
    expect(rows).toEqual([{ upper: "Ä", fsync: "on", zone: "UTC", encoding: "UTF8" }]);
    expect(statSync(join(dataDir, "postgres", "connection")).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, "postgres")).mode & 0o777).toBe(0o700);
    const outsider = new URL(url);
    outsider.password = "guess";
    await expect(query(outsider.href, "SELECT 1")).rejects.toThrow("password authentication");
  });

  it("refuses a second server on the same data with one clear sentence", async () => {
    await haveData();
    const first = await hold(self);
    const second = await hold(self);
    expect(second.refused).toMatch(
      /^Another Watchfloor server \(process \d+\) is already running on /,
    );
    expect(second.refused).toContain(String(first.pid));
    expect(await query(first.connection, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("lets exactly one of three simultaneous first starts win", async () => {
    const all = await Promise.all([hold(self), hold(self), hold(self)]);
    expect(all.filter((holder) => !holder.refused)).toHaveLength(1);
    expect(await query(await publishedUrl(), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("is restarted under a running server when Postgres itself was killed", async () => {
    await haveData();
    const { connection } = await hold(self);
    const pid = postmasterPid();
    process.kill(pid, "SIGKILL");
    expect(await eventually("SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(postmasterPid()).not.toBe(pid);
    expect(await publishedUrl()).toBe(connection);
  });

  describe("under a server that fails to restart it", () => {
    const lost: Error[] = [];
    const said: string[] = [];
    let postgres: EmbeddedPostgres;

    beforeEach(async () => {
      await haveData();
      lost.splice(0);
      said.splice(0);
      const note = (text: string) => void said.push(text);
      const log = { info: note, warn: note };
      postgres = await startEmbeddedPostgres({ dataDir, log, onLost: (why) => lost.push(why) });
    });
    afterEach(() => postgres.stop());

    async function isUp(): Promise<boolean> {
      const rows = await query(postgres.connection, "SELECT 1 AS one").catch(() => []);
      return rows.length === 1;
    }

    it("does not mistake itself for another server that holds the data", async () => {
      const published = join(dataDir, "postgres", "connection");
      await rm(published);
      await mkdir(join(published, "in the way"), { recursive: true });
      process.kill(postmasterPid(), "SIGKILL");
      const failed = () => said.filter((text) => text.includes("not back yet")).length;
      await expect.poll(() => failed() > 2 || lost.length > 0).toBe(true);
      expect(lost).toEqual([]);
      await rm(published, { recursive: true });
      await expect.poll(() => said.at(-1)).toBe("The embedded database is back.");
      expect(await isUp()).toBe(true);
    });

    it("detects that it went away again before it was back", async () => {
      const temporaryPath = join(dataDir, "postgres", `connection.${process.pid}`);
      execFileSync("mkfifo", [temporaryPath]);
      process.kill(postmasterPid(), "SIGKILL");
      await expect.poll(isUp).toBe(false);
      // it owns the data again, and waits for its output to be read
      const owners = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted";
      const owned = () => query(postgres.connection, owners).catch(() => []);
      await expect.poll(owned).toHaveLength(1);
      process.kill(postmasterPid(), "SIGKILL");
      await expect.poll(isUp).toBe(false);
      const reading = await open(temporaryPath, "r");
      await expect.poll(isUp).toBe(true);
      await reading.close();
      expect(lost).toEqual([]);
    });
  });
});

// Without root there is no other account to change to.
const onlyAsRoot = process.getuid?.() === 0 ? (["open", "closed"] as const) : [];

describe.each(onlyAsRoot)("where user namespaces are refused, in an %s folder", (kind) => {
  it("root changes to another account and finds its data again", async () => {
    const hadSharedHome = existsSync(sharedHome);
    await chmod(folder.path, kind === "open" ? 0o711 : 0o700);
    const first = await hold("root", "namespace");
    expect(first.refused).toBeUndefined();
    await query(first.connection, "CREATE TABLE note AS SELECT 'stored' AS text");
    const home = await realpath(join(dataDir, "postgres"));
    expect(statSync(join(home, "data")).uid).not.toBe(0);
    await first.stop();
    const second = await hold("root", "namespace");
    expect(await query(second.connection, "SELECT text FROM note")).toEqual([{ text: "stored" }]);
    await second.stop();
    await rm(home, { recursive: true });
    if (!hadSharedHome) await rm(sharedHome, { recursive: true, force: true });
  });
});

describe("the role of the server", () => {
  /** As the superuser, whose password is only in the data folder. */
  async function superuserUrl(): Promise<string> {
    const url = new URL(await publishedUrl());
    url.username = "watchfloor";
    const file = join(dataDir, "postgres", "data", "watchfloor-password");
    url.password = (await readFile(file, "utf8")).trim();
    return url.href;
  }

  it("owns the database and may neither read files nor run programs", async () => {
    await haveData();
    const { connection } = await hold(self);
    const [role] = await query(
      connection,
      `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
        pg_get_userbyid((select datdba from pg_database where datname = current_database())) as owner
       from pg_roles where rolname = current_user`,
    );
    const no = { rolsuper: false, rolcreaterole: false, rolcreatedb: false };
    const never = { rolreplication: false, rolbypassrls: false };
    expect(role).toEqual({ ...no, ...never, owner: "watchfloor_server" });
    for (const forbidden of [
      "select pg_read_file('/etc/hostname')",
      "copy (select 1) to program 'true'",
      "create table got (line text); copy got from '/etc/hostname'",
      "alter role watchfloor_server superuser",
      "set role watchfloor",
      "select rolpassword from pg_authid",
    ]) {
      await expect(query(connection, forbidden)).rejects.toThrow(/permission denied|must be/);
    }
  });

  it("is the role of every session of the server", async () => {
    await haveData();
    await hold(self);
    const sessions = await query(
      await superuserUrl(),
      `select distinct usename::text as user from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    expect(sessions).toEqual([{ user: "watchfloor_server" }]);
  });

  it("takes over everything that the superuser of an older release owned", async () => {
    await haveData();
    const first = await hold(self);
    await query(
      await superuserUrl(),
      `alter database watchfloor owner to watchfloor;
       reassign owned by watchfloor_server to watchfloor;
       create schema "odd ""schema";
       create table public.plain (id bigserial primary key, n int generated always as identity);
       insert into plain default values;
       create table "odd ""schema"."odd ""table" (id int);
       create table parted (id int) partition by list (id);
       create table parted_1 partition of parted for values in (1);
       create view seen as select * from plain;
       create materialized view snapshot as select 1 as one;
       create sequence counting;
       create type mood as enum ('good'); create domain short as text; create type pair as (a int, b int);
       create function twice(int) returns int language sql return $1 * 2;
       create procedure nothing() language sql as 'select 1';
       create aggregate total(int) (sfunc = int4pl, stype = int);
       drop role watchfloor_server`,
    );
    await first.stop();
    const second = await hold(self);
    expect(second.refused).toBeUndefined();
    const left = await query(
      second.connection,
      `select relname::text as name from pg_class c join pg_namespace n on n.oid = relnamespace
        where relowner = 'watchfloor'::regrole and nspname !~ '^pg_' and nspname <> 'information_schema'
       union all select typname from pg_type t join pg_namespace n on n.oid = typnamespace
        where typowner = 'watchfloor'::regrole and nspname !~ '^pg_' and nspname <> 'information_schema'
       union all select proname from pg_proc p join pg_namespace n on n.oid = pronamespace
        where proowner = 'watchfloor'::regrole and nspname !~ '^pg_' and nspname <> 'information_schema'`,
    );
    expect(left).toEqual([]);
    await query(second.connection, "alter table plain add column more text; drop view seen");
  });
});
