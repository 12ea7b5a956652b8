import { describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { readFeedStates, readSpan } from "./feed-log.ts";
import { sweepLog } from "./sweep-log.ts";
import { createStoreEnvironment } from "./testing/store-environment.ts";

const HOUR_MS = 3_600_000;

describe.each(databases)("sweeping the log on $name", (kind) => {
  it("deletes older changes, retains newer ones, and says how far back it reaches", async () => {
    await using environment = await createStoreEnvironment(kind);
    const run = (text: string) => environment.database.pool.query(text);
    await run("insert into incidents (id) select 'old' || g from generate_series(1, 20) g");
    await run("update watchfloor.numbering set at = now() - interval '2 hours'");
    await run("insert into incidents (id) values ('young')");
    await sweepLog(environment.database, HOUR_MS);

    const states = await readFeedStates(environment.database);
    expect(states.find((state) => state.table === "incidents")).toMatchObject({
      floor: 20,
      head: 21,
    });
    const span = await readSpan(environment.database, "incidents", 20, 100);
    expect(span?.changes.map(({ record, seq }) => [record, seq])).toEqual([["young", 21]]);
    const { rows } = await environment.database.pool.query(
      "select count(*) as left from watchfloor.change",
    );
    expect(rows[0].left).toBe(1);
  });

  it("deletes more transactions than one statement takes, of several feeds at once", async () => {
    await using environment = await createStoreEnvironment(kind);
    const run = (text: string) => environment.database.pool.query(text);
    await run(`do $$ begin for i in 1..1100 loop
      insert into incidents (id) values (i); insert into groups (id, name) values (i, i);
      set constraints all immediate; set constraints all deferred; end loop; end $$`);
    await run("update watchfloor.numbering set at = now() - interval '2 hours' where upto <= 1050");
    await sweepLog(environment.database, HOUR_MS);
    const { rows } = await run(`select f.table_name, f.floor, count(n.upto)::int as left
      from watchfloor.feed f join watchfloor.numbering n on n.feed = f.id group by 1, 2 order by 1`);
    expect(rows).toEqual(
      ["groups", "incidents"].map((table_name) => ({ table_name, floor: 1050, left: 50 })),
    );
  });

  it("retains newer changes whatever the floor says, and deletes the log of removed tables by age", async () => {
    await using environment = await createStoreEnvironment(kind);
    const run = (text: string) => environment.database.pool.query(text);
    const left = async () =>
      (await run("select count(*) as left from watchfloor.change")).rows[0].left;
    await run("insert into groups (id, name) select g, g from generate_series(1, 20) g");
    await run("update watchfloor.feed set floor = head, table_name = nullif(table_name, 'groups')");
    await sweepLog(environment.database, HOUR_MS);
    expect(await left()).toBe(20);
    await run("update watchfloor.numbering set at = now() - interval '2 hours'");
    await sweepLog(environment.database, HOUR_MS);
    expect(await left()).toBe(0);
    const { rows } = await run("select 1 from watchfloor.feed where table_name is null");
    expect(rows).toEqual([]);
  });
});
