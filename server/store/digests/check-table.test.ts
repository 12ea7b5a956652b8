import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bothDatabases } from "../../../e2e/provision/databases.ts";
import { findTable, type Table } from "../../../shared/model/model.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "../../model/testing/model-environment.ts";
import { readSpan } from "../feed-log.ts";
import type { LogChange } from "../log-change.ts";
import { checkTable } from "./check-table.ts";
import { repairCapture } from "./repair-capture.ts";

describe.each(bothDatabases)("comparing a table with the log on $name", (kind) => {
  let desk: ModelEnvironment;
  let superuser: pg.Client;

  beforeAll(async () => {
    desk = await createModelEnvironment(kind);
    superuser = new pg.Client({ connectionString: desk.adminUrl });
    await superuser.connect();
    await desk.change((model) => {
      model.tables = [tableOf("jobs", [fieldOf("title"), fieldOf("amount")])];
    });
    await run(`insert into jobs (id, title, amount)
      select 'j' || n, 'job ' || n, n from generate_series(1, 2500) n`);
  });
  afterAll(async () => {
    await superuser.end();
    await desk[Symbol.asyncDispose]();
  });

  const run = (text: string) => desk.database.pool.query(text);
  const bypassing = (text: string) =>
    superuser.query(`begin; alter table jobs disable trigger all; ${text};
      alter table jobs enable trigger all; commit`);
  const jobs = () => findTable(desk.model(), "jobs") as Table;
  const check = () =>
    checkTable({ database: desk.database, rest: async () => {} }, jobs(), desk.model().version);
  const position = async () => {
    const { rows } = await run("select epoch, head from watchfloor.feed where table_name = 'jobs'");
    return rows[0] as { epoch: string; head: number };
  };
  const since = async (head: number): Promise<LogChange[]> =>
    (await readSpan(desk.database, "jobs", head, 5_000))?.changes ?? [];

  it("finds nothing if every change is in the log", async () => {
    expect(await check()).toEqual([]);
    await run("update jobs set title = 'other' where id = 'j7'");
    await run("update jobs set title = title where id = 'j8'");
    await run("delete from jobs where id = 'j9'");
    await run("update jobs set id = 'j0' where id = 'j10'");
    const before = await position();
    expect(await check()).toEqual([]);
    expect(await position()).toEqual(before);
  });

  it("logs what was changed with the triggers disabled, and begins another epoch", async () => {
    const { epoch, head } = await position();
    await bypassing(`update jobs set title = 'silent' where id = 'j2000';
      delete from jobs where id = 'j3'; insert into jobs (id, title) values ('new', 'silent')`);
    expect((await check()).toSorted()).toEqual(["j2000", "j3", "new"]);
    const changes = new Map((await since(head)).map((change) => [change.record, change]));
    expect(changes.get("j2000")).toMatchObject({
      kind: "update",
      before: { title: "job 2000" },
      after: { title: "silent", amount: "2000" },
      by: { kind: "system" },
    });
    expect(changes.get("j3")).toMatchObject({ kind: "delete", before: { title: "job 3" } });
    expect(changes.get("new")).toMatchObject({ kind: "insert", after: { title: "silent" } });
    expect((await position()).epoch).not.toBe(epoch);
    expect(await check()).toEqual([]);
    const { rows } = await run(
      "select kind, detail from watchfloor.security_event order by id desc limit 1",
    );
    expect(rows[0]).toEqual({
      kind: "capture_bypassed",
      detail: { table: "jobs", tableId: "jobs", count: 3, records: ["j2000", "j3", "new"] },
    });
  });

  it("finds a change of a record that the log no longer holds", async () => {
    await run("delete from watchfloor.numbering");
    await run("delete from watchfloor.change");
    expect(await check()).toEqual([]);
    await bypassing(
      "update jobs set title = 'unseen' where id = 'j5'; delete from jobs where id = 'j6'",
    );
    const { head } = await position();
    expect((await check()).toSorted()).toEqual(["j5", "j6"]);
    expect((await since(head)).map(({ kind, record }) => `${kind} ${record}`).toSorted()).toEqual([
      "delete j6",
      "update j5",
    ]);
  });

  it("captures the writes of a session in replica mode, once", async () => {
    // `enable trigger all` makes every trigger an ordinary one.
    expect(await repairCapture(desk.database, "jobs")).toBe(true);
    const { head } = await position();
    await superuser.query(`begin; set local session_replication_role = replica;
      update jobs set title = 'replicated' where id in ('j11', 'j12');
      insert into jobs (id, title) values ('copied', 'one'); delete from jobs where id = 'j13'; commit`);
    const changes = await since(head);
    expect(changes.map(({ kind, record }) => `${kind} ${record}`).toSorted()).toEqual([
      "delete j13",
      "insert copied",
      "update j11",
      "update j12",
    ]);
    expect(changes[0]?.before).toMatchObject({ title: "job 11" });
    expect(await check()).toEqual([]);
    await run("alter table jobs disable trigger user");
    await run("alter table jobs enable trigger user");
    await run("update jobs set title = 'after enabling' where id = 'j11'");
    expect((await since(head)).slice(changes.length)).toHaveLength(1);
  });

  it("installs triggers again that are missing or disabled", async () => {
    expect(await repairCapture(desk.database, "jobs")).toBe(true);
    expect(await repairCapture(desk.database, "jobs")).toBe(false);
    await superuser.query("alter table jobs disable trigger all");
    await run("drop trigger watchfloor_update on jobs");
    await run("update jobs set title = 'lost' where id = 'j14'");
    expect(await repairCapture(desk.database, "jobs")).toBe(true);
    const { head } = await position();
    await run("update jobs set title = 'noted' where id = 'j15'");
    expect(await since(head)).toHaveLength(1);
    expect(await check()).toEqual(["j14"]);
  });

  it("does not mistake a change of the model for a change of records", async () => {
    await desk.change((model) => {
      const fields = model.tables[0]?.fields ?? [];
      fields.push(fieldOf("area", { default: "north" }));
      fields.push(fieldOf("changed", { type: "timestamp", recorded: "updatedAt" }));
      const amount = fields.find(({ name }) => name === "amount");
      if (amount) amount.type = "integer";
    });
    expect(await check()).toEqual([]);
    expect(await check()).toEqual([]);
    await bypassing("update jobs set amount = 7 where id = 'j16'");
    expect(await check()).toEqual(["j16"]);
  });

  it("installs the stamps of recorded fields again", async () => {
    expect(await repairCapture(desk.database, "jobs")).toBe(true);
    await run("alter table jobs disable trigger watchfloor_stamp");
    expect(await repairCapture(desk.database, "jobs")).toBe(true);
    await run("update jobs set title = 'stamped' where id = 'j17'");
    const { rows } = await run("select changed is not null as is from jobs where id = 'j17'");
    expect(rows).toEqual([{ is: true }]);
    expect(await repairCapture(desk.database, "jobs")).toBe(false);
  });

  it("finds a table that was emptied without the triggers, and nothing if it was truncated", async () => {
    const { rows } = await run("select count(*)::int as n from jobs");
    await bypassing("truncate jobs");
    expect(await check()).toHaveLength(rows[0]?.n);
    expect(await check()).toEqual([]);
    await run("insert into jobs (id, title) values ('last', 'one')");
    expect(await check()).toEqual([]);
    await run("truncate jobs");
    expect(await check()).toEqual([]);
    expect(await check()).toEqual([]);
  });
});
