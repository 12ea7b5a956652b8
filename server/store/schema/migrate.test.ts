import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestDatabase } from "../../../e2e/provision/create-database.ts";
import { bothDatabases } from "../../../e2e/provision/databases.ts";
import { type Database, openDatabase } from "../database.ts";
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
