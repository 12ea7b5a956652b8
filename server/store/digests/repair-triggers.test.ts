import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bothDatabases } from "../../../e2e/provision/databases.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "../../model/testing/model-environment.ts";
import { readSpan } from "../feed-log.ts";
import { disabledTriggers, repairTriggers } from "./repair-triggers.ts";

describe.each(bothDatabases)("triggers of Watchfloor's own tables on $name", (kind) => {
  let desk: ModelEnvironment;
  let superuser: pg.Client;

  beforeAll(async () => {
    desk = await createModelEnvironment(kind);
    superuser = new pg.Client({ connectionString: desk.adminUrl });
    await superuser.connect();
    await desk.change((model) => {
      model.tables = [tableOf("jobs", [fieldOf("title")]), tableOf("tasks", [fieldOf("title")])];
    });
    await superuser.query("insert into jobs (id, title) values ('j1', 'numbered')");
  });
  afterAll(async () => {
    await superuser.end();
    await desk[Symbol.asyncDispose]();
  });

  const repair = () => repairTriggers(desk.database);
  const head = async (table: string): Promise<number> => {
    const { rows } = await superuser.query(
      "select head::int from watchfloor.feed where table_name = $1",
      [table],
    );
    return rows[0]?.head;
  };
  const since = async (table: string, seq: number) =>
    ((await readSpan(desk.database, table, seq, 5_000))?.changes ?? []).map(
      (change) =>
        `${change.seq - seq} ${change.kind} ${change.record} ${change.after?.title ?? ""}`,
    );

  it("are enabled again where they number changes, and those made meanwhile are numbered", async () => {
    expect(await repair()).toEqual([]);
    const [jobs, tasks] = [await head("jobs"), await head("tasks")];
    await superuser.query("alter table watchfloor.marker disable trigger number_changes");
    await superuser.query("insert into jobs (id, title) values ('j2', 'unnumbered')");
    await superuser.query(`begin; update jobs set title = 'changed' where id = 'j2';
      insert into tasks (id, title) values ('t1', 'together'); commit`);
    await superuser.query("update jobs set title = 'again' where id = 'j2'");
    expect([await head("jobs"), await head("tasks")]).toEqual([jobs, tasks]);
    expect(await repair()).toEqual(["watchfloor.marker number_changes"]);
    await superuser.query("delete from jobs where id = 'j2'");
    expect(await since("jobs", jobs)).toEqual([
      "1 insert j2 unnumbered",
      "2 update j2 changed",
      "3 update j2 again",
      "4 delete j2 ",
    ]);
    expect(await since("tasks", tasks)).toEqual(["1 insert t1 together"]);
    expect(await repair()).toEqual([]);
  });

  it("number the changes of a transaction that was open when they were to be enabled", async () => {
    const jobs = await head("jobs");
    await superuser.query("alter table watchfloor.marker disable trigger number_changes");
    await superuser.query("begin; insert into jobs (id, title) values ('j3', 'open')");
    await expect(repair()).rejects.toThrow("lock timeout");
    await superuser.query("commit");
    expect(await repair()).toEqual(["watchfloor.marker number_changes"]);
    expect(await since("jobs", jobs)).toEqual(["1 insert j3 open"]);
  });

  it("are enabled for replica sessions again where these must not escape them", async () => {
    await superuser.query("alter table watchfloor.marker enable trigger all");
    await superuser.query('alter table watchfloor."user" disable trigger all');
    const found = (await disabledTriggers(desk.database.kysely)).map(
      ({ table, trigger }) => `watchfloor.${table} ${trigger}`,
    );
    expect(found).toEqual(
      expect.arrayContaining(["watchfloor.marker number_changes", "watchfloor.user count_rights"]),
    );
    expect(await repair()).toEqual(found);
    const jobs = await head("jobs");
    await superuser.query(`begin; set local session_replication_role = replica;
      insert into jobs (id, title) values ('j4', 'replicated'); commit`);
    expect(await since("jobs", jobs)).toEqual(["1 insert j4 replicated"]);
    expect(await repair()).toEqual([]);
  });
});
