import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
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

  it.each([true, false])(
    "deletes six hours at a time if all are old at once (to the archive: %s)",
    async (isArchived) => {
      await using environment = await createStoreEnvironment(kind);
      const folder = await mkdtemp(join(tmpdir(), "archive-"));
      const run = async (text: string) => (await environment.database.pool.query(text)).rows;
      await run(`do $$ begin for i in 1..20 loop
      insert into incidents (id) values (i);
      set constraints all immediate; set constraints all deferred; end loop; end $$`);
      await run(
        `update watchfloor.numbering set at = now() - interval '90 days' + upto * interval '1 hour'`,
      );
      await run(`insert into watchfloor.mutation (author, id, hash, results, at)
      select 'user:a', upto, '', '[]', at from watchfloor.numbering`);
      const left = [];
      for (let sweep = 0; sweep < 4; sweep += 1) {
        await sweepLog(environment.database, HOUR_MS, isArchived ? folder : undefined);
        left.push(
          ...(await run(`select f.floor, (select count(*)::int from watchfloor.change) as changes,
        (select count(*)::int from watchfloor.mutation) as mutations
        from watchfloor.feed f where f.table_name = 'incidents'`)),
        );
      }
      expect(left).toEqual(
        [6, 12, 18, 20].map((floor) => ({ floor, changes: 20 - floor, mutations: 20 - floor })),
      );
      await rm(folder, { recursive: true });
    },
  );

  it("writes changes to the archive before it deletes them, and deletes none that it can't write", async () => {
    await using environment = await createStoreEnvironment(kind);
    const folder = await mkdtemp(join(tmpdir(), "archive-"));
    const run = (text: string) => environment.database.pool.query(text);
    const count = async () =>
      (await run("select count(*) as left from watchfloor.change")).rows[0].left;
    await run(`do $$ begin for i in 1..30 loop
      insert into groups (id, name) values (i, 'group ' || i);
      set constraints all immediate; set constraints all deferred; end loop; end $$`);
    await run("update groups set name = 'renamed' where id = '7'");
    await run("delete from groups where id = '8'");
    await run("update watchfloor.numbering set at = now() - interval '2 hours'");
    await run("insert into groups (id, name) values ('young', 'Young')");

    await expect(sweepLog(environment.database, HOUR_MS, join(folder, "missing"))).rejects.toThrow(
      "ENOENT",
    );
    expect(await count()).toBe(33);

    // What a full disk left of an earlier line, on the same day.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const name = `changes-${new Date().toISOString().slice(0, 10)}.jsonl`;
    await writeFile(join(folder, name), '{"table":"gro');
    await sweepLog(environment.database, HOUR_MS, folder).finally(() => vi.useRealTimers());
    expect(await count()).toBe(1);
    const [file = ""] = await readdir(folder);
    const [torn, ...lines] = (await readFile(join(folder, file), "utf8")).trimEnd().split("\n");
    expect(torn).toBe('{"table":"gro');
    const changes = lines.map((line) => JSON.parse(line));
    expect(changes.map(({ seq }) => seq)).toEqual(Array.from({ length: 32 }, (_, at) => at + 1));
    expect(changes.at(-2)).toMatchObject({
      ...{ table: "groups", kind: "update", record: "7" },
      before: { name: "group 7" },
      after: { name: "renamed" },
    });
    expect(changes.at(-1)).toMatchObject({ kind: "delete", record: "8", after: null });
    await rm(folder, { recursive: true });
  });
});
