import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bothDatabases } from "../../e2e/provision/databases.ts";
import { readFeedStates, readSpan } from "./feed-log.ts";
import { createStoreEnvironment, type StoreEnvironment } from "./testing/store-environment.ts";

/** A role may set any setting: with rights on the tables alone it must not deceive the triggers that read them. */
describe.each(bothDatabases)("settings of a role with rights on tables only, on $name", (kind) => {
  const opened = new AsyncDisposableStack();
  let environment: StoreEnvironment;
  let stranger: pg.Client;
  beforeAll(async () => {
    environment = opened.use(await createStoreEnvironment(kind));
    const { pool } = environment.database;
    await pool.query("insert into incidents (id, title) values ('a', 'One'), ('b', 'Two')");
    const role = `stranger_${process.pid}_${Date.now()}`;
    const admin = new pg.Client({ connectionString: environment.adminUrl });
    await admin.connect();
    await admin.query(`create role ${role}`);
    opened.defer(async () => {
      await admin.query(`drop owned by ${role}; drop role ${role}`);
      await admin.end();
    });
    await pool.query(`grant select, insert, update, delete on incidents, groups to ${role}`);
    stranger = new pg.Client({ connectionString: environment.adminUrl });
    await stranger.connect();
    opened.defer(() => stranger.end());
    await stranger.query(`set session authorization ${role}`);
  });
  afterAll(() => opened.disposeAsync());

  const head = async () => {
    const feeds = await readFeedStates(environment.database);
    return feeds.find(({ table }) => table === "incidents")?.head ?? -1;
  };
  /** The new titles in the feed, in order, each with its position after the head before. */
  const logged = async (statements: string) => {
    const before = await head();
    await stranger.query(`begin; ${statements}; commit`);
    const span = await readSpan(environment.database, "incidents", before, 100);
    expect(await head()).toBe(before + (span?.changes.length ?? 0));
    return span?.changes.map(({ seq, after }) => [seq - before, after?.title]);
  };
  const update = (title: string, record = "a") =>
    `update incidents set title = '${title}' where id = '${record}'`;

  it.each(["user:1", "token:1", "display:1", "system:Watchfloor"])(
    "names no author %s",
    async (author) => {
      const note = JSON.stringify({ "*": { actor: author, mutation: "m", transition: "close" } });
      await stranger.query(`begin; set local watchfloor.actor = '${author}';
        set local watchfloor.by = '${author}'; set local watchfloor.notes = '${note}';
        ${update(`by ${author}`)}; commit`);
      const change = (await environment.feed()).at(-1);
      expect(change?.by).toEqual({ kind: "external", id: author, name: author });
      expect(change?.mutation).toBeUndefined();
      expect(change?.transition).toBeUndefined();
    },
  );

  it.each([
    ["any text", "yes"],
    ["a row that does not exist", "(0,1)"],
    ["a row that can't exist", "(999999999,9999)"],
  ])("numbers changes although %s claims that it will be done", async (_, marked) => {
    const titles = await logged(`set local watchfloor.marked = '${marked}'; ${update(marked)}`);
    expect(titles).toEqual([[1, marked]]);
  });

  it.each(["yes", "0", "9,,9", ",".repeat(1_000), "9".repeat(19), "1,x"])(
    "logs a change although %s claims to be what triggers have logged",
    async (nested) => {
      const title = `nested ${nested.slice(0, 9)}`;
      expect(await logged(`set local watchfloor.nested = '${nested}'; ${update(title)}`)).toEqual([
        [1, title],
      ]);
    },
  );

  it("numbers a change after the constraints were made immediate and the setting restored", async () => {
    const titles = await logged(`${update("m1")};
      select set_config('app.saved', current_setting('watchfloor.marked'), true);
      set constraints all immediate;
      select set_config('watchfloor.marked', current_setting('app.saved'), true);
      ${update("m2")}`);
    expect(titles).toEqual([
      [1, "m1"],
      [2, "m2"],
    ]);
  });

  it("numbers each change once although the setting was cleared in between", async () => {
    const titles = await logged(`${update("c1")}; set local watchfloor.marked = '';
      ${update("c2", "b")}; set local watchfloor.marked = ''; ${update("c3")}`);
    expect(titles).toEqual([
      [1, "c1"],
      [2, "c2"],
      [3, "c3"],
    ]);
  });

  it("numbers what follows a savepoint that took the first mark with it", async () => {
    const titles = await logged(`savepoint s; ${update("undone")};
      select set_config('app.saved', current_setting('watchfloor.marked'), false);
      rollback to s; select set_config('watchfloor.marked', current_setting('app.saved'), true);
      ${update("s1")}`);
    expect(titles).toEqual([[1, "s1"]]);
  });

  it("announces its commits although it claims to do so itself", async () => {
    const listener = await environment.database.connect();
    const announced = new Promise((resolve) => {
      listener.on("notification", ({ payload }) => resolve(payload));
    });
    await listener.query("listen watchfloor_changed");
    await stranger.query(`begin; set local watchfloor.hint = 'own'; ${update("own")}; commit`);
    expect(await announced).toBe("feed:incidents");
    await listener.end();
  });

  it("logs what another program's trigger writes while a user's edit is committed", async () => {
    const { pool } = environment.database;
    await pool.query(`create function copy_title() returns trigger language plpgsql as $$ begin
        update incidents set location = new.title where id = 'b'; return null; end $$;
      create trigger copy_title after update of title on incidents for each row
        when (new.id = 'a') execute function copy_title()`);
    const before = await head();
    const client = await environment.database.connect();
    await client.query(`begin; set local watchfloor.notes = '{"a": {"actor": "user:1"}}';
      ${update("copied")}; commit`);
    await client.end();
    const span = await readSpan(environment.database, "incidents", before, 100);
    const changes = span?.changes.map(({ record, by }) => [record, by.kind]);
    expect(changes?.sort()).toEqual([
      ["a", "user"],
      ["b", "external"],
    ]);
    await pool.query("drop trigger copy_title on incidents");
  });
});
