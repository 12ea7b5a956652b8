import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "../model/testing/model-environment.ts";
import {
  disabledTriggers,
  endInterruption,
  endOwnInterruption,
  findInterruptions,
  tablesWithoutCapture,
} from "./capture-check.ts";
import { readSpan } from "./feed-log.ts";

let desk: ModelEnvironment;
let superuser: pg.Client;

const open = (kind: (typeof databases)[number]) => async () => {
  desk = await createModelEnvironment(kind);
  superuser = new pg.Client({ connectionString: desk.adminUrl });
  await superuser.connect();
  await desk.change((model) => {
    model.tables = ["jobs", "tasks", "parts"].map((name) => tableOf(name, [fieldOf("title")]));
  });
  await run("insert into jobs (id, title) values ('j1', 'one')");
};
const close = async () => {
  await superuser.end();
  await desk[Symbol.asyncDispose]();
};

const run = (text: string) => superuser.query(text);
/** What is found, as tables whose triggers are off or only were; afterwards it is ended. */
const check = async () => {
  const found = await findInterruptions(desk.database.kysely);
  for (const one of found) await endInterruption(desk.database, one);
  return found.map(({ table, isOff }) => `${table} ${isOff ? "is off" : "was off"}`);
};
const position = async (table: string) => {
  const { rows } = await superuser.query(
    "select epoch, head::int from watchfloor.feed where table_name = $1",
    [table],
  );
  return rows[0] as { epoch: string; head: number };
};
const since = async (table: string, seq: number) =>
  ((await readSpan(desk.database, table, seq, 5_000))?.changes ?? []).map(
    (change) => `${change.seq - seq} ${change.kind} ${change.record} ${change.after?.title ?? ""}`,
  );
const newestEvent = async () => {
  const { rows } = await run(
    "select kind, detail from watchfloor.security_event order by id desc limit 1",
  );
  return rows[0];
};

describe.each(databases)("triggers of the model's tables on $name", (kind) => {
  beforeAll(open(kind));
  afterAll(close);
  beforeEach(async () => {
    expect(await check()).toEqual([]);
  });

  it("were off if one was disabled and enabled again: another epoch begins and the event names the table", async () => {
    const [jobs, tasks] = [await position("jobs"), await position("tasks")];
    await run(`begin; alter table jobs disable trigger watchfloor_update;
      update jobs set title = 'silent'; alter table jobs enable trigger watchfloor_update; commit`);
    expect(await check()).toEqual(["jobs was off"]);
    expect((await position("jobs")).epoch).not.toBe(jobs.epoch);
    expect(await position("tasks")).toEqual(tasks);
    expect(await newestEvent()).toEqual({
      kind: "capture_bypassed",
      detail: { table: "jobs", tableId: "jobs" },
    });
  });

  it.each([
    ["disabled", "alter table jobs disable trigger all"],
    ["dropped", "drop trigger watchfloor_insert on jobs"],
    ["ordinary after enabling all", "alter table jobs enable trigger all"],
  ])("are off if one is %s, and installed again", async (_, statement) => {
    const { epoch } = await position("jobs");
    await run(statement);
    expect(await tablesWithoutCapture(desk.database.kysely)).toEqual(["jobs"]);
    expect(await check()).toEqual(["jobs is off"]);
    expect((await position("jobs")).epoch).not.toBe(epoch);
    expect((await newestEvent()).kind).toBe("capture_restored");
    const { head } = await position("jobs");
    await run(
      "insert into jobs (id, title) values ('j2', 'captured'); delete from jobs where id = 'j2'",
    );
    expect(await since("jobs", head)).toEqual(["1 insert j2 captured", "2 delete j2 "]);
  });

  it("are unchanged by freezing, rewriting of the catalogue, and what the model and restores do", async () => {
    await run("vacuum (freeze) pg_catalog.pg_trigger");
    await run("vacuum full pg_catalog.pg_trigger");
    await run("alter table jobs add column other text; alter table jobs drop column other");
    await run("truncate jobs");
    await desk.change(({ tables }) => {
      tables[0]?.fields.push(fieldOf("changed", { type: "timestamp", recorded: "updatedAt" }));
      tables[1]?.fields.push(fieldOf("amount"));
    });
    await desk.change(({ tables }) => {
      tables[0]?.fields.pop();
      const [jobs, tasks] = tables;
      if (jobs && tasks) [jobs.name, tasks.name] = [tasks.name, jobs.name];
    });
    await desk.change(({ tables }) => {
      const [tasks, jobs] = tables;
      if (jobs && tasks) [jobs.name, tasks.name] = [tasks.name, jobs.name];
    });
  });

  it("are known to have been off also where a change of the model comes before the check", async () => {
    await run(`begin; alter table tasks disable trigger user; insert into tasks (id) values ('t9');
      alter table tasks enable trigger user; commit`);
    await desk.change(({ tables }) => {
      tables[1]?.fields.push(fieldOf("stamped", { type: "timestamp", recorded: "createdAt" }));
    });
    expect(await newestEvent()).toMatchObject({
      kind: "capture_restored",
      detail: { tableId: "tasks" },
    });
  });

  it("stamp recorded fields, and are off without that", async () => {
    await run("alter table tasks disable trigger watchfloor_stamp");
    expect(await check()).toEqual(["tasks is off"]);
    const { rows } = await run(
      "insert into tasks (id) values ('t8') returning stamped is not null as is",
    );
    expect(rows).toEqual([{ is: true }]);
  });

  it("capture the writes of a session in replica mode, once", async () => {
    await run("insert into jobs (id, title) values ('j3', 'three')");
    const { head } = await position("jobs");
    await run(`begin; set local session_replication_role = replica;
      update jobs set title = 'replicated' where id = 'j3';
      insert into jobs (id, title) values ('j4', 'copied'); delete from jobs where id = 'j3'; commit`);
    expect(await since("jobs", head)).toEqual([
      "1 update j3 replicated",
      "2 insert j4 copied",
      "3 delete j3 ",
    ]);
    await run("update jobs set title = 'usual' where id = 'j4'");
    expect(await since("jobs", head + 3)).toEqual(["1 update j4 usual"]);
  });

  it("are taken as they are by the first check of a database that was brought up to date", async () => {
    const before = await position("jobs");
    await run("update watchfloor.feed set triggers = null");
    expect(await check()).toEqual([]);
    expect(await position("jobs")).toEqual(before);
    const { rows } = await run("select from watchfloor.feed where triggers is null");
    expect(rows).toEqual([]);
  });

  it("are those of another table if it was dropped and created again", async () => {
    await desk.database.pool.query("create table public.copy (like public.parts including all)");
    await desk.database.pool.query("drop table public.parts");
    await desk.database.pool.query("alter table public.copy rename to parts");
    expect(await check()).toEqual(["parts is off"]);
  });
});

describe.each(databases)("triggers of Watchfloor's own tables on $name", (kind) => {
  beforeAll(open(kind));
  afterAll(close);

  const repair = () => endOwnInterruption(desk.database);

  it("are enabled again where they number changes, and those made meanwhile are numbered", async () => {
    expect(await repair()).toEqual([]);
    expect(await repair()).toEqual([]);
    const [jobs, tasks] = [await position("jobs"), await position("tasks")];
    await run("alter table watchfloor.marker disable trigger number_changes");
    await run("insert into jobs (id, title) values ('j2', 'unnumbered')");
    await run(`begin; update jobs set title = 'changed' where id = 'j2';
      insert into tasks (id, title) values ('t1', 'together'); commit`);
    await run("update jobs set title = 'again' where id = 'j2'");
    expect([await position("jobs"), await position("tasks")]).toEqual([jobs, tasks]);
    expect(await disabledTriggers(desk.database.kysely)).toEqual([
      "watchfloor.marker number_changes",
    ]);
    expect(await repair()).toEqual(["watchfloor.marker number_changes"]);
    await run("delete from jobs where id = 'j2'");
    expect(await since("jobs", jobs.head)).toEqual([
      "1 insert j2 unnumbered",
      "2 update j2 changed",
      "3 update j2 again",
      "4 delete j2 ",
    ]);
    expect(await since("tasks", tasks.head)).toEqual(["1 insert t1 together"]);
    expect(await repair()).toEqual([]);
  });

  it("were off: what was not numbered meanwhile is, though they are enabled again", async () => {
    const { head } = await position("jobs");
    await run("alter table watchfloor.marker disable trigger number_changes");
    await run("insert into jobs (id, title) values ('j5', 'in between')");
    await run("alter table watchfloor.marker enable always trigger number_changes");
    expect(await since("jobs", head)).toEqual([]);
    expect(await repair()).toEqual(["watchfloor"]);
    expect(await since("jobs", head)).toEqual(["1 insert j5 in between"]);
    expect(await newestEvent()).toMatchObject({ kind: "capture_bypassed" });
    expect(await repair()).toEqual([]);
  });

  it("number the changes of a transaction that was open when they were to be enabled", async () => {
    const { head } = await position("jobs");
    await run("alter table watchfloor.marker disable trigger number_changes");
    await run("begin; insert into jobs (id, title) values ('j3', 'open')");
    await expect(repair()).rejects.toThrow("lock timeout");
    await run("commit");
    expect(await repair()).toEqual(["watchfloor.marker number_changes"]);
    expect(await since("jobs", head)).toEqual(["1 insert j3 open"]);
  });

  it("are unchanged by a table that has none of them, as a later version may bring", async () => {
    await run(`create table watchfloor.later (
      author text references watchfloor."user" (id) on delete cascade)`);
    expect(await repair()).toEqual([]);
    await run("drop table watchfloor.later");
    expect(await repair()).toEqual([]);
  });

  it("are enabled for replica sessions again where these must not escape them", async () => {
    await run("alter table watchfloor.marker enable trigger all");
    await run('alter table watchfloor."user" disable trigger all');
    const found = await disabledTriggers(desk.database.kysely);
    expect(found).toEqual(
      expect.arrayContaining(["watchfloor.marker number_changes", "watchfloor.user count_rights"]),
    );
    expect(await repair()).toEqual(found);
    const { head } = await position("jobs");
    await run(`begin; set local session_replication_role = replica;
      insert into jobs (id, title) values ('j4', 'replicated'); commit`);
    expect(await since("jobs", head)).toEqual(["1 insert j4 replicated"]);
    expect(await repair()).toEqual([]);
  });
});
