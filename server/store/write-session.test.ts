import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Backends } from "../../e2e/faults/testing/stopped-backends.ts";
import { until } from "../../e2e/harness/until.ts";
import { databases } from "../../e2e/provision/databases.ts";
import { findTable, type Table } from "../../shared/model/model.ts";
import { PREPARED_MAX } from "./batch.ts";
import { isUnreachable } from "./is-unavailable.ts";
import type { LoadRequest } from "./load-for-write.ts";
import { createStoreEnvironment, type StoreEnvironment } from "./testing/store-environment.ts";
import { WriteSession } from "./write-session.ts";
import type { RowWrite } from "./write-statements.ts";

/** A backend that was not stopped answers within this time on a slow machine, too. */
const shortTimeouts = { lockTimeoutMs: 3_000, answerTimeoutMs: 3_000 };

describe.each(databases)("the connection of commands on $name", (kind) => {
  let environment: StoreEnvironment;
  let session: WriteSession;
  beforeAll(async () => {
    environment = await createStoreEnvironment(kind);
    session = new WriteSession(environment.database, { lockTimeoutMs: 1_000 });
    await run("insert into incidents (id, title) values ('a', 'first'), ('b', 'first')");
  });
  afterAll(async () => {
    await session.close();
    await environment[Symbol.asyncDispose]();
  });

  const run = async (text: string) => (await environment.database.pool.query(text)).rows;
  const request = (ids: string[]): LoadRequest => {
    const table = findTable(environment.model, "incidents") as Table;
    const mutations = [{ author: "user:ann", id: "m" }];
    const records = [
      { table, ids, deletes: false, made: new Set<string>(), restored: new Set<string>() },
    ];
    return { records, targets: [], uniques: [], keys: [], mutations, lock: "skip" };
  };
  const write = (record: string, set: RowWrite["set"]): RowWrite => {
    const table = findTable(environment.model, "incidents") as Table;
    return {
      kind: "update",
      table,
      record,
      set,
      row: set,
      note: { actor: "user:ann", mutation: "m" },
    };
  };
  const answer = (id: string) => ({ author: "user:ann", id, hash: "h", results: [] });

  it("answers each statement of a batch in its place", async () => {
    const loaded = await session.begin(request(["b", "none", "a"]));
    expect([...(loaded.records.get("incidents")?.keys() ?? [])]).toEqual(["a", "b"]);
    expect(loaded.feeds.get("incidents")).toMatchObject({ head: 2 });
    const { changes } = await session.finish([write("a", { title: "second" })], [answer("1")]);
    expect(changes.map(({ record, seq }) => [record, seq])).toEqual([["a", 3]]);
  });

  it("applies nothing of a batch that fails, and prepares the statements behind the failure the next time", async () => {
    const fresh = new WriteSession(environment.database, { lockTimeoutMs: 1_000 });
    const titled = (title: string) => [write("a", { title })];
    await fresh.begin(request(["a"]));
    const same = fresh.finish(titled("third"), [answer("1")]);
    await expect(same).rejects.toMatchObject({ code: "23505" });
    await fresh.rollback();
    expect(await run("select title from incidents where id = 'a'")).toEqual([{ title: "second" }]);
    await fresh.begin(request(["a"]));
    await fresh.finish(titled("fourth"), [answer("2")]);
    expect(await run("select title from incidents where id = 'a'")).toEqual([{ title: "fourth" }]);
    await fresh.close();
  });

  it("gives up a connection whose Postgres session is another one, as behind a pooler that changes them since", async () => {
    const fresh = new WriteSession(environment.database, { lockTimeoutMs: 1_000 });
    await fresh.begin(request(["a"]));
    await fresh.rollback();
    const before = fresh.connection as pg.Client;
    await before.query("deallocate all");
    const failure = await fresh.begin(request(["a"])).catch((error: unknown) => error);
    expect(isUnreachable(failure)).toBe(true);
    await fresh.rollback();
    expect(fresh.connection).not.toBe(before);
    const loaded = await fresh.begin(request(["a"]));
    expect([...(loaded.records.get("incidents")?.keys() ?? [])]).toEqual(["a"]);
    await fresh.rollback();
    await fresh.close();
  });

  it.each([
    ["nobody has opened one", false],
    ["one was opened meanwhile", true],
  ])("never continues a transaction on another connection: %s", async (_, isReopened) => {
    await session.begin(request(["a"]));
    const own = `from pg_stat_activity
      where application_name = 'watchfloor-writer' and datname = current_database()`;
    await run(`select pg_terminate_backend(pid) ${own}`);
    const hasEnded = async () => (await run(`select pid ${own}`)).length === 0;
    await until("the connection is gone", 60_000, hasEnded);
    // The first call may be sent before the end of the connection has been read.
    const isReady = () => session.isReady().catch(() => false);
    if (isReopened) await until("another connection is open", 60_000, isReady);
    const title = "by nobody's leave";
    await expect(session.finish([write("a", { title })], [answer("3")])).rejects.toThrow();
    await session.rollback();
    expect(await run("select title from incidents where id = 'a'")).toEqual([{ title: "fourth" }]);
    expect((await session.begin(request(["a"]))).records.get("incidents")?.size).toBe(1);
    await session.rollback();
  });

  it("uses one connection, also when it is asked whether it is ready while it connects", async () => {
    const fresh = new WriteSession(environment.database, { lockTimeoutMs: 1_000 });
    const own = `select pid from pg_stat_activity
      where application_name = 'watchfloor-writer' and datname = current_database()`;
    const before = (await run(own)).length;
    await Promise.all([fresh.begin(request(["b"])), fresh.isReady()]);
    expect((await run(own)).length).toBe(before + 1);
    await fresh.finish([write("b", { title: "once" })], [answer("4")]);
    const [left] = await run(`${own} and state = 'idle in transaction'`);
    expect(left).toBeUndefined();
    await fresh.close();
  });

  it("keeps a bounded number of statements prepared, however many sets of fields are written", async () => {
    const fresh = new WriteSession(environment.database, { lockTimeoutMs: 1_000 });
    await fresh.begin(request(["a"]));
    const names = [
      "notes",
      "category",
      "impact",
      "urgency",
      "priority",
      "service",
      "group",
      "title",
    ];
    for (let subset = 1; subset < 2 ** names.length; subset += 1) {
      const own = names.filter((_, bit) => subset & (2 ** bit));
      await fresh.write([write("a", Object.fromEntries(own.map((name) => [name, null])))]);
    }
    const prepared = "select name from pg_prepared_statements";
    expect((await fresh.query(prepared, [])).rows.length).toBeLessThanOrEqual(PREPARED_MAX);
    // Prepared again: it was used longest ago.
    await fresh.write([write("a", { notes: "again" })]);
    expect((await fresh.query("select notes from incidents where id = 'a'", [])).rows).toEqual([
      { notes: "again" },
    ]);
    await fresh.rollback();
    await fresh.close();
  });

  it("says at once whether it is ready while another of its calls waits", async () => {
    const lock = await environment.database.connect();
    await lock.query("select pg_advisory_lock(7)");
    const fresh = new WriteSession(environment.database, { lockTimeoutMs: 60_000 });
    await fresh.begin(request([]));
    const first = fresh.query("select", []);
    const waits = fresh.query("select pg_advisory_xact_lock(7)", []);
    await first;
    const answered: string[] = [];
    const ready = fresh.isReady().then((isReady) => answered.push(`ready: ${isReady}`));
    for (let turn = 0; turn < 5; turn += 1) await lock.query("select");
    answered.push("the lock is released");
    await lock.end();
    await Promise.all([ready, waits]);
    expect(answered).toEqual(["ready: true", "the lock is released"]);
    await fresh.rollback();
    await fresh.close();
  });

  it("cancels no later transaction, however late Postgres is asked to", async () => {
    const late: string[] = [];
    const { database } = environment;
    const asked = Promise.withResolvers<void>();
    const pool = {
      query: (text: string, [pid]: number[]) => {
        late.push(text.replace("$1", String(pid)));
        return asked.promise;
      },
    };
    const slow = new WriteSession({ ...database, pool } as never, { lockTimeoutMs: 1_000 });
    await slow.begin(request(["a"]));
    slow.cancel();
    await slow.rollback();
    await slow.begin(request(["b"]));
    const next = slow.query("select pg_sleep(0.5)", []);
    expect(late).toHaveLength(1);
    for (const statement of late) await run(statement);
    expect((await next).rows).toHaveLength(1);
    await slow.rollback();
    asked.resolve();
    await slow.close();
  });

  it("frees the records of a server that vanished within a transaction", async () => {
    const vanished = new WriteSession(environment.database, shortTimeouts);
    await vanished.begin(request(["a"]));
    await until("another server can lock the record", 60_000, async () => {
      const { records } = await session.begin(request(["a"]));
      await session.rollback();
      return records.get("incidents")?.size === 1;
    });
    const late = vanished.finish([write("a", { title: "too late" })], [answer("5")]);
    await expect(late).rejects.toThrow();
    await vanished.rollback();
    expect(await run("select title from incidents where id = 'a'")).toEqual([{ title: "fourth" }]);
    await vanished.close();
  });

  it("opens no further connection while Postgres can't end abandoned ones", async () => {
    const name = "watchfloor-writer";
    const alone = new WriteSession(environment.database, shortTimeouts);
    const own = await Backends.of(environment.url);
    const before = new Set(await own.pids(name));
    try {
      for (let attempt = 0; attempt < 6; attempt += 1) {
        await alone.begin(request(["a"])).then(
          () => own.stop(name),
          () => undefined,
        );
        await alone.rollback();
      }
      const added = (await own.pids(name)).filter((pid) => !before.has(pid));
      expect(added).toHaveLength(2);
    } finally {
      own.resume();
    }
    await until("it writes again", 60_000, () =>
      alone.begin(request(["a"])).then(
        () => true,
        () => false,
      ),
    );
    await alone.rollback();
    await alone.close();
    await own[Symbol.asyncDispose]();
  });
});
