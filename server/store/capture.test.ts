import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bothDatabases } from "../../e2e/provision/databases.ts";
import { installCapture } from "./capture.ts";
import { readFeedStates, readSpan } from "./feed-log.ts";
import { createStoreEnvironment, type StoreEnvironment } from "./testing/store-environment.ts";

describe.each(bothDatabases)("capture on $name", (kind) => {
  let environment: StoreEnvironment;
  beforeAll(async () => {
    environment = await createStoreEnvironment(kind);
  });
  afterAll(() => environment[Symbol.asyncDispose]());

  const run = (text: string, values: unknown[] = []) =>
    environment.database.pool.query(text, values);
  const last = async (count: number) => (await environment.feed()).slice(-count);
  const head = async () =>
    (await readFeedStates(environment.database)).find((feed) => feed.table === "incidents")?.head ??
    -1;

  it("logs an insert with every field, by the database user as external", async () => {
    await run(
      "insert into incidents (id, title, opened_at) values ('a', 'One', '2026-01-02T03:04:05.123456+02')",
    );
    const [change] = await last(1);
    expect(change).toMatchObject({ kind: "insert", record: "a", before: null });
    expect(change?.after).toMatchObject({
      title: "One",
      state: "New",
      notes: null,
      opened_at: "2026-01-02T01:04:05.123456+00:00",
    });
    expect(change?.by.kind).toBe("external");
  });

  it("logs an update with the previous values of changed fields and the whole new record", async () => {
    await run("update incidents set title = 'Two', notes = '' where id = 'a'");
    const [change] = await last(1);
    expect(change).toMatchObject({ kind: "update", record: "a", before: { title: "One" } });
    expect(change?.after).toMatchObject({ title: "Two", state: "New", notes: null });
  });

  it("logs the same once existing tables have the current triggers", async () => {
    await run("drop trigger watchfloor_update on incidents");
    for (const table of environment.model.tables)
      await installCapture(environment.database.kysely, table);
    await run("update incidents set location = 'Here' where id = 'a'");
    const [change] = await last(1);
    expect(change).toMatchObject({ kind: "update", before: { location: null } });
  });

  it("does not log an update that changes nothing", async () => {
    const before = await head();
    await run("update incidents set title = 'Two' where id = 'a'");
    expect(await head()).toBe(before);
  });

  it("logs a changed key as one deleted and one inserted record", async () => {
    await run("update incidents set id = 'b' where id = 'a'");
    const changes = await last(2);
    expect(changes.map(({ kind, record }) => `${kind} ${record}`).sort()).toEqual([
      "delete a",
      "insert b",
    ]);
  });

  it("logs a delete with the whole previous record", async () => {
    await run("delete from incidents where id = 'b'");
    const [change] = await last(1);
    expect(change).toMatchObject({ kind: "delete", record: "b", after: null });
    expect(change?.before).toMatchObject({ title: "Two", state: "New" });
  });

  describe("with a trigger of another program that writes to the row that fired it", () => {
    const kinds = async (count: number) =>
      (await last(count)).map(({ kind, record, after }) => [kind, record, after?.title]);
    beforeAll(async () => {
      await run(`
        create function follow_up() returns trigger language plpgsql as $$
        begin
          if tg_op = 'DELETE' then
            if old.title = 'stays' then insert into incidents (id, title) values (old.id, 'stayed'); end if;
          elsif new.title = 'goes' then delete from incidents where id = new.id;
          elsif new.title ~ '[a-z]$' and new.title <> 'stays' then
            update incidents set title = upper(new.title) where id = new.id;
          end if;
          return null;
        end $$;
        create trigger a_follow_up after insert or update or delete on incidents
          for each row execute function follow_up()`);
    });
    afterAll(() => run("drop trigger a_follow_up on incidents; drop function follow_up"));

    it("logs first what was written, then what the trigger made of it", async () => {
      await run("insert into incidents (id, title) values ('n1', 'one'), ('n2', 'TWO')");
      expect(await kinds(3)).toEqual([
        ["insert", "n1", "one"],
        ["insert", "n2", "TWO"],
        ["update", "n1", "ONE"],
      ]);
      await run("update incidents set title = lower(title) where id in ('n1', 'n2')");
      const changes = (await last(4)).filter(({ record }) => record === "n1");
      expect(changes.map(({ before, after }) => [before?.title, after?.title])).toEqual([
        ["ONE", "one"],
        ["one", "ONE"],
      ]);
    });

    it("logs a record as gone that the trigger deletes, and as there that it creates again", async () => {
      await run("update incidents set title = 'goes' where id = 'n1'");
      expect(await kinds(2)).toEqual([
        ["update", "n1", "goes"],
        ["delete", "n1", undefined],
      ]);
      await run("update incidents set title = 'stays' where id = 'n2'");
      await run("delete from incidents where id = 'n2'");
      expect(await kinds(3)).toEqual([
        ["delete", "n2", undefined],
        ["insert", "n2", "stayed"],
        ["update", "n2", "STAYED"],
      ]);
    });

    it("leaves the order as it is of what the rows of one statement on another table make of a record", async () => {
      const before = await head();
      await run(`insert into incidents (id, title) values ('n4', 'BEFORE');
        create table steps (title text);
        create function take_step() returns trigger language plpgsql as $$
        begin
          update incidents set title = new.title where id = 'n4';
          return null;
        end $$;
        create trigger a_take_step after insert on steps for each row execute function take_step();
        insert into steps values ('first'), ('second'), ('THIRD')`);
      const span = await readSpan(environment.database, "incidents", before, 100);
      const titles = ["BEFORE", "first", "FIRST", "second", "SECOND", "THIRD"];
      expect(span?.changes.map(({ after }) => after?.title)).toEqual(titles);
    });

    it("leaves the order as it is of what several statements of a transaction write", async () => {
      const before = await head();
      await run(`begin; insert into incidents (id, title) values ('n3', 'first');
        update incidents set title = 'SECOND' where id = 'n3';
        update incidents set title = 'third' where id = 'n3'; commit`);
      const span = await readSpan(environment.database, "incidents", before, 100);
      const titles = ["first", "FIRST", "SECOND", "third", "THIRD"];
      expect(span?.changes.map(({ after }) => after?.title)).toEqual(titles);
    });
  });

  it("leaves no gap for a rollback, whole or to a savepoint", async () => {
    const before = await head();
    const client = await environment.database.connect();
    await client.query("begin; insert into incidents (id) values ('never'); rollback");
    await client.query(`begin; insert into incidents (id) values ('c'); savepoint s;
      insert into incidents (id) values ('undone'); rollback to s;
      insert into incidents (id) values ('d'); commit`);
    await client.end();
    const span = await readSpan(environment.database, "incidents", before, 100);
    expect(span?.changes.map(({ seq, record }) => [seq - before, record])).toEqual([
      [1, "c"],
      [2, "d"],
    ]);
  });

  it("orders by commit: a long transaction comes after those that ended before it", async () => {
    const long = await environment.database.connect();
    await long.query("begin; insert into incidents (id, title) values ('slow', 'began first')");
    await run("insert into incidents (id, title) values ('fast', 'ended first')");
    await long.query("commit");
    await long.end();
    expect((await last(2)).map(({ record }) => record)).toEqual(["fast", "slow"]);
  });

  it("lets a program name itself, and records each statement's own author", async () => {
    const client = await environment.database.connect();
    await client.query(`begin; set local watchfloor.actor = 'nightly import';
      update incidents set title = 'i' where id = 'c'; set local watchfloor.actor = '';
      update incidents set title = 'e' where id = 'd'; commit`);
    await client.end();
    const [first, second] = await last(2);
    expect(first?.by).toEqual({ kind: "external", id: "nightly import", name: "nightly import" });
    expect(second?.by.kind).toBe("external");
    expect(second?.by.name).not.toBe("nightly import");
  });

  it("continues the numbering when a program makes its constraints immediate in the middle", async () => {
    const before = await head();
    const client = await environment.database.connect();
    await client.query(`begin; update incidents set notes = '1' where id = 'c';
      set constraints all immediate; update incidents set notes = '2' where id = 'c'; commit`);
    await client.end();
    const span = await readSpan(environment.database, "incidents", before, 100);
    expect(span?.changes.map(({ seq, after }) => [seq - before, after?.notes])).toEqual([
      [1, "1"],
      [2, "2"],
    ]);
  });

  it("reads a feed in spans that may end inside a transaction", async () => {
    const before = await head();
    await run("insert into incidents (id) select 'bulk' || g from generate_series(1, 25) g");
    const seen: number[] = [];
    for (let at = before; ; ) {
      const span = await readSpan(environment.database, "incidents", at, 10);
      if (!span?.changes.length) break;
      expect(span.changes.length).toBeLessThanOrEqual(10);
      seen.push(...span.changes.map(({ seq }) => seq));
      at = span.to;
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => before + index + 1));
  });

  it("starts a new epoch when a table is truncated", async () => {
    const epoch = async () => (await readSpan(environment.database, "incidents", 0, 1))?.epoch;
    const before = await epoch();
    await run("truncate incidents");
    expect(await epoch()).not.toBe(before);
  });

  it.each([
    ["off", "local"],
    ["remote_apply", "remote_apply"],
  ])("commits changes durably: synchronous_commit %s becomes %s", async (chosen, effective) => {
    const client = await environment.database.connect();
    await client.query(`begin; set local synchronous_commit = ${chosen}`);
    await client.query("insert into incidents (id, title) values ('durable', 'must not be lost')");
    await client.query("set constraints all immediate");
    const { rows } = await client.query("show synchronous_commit");
    expect(rows).toEqual([{ synchronous_commit: effective }]);
    await client.query("rollback");
    await client.end();
  });
});
