import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { LineProxy } from "../../e2e/harness/line-proxy.ts";
import { databases, systemOverTcp } from "../../e2e/provision/databases.ts";
import { boundMessages, ChangeNotifier, type Topic } from "./change-notifier.ts";
import { type Database, openDatabase } from "./database.ts";
import { createStoreEnvironment, type StoreEnvironment } from "./testing/store-environment.ts";

const NEVER_MS = 86_400_000;
const topics = [
  ...["model", "user", "role", "session", "account", "views", "wallboards"],
  ...["changeSets", "comment", "mentions", "displayReport", "event"],
] as const satisfies Topic[];

/** A server's notifier, and what it has emitted. */
function follow(database: Database, pollMs = NEVER_MS) {
  const notifier = new ChangeNotifier();
  const emitted: string[] = [];
  const errors: unknown[] = [];
  notifier.on(topics, ({ topic, id }) => emitted.push(id === null ? topic : `${topic}:${id}`));
  notifier.start(database, (error) => errors.push(error), { pollMs });
  onTestFinished(() => notifier.stop());
  const listening = async () => {
    await expect.poll(() => emitted.toSorted()).toEqual(topics.toSorted());
    emitted.splice(0);
  };
  return { notifier, emitted, errors, listening };
}

async function openStore(kind: Parameters<typeof createStoreEnvironment>[0]) {
  const store = await createStoreEnvironment(kind);
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}

/** As a restore does: no trigger runs. */
async function withoutTriggers({ database }: StoreEnvironment) {
  const client = await database.connect();
  await client.query("set session_replication_role = replica");
  onTestFinished(() => client.end());
  return client;
}

const addUser = (id: string) =>
  `insert into watchfloor."user" (id, email, name, colour, role, status)
   values ('${id}', '${id}@example.com', '${id}', 'red', 'editor', 'active')`;

describe.each(databases)("a server that follows what changes, on $name", (kind) => {
  const notify = ({ database }: StoreEnvironment, payload: string) =>
    database.pool.query("select pg_notify('watchfloor_changed', $1)", [payload]);

  it("is notified of what any program commits, with ids, and of no other text", async () => {
    const store = await openStore(kind);
    const { emitted, listening } = follow(store.database);
    await listening();
    const long = `user:${"x".repeat(500)}`;
    for (const odd of ["", "all:", "user", "user:", "session:", "users:u", "{}", "null", long]) {
      await notify(store, odd);
    }
    const { pool } = store.database;
    await pool.query(addUser("a:b"));
    await pool.query(addUser("v"));
    await pool.query(`update watchfloor."user" set last_seen = now()`);
    await pool.query(`update watchfloor."user" set name = 'New' where id = 'a:b'`);
    await pool.query(`insert into watchfloor.view (id, table_name, name, shared, owner, look)
      values ('1', 'incidents', 'Mine', false, 'v', '{}')`);
    await pool.query(`insert into watchfloor.comment (id, table_id, record, author, text, mentions)
      values ('c', 't', 'r', 'user:v', '<@v>', '{v}')`);
    await pool.query(
      "update watchfloor.comment set changed_at = now(), text = '', mentions = '{a:b}'",
    );
    await pool.query("update watchfloor.comment set text = 'in passing'");
    await pool.query(`insert into watchfloor.comment_read (user_id, table_id, record, upto)
      values ('v', 't', 'r', 1)`);
    await pool.query(
      "insert into watchfloor.model (version, document, by) select 99, document, by from watchfloor.model",
    );
    await expect.poll(() => emitted.at(-1)).toBe("model");
    expect(emitted).toEqual([
      "user:a:b",
      'views:{"table" : "incidents", "owner" : "v"}',
      ...["comment:1", "mentions:v", "comment:1", ...["mentions:a:b", "mentions:v"]],
      ...["mentions:v", "model"],
    ]);
  });

  it("finds what nobody notified of", async () => {
    const store = await openStore(kind);
    const { emitted, listening } = follow(store.database, 20);
    await listening();
    const client = await withoutTriggers(store);
    await client.query(addUser("u"));
    await client.query(addUser("v"));
    await expect.poll(() => emitted.toSorted()).toEqual(["user:u", "user:v"]);
    for (const [statement, expected] of [
      [`update watchfloor."user" set name = 'Uma' where id = 'u'`, "user:u"],
      [`delete from watchfloor."user" where id = 'u'`, "user:u"],
      [`update watchfloor."user" set role = 'viewer'`, "user:v"],
      [
        "insert into watchfloor.view (id, table_name, name, shared, look) values ('1', 'x', 'Ours', true, '{}')",
        'views:{"table" : "x", "owner" : null}',
      ],
      [
        "insert into watchfloor.wallboard (id, draft, updated_by) values ('b', '{}', 'nobody')",
        "wallboards",
      ],
      [
        "insert into watchfloor.comment (id, table_id, record, author, text) values ('c', 't', 'r', 'user:v', '')",
        "comment:1",
      ],
      [
        "insert into watchfloor.model (version, document, by) select 99, document, by from watchfloor.model",
        "model",
      ],
    ] as const) {
      emitted.splice(0);
      await client.query(`update watchfloor."user" set last_seen = now()`);
      await client.query(statement);
      await expect.poll(() => emitted).toEqual([expected]);
    }
  });

  it("finds what changed once more after it was notified, and nothing a second time", async () => {
    const store = await openStore(kind);
    await store.database.pool.query(addUser("u"));
    const { notifier, emitted, listening } = follow(store.database);
    await listening();
    await notifier.poll();
    emitted.splice(0);
    await store.database.pool.query(`update watchfloor."user" set name = 'Uma'`);
    await expect.poll(() => emitted).toEqual(["user:u"]);
    const client = await withoutTriggers(store);
    await client.query(`update watchfloor."user" set name = 'Ursula'`);
    await notifier.poll();
    await notifier.poll();
    expect(emitted).toEqual(["user:u", "user:u"]);
  });

  it("assumes that anything may have changed once it listens again", async () => {
    const store = await openStore(kind);
    const { emitted, listening } = follow(store.database);
    await listening();
    const { rows } = await store.database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'watchfloor listener' and datname = current_database()`,
    );
    expect(rows).toHaveLength(1);
    await listening();
    await notify(store, "role:r");
    await expect.poll(() => emitted).toEqual(["role:r"]);
  });

  it("calls a listener that failed again, and the others as well", async () => {
    const store = await openStore(kind);
    const { notifier, errors, listening } = follow(store.database, 20);
    await listening();
    const results = ["fails", "fails", "succeeds"];
    const calls: (string | undefined)[] = [];
    const others: string[] = [];
    notifier.on("role", () => {
      calls.push(results[calls.length]);
      if (calls.at(-1) === "fails") throw new Error("on purpose");
    });
    notifier.on("role", ({ topic }) => others.push(topic));
    notifier.changed("role", "r");
    expect([calls, others]).toEqual([["fails"], ["role"]]);
    await expect.poll(() => calls).toEqual(results);
    expect(errors).toHaveLength(2);
  });

  it("is called at once with what its own process changed, and others with what has no trigger", async () => {
    const store = await openStore(kind);
    const [one, two] = [follow(store.database), follow(store.database)];
    await one.listening();
    await two.listening();
    one.notifier.changed("session", "s");
    for (let n = 0; n < 10; n += 1) one.notifier.changed("displayReport");
    expect(one.emitted).toEqual(["session:s", ...Array(10).fill("displayReport")]);
    await expect.poll(() => two.emitted).toHaveLength(1);
    expect(two.emitted[0]).toMatch(/^displayReport:/);
    await notify(store, "role:r");
    await expect.poll(() => one.emitted).toHaveLength(12);
    expect(one.emitted.at(-1)).toBe("role:r");
  });
});

it("listens on another connection if the first dies before it does", async () => {
  const store = await openStore(systemOverTcp);
  const through = new URL(store.url);
  await using line = await LineProxy.start(Number(through.port));
  through.port = new URL(line.url).port;
  const database = openDatabase({
    connectionString: through.href,
    poolSize: 1,
    onError: () => {},
  });
  let connections = 0;
  const connect: Database["connect"] = async (options) => {
    const client = await database.connect(options);
    connections += 1;
    if (connections === 1) line.freeze();
    return client;
  };
  const { emitted, listening } = follow({ ...database, kysely: store.database.kysely, connect });
  await listening();
  expect(connections).toBe(2);
  await store.database.pool.query("select pg_notify('watchfloor_changed', 'user:u')");
  await expect.poll(() => emitted).toEqual(["user:u"]);
  await database.close();
});

describe("notifications of a topic", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function bounded() {
    const handled: string[] = [];
    return { handled, receive: boundMessages((topic, id) => handled.push(`${topic}:${id}`)) };
  }

  it("are each handled at once", () => {
    const { handled, receive } = bounded();
    for (let n = 0; n < 50; n += 1) receive("user", `${n % 3}`);
    expect(handled).toHaveLength(50);
    vi.advanceTimersByTime(5_000);
    expect(handled).toHaveLength(50);
  });

  it("are replaced by one without an id if too many arrive, and leave the others alone", () => {
    const { handled, receive } = bounded();
    for (let n = 0; n < 100_000; n += 1) receive("user", `${n}`);
    expect(handled).toHaveLength(50);
    receive("role", "r");
    expect(handled.at(-1)).toBe("role:r");
    vi.advanceTimersByTime(100);
    expect(handled).toHaveLength(52);
    expect(handled.at(-1)).toBe("user:null");
    vi.advanceTimersByTime(5_000);
    receive("user", "1");
    expect(handled.at(-1)).toBe("user:1");
  });

  it("are handled a bounded number of times while a flood lasts, and the last one is not lost", () => {
    const { handled, receive } = bounded();
    for (let ms = 0; ms < 10_000; ms += 1) {
      for (let n = 0; n < 10; n += 1) receive("user", "1");
      vi.advanceTimersByTime(1);
    }
    expect(handled.length).toBeLessThan(11 * 51);
    const before = handled.length;
    receive("user", "2");
    vi.advanceTimersByTime(5_000);
    expect(handled.slice(before)).toContain("user:null");
  });
});
