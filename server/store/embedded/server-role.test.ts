import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { embeddedEnvironment, query, self } from "./testing/embedded-environment.ts";

const environment = embeddedEnvironment();
const { haveData, hold, publishedUrl } = environment;

describe("the role of the server", () => {
  /** As the superuser, whose password is only in the data folder. */
  async function superuserUrl(): Promise<string> {
    const url = new URL(await publishedUrl());
    url.username = "watchfloor";
    const file = join(environment.dataDir, "postgres", "data", "watchfloor-password");
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
