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
});
