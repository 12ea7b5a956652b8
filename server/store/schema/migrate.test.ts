import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestDatabase } from "../../../e2e/provision/create-database.ts";
import { bothDatabases } from "../../../e2e/provision/databases.ts";
import type { Field, Table } from "../../../shared/model/model.ts";
import { claimFeed } from "../capture.ts";
import { type Database, openDatabase } from "../database.ts";
import { objectName } from "../object-name.ts";
import { migrate, migrateTo } from "./migrate.ts";

describe.each(bothDatabases)("a database of schema-1 on $name", (kind) => {
  let own: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    own = await kind.create();
    database = openDatabase({ connectionString: own.url, poolSize: 2, onError: () => {} });
    await database.pool.query("create schema watchfloor");
    await migrateTo(database.kysely, "schema-1");
    await database.pool.query(`insert into watchfloor.feed (table_name, table_id) values ('jobs', 'jobs');
      insert into watchfloor.change (feed, record, kind, after, actor)
        select 1, 'j' || n, 'insert', '{}', 'system:test' from generate_series(1, 100) n;
      insert into watchfloor.known_record select 1, record, gen_random_uuid() from watchfloor.change`);
  });
  afterAll(async () => {
    await database.close();
    await own.drop();
  });

  const rows = async (text: string) => (await database.pool.query(text)).rows;

  it("is left as it was where a view of another program depends on it, and says which", async () => {
    await database.pool.query("create view report as select record from watchfloor.change");
    await expect(migrate(database)).rejects.toThrow(/on view report depends .*Drop it/);
    expect(await rows("select name from watchfloor.migration")).toEqual([{ name: "schema-1" }]);
    await database.pool.query("drop view report");
  });

  it("is brought up to date with its log, which is not written anew", async () => {
    const log = "select pg_relation_filepath('watchfloor.change') as file";
    const before = await rows(log);
    await migrate(database);
    expect(await rows(log)).toEqual(before);
    expect(await rows("select count(*)::int as n from watchfloor.change")).toEqual([{ n: 100 }]);
    expect(await rows("select head, triggers from watchfloor.feed")).toEqual([
      { head: 0, triggers: null },
    ]);
    expect(await rows("select to_regclass('watchfloor.known_record') as gone")).toEqual([
      { gone: null },
    ]);
  });

  it("notifies on one channel, by each function that notified on another", async () => {
    const functions = (pattern: string) =>
      rows(`select proname from pg_proc where pronamespace = 'watchfloor'::regnamespace
        and prosrc ~ '${pattern}' order by 1`);
    expect(await functions("''watchfloor_(people|feed|views|wallboards)''")).toEqual([]);
    const notifying = await functions("pg_notify");
    expect(notifying).toContainEqual({ proname: "notify_account" });
    expect(await functions("pg_notify\\(''watchfloor_changed'', ")).toEqual(notifying);
  });

  it("has one collation for the ids of records, that of tables, so that joins use indexes", async () => {
    expect(
      await rows(`select c.relname from pg_attribute a join pg_class c on c.oid = a.attrelid
        join pg_collation l on l.oid = a.attcollation
        where c.relnamespace = 'watchfloor'::regnamespace and c.relkind = 'r'
          and a.attname = 'record' and l.collname <> 'C'`),
    ).toEqual([]);
    await database.pool.query(
      `create table jobs (id text collate "C" primary key); insert into jobs values ('j7')`,
    );
    // With another collation the condition on the record is a filter of what the index found of the feed.
    const [{ plan }] = (await rows(`set enable_seqscan = off; set enable_bitmapscan = off`)
      .then(() =>
        database.pool.query({
          text: `explain (format json) select from jobs j cross join lateral (select from watchfloor.change c
          where c.feed = 1 and c.record = j.id order by c.ord desc limit 1) l`,
          rowMode: "array",
        }),
      )
      .then((found) => [{ plan: JSON.stringify(found.rows) }])) as [{ plan: string }];
    expect(plan).toMatch(/Index Cond[^,]*feed = 1[^,]*record = j\.id/);
  });
});

describe.each(bothDatabases)("a table of schema-3 on $name", (kind) => {
  it("numbers its records as the log has them, those before it first, and logs the numbers of later ones", async () => {
    const own = await kind.create();
    const database = openDatabase({ connectionString: own.url, poolSize: 2, onError: () => {} });
    const run = async (text: string) => (await database.pool.query(text)).rows;
    await run("create schema watchfloor");
    await migrateTo(database.kysely, "schema-3");
    const fields = [{ name: "title", label: "Title", type: "text", indexed: true }];
    const texts = { label: "Jobs", recordLabel: "Job", display: "title", columns: [], sort: [] };
    const table: Table = { id: "jobs", name: "jobs", ...texts, fields: fields as Field[] };
    const index = objectName(table, table.fields[0] as Field, "index");
    await run(`create table jobs (id text collate "C" primary key default gen_random_uuid()::text, title text collate "C");
      create index "${index}" on jobs (title, id);
      insert into watchfloor.managed_table values ('jobs');
      insert into watchfloor.model (version, document, by)
        values (1, '${JSON.stringify({ version: 1, tables: [table] })}', 'system:test')`);
    await database.kysely.transaction().execute(async (trx) => {
      await claimFeed(trx, table);
      await sql`insert into jobs values ('y', 'older'), ('x', 'oldest')`.execute(trx);
      // The log of schema-3: without the column.
      await sql`insert into watchfloor.change (feed, record, kind, after, actor)
        select f.id, r.id, r.kind, '{}', 'system:test' from watchfloor.feed f,
          (values (1, 'z', 'insert'), (2, 'a', 'insert'), (3, 'x', 'update'), (4, 'z', 'delete'), (5, 'm', 'insert'),
            (6, 'z', 'insert')) as r (n, id, kind) order by r.n`.execute(trx);
      await sql`insert into jobs values ('a', 'second'), ('m', 'third'), ('z', 'first')`.execute(
        trx,
      );
    });
    await migrate(database);
    const inOrder = async () =>
      (await run("select id from jobs order by watchfloor_entry")).map(({ id }) => id).join(" ");
    expect(await inOrder()).toBe("x y z a m");
    expect(await run(`select to_regclass('"${index}"') as index`)).toEqual([{ index: null }]);
    await run("insert into jobs values ('b', 'fourth')");
    expect(await inOrder()).toBe("x y z a m b");
    await run("update jobs set title = 'changed' where id = 'a'");
    await run("delete from jobs where id = 'm'");
    expect(
      await run(
        "select record, kind, entry from watchfloor.change where entry is not null order by ord",
      ),
    ).toEqual([
      { record: "b", kind: "insert", entry: 6 },
      { record: "a", kind: "update", entry: 4 },
      { record: "m", kind: "delete", entry: 5 },
    ]);
    await database.close();
    await own.drop();
  });
});
