import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LineProxy } from "../../e2e/harness/line-proxy.ts";
import { bothDatabases, systemOverTcp } from "../../e2e/provision/databases.ts";
import { openDatabase } from "./database.ts";
import { ListenConnection, listenChannel } from "./listen-channel.ts";
import { createStoreEnvironment, type StoreEnvironment } from "./testing/store-environment.ts";

describe.each(bothDatabases)("channels of a database on $name", (kind) => {
  let store: StoreEnvironment;
  beforeAll(async () => {
    store = await createStoreEnvironment(kind);
  });
  afterAll(() => store?.[Symbol.asyncDispose]());

  const notify = (channel: string, payload: string) =>
    store.database.pool.query("select pg_notify($1, $2)", [channel, payload]);
  const listenersAnd = async (also = "true") => {
    const { rows } = await store.database.pool.query(
      `select ${also} from pg_stat_activity
       where application_name = 'watchfloor listener' and datname = current_database()`,
    );
    return rows.length;
  };
  const follow = (channel: string) => {
    const events: string[] = [];
    const stop = listenChannel(store.database, channel, {
      onListening: () => events.push("listening"),
      onMessage: (payload) => events.push(payload),
    });
    return { events, stop };
  };

  it("share one connection, which is open while one of them is followed", async () => {
    const first = follow("one");
    await expect.poll(() => first.events).toEqual(["listening"]);
    const later = follow("two");
    await expect.poll(() => later.events).toEqual(["listening"]);
    expect(await listenersAnd()).toBe(1);
    await notify("one", "a");
    await notify("two", "b");
    await expect.poll(() => first.events).toEqual(["listening", "a"]);
    await expect.poll(() => later.events).toEqual(["listening", "b"]);

    first.stop();
    await notify("one", "not received");
    await notify("two", "c");
    await expect.poll(() => later.events).toEqual(["listening", "b", "c"]);
    expect(first.events).toEqual(["listening", "a"]);
    later.stop();
    await expect.poll(() => listenersAnd()).toBe(0);
  });

  it("are all followed again after the connection was lost, and when followed anew", async () => {
    const both = [follow("one"), follow("two")];
    for (const { events } of both) await expect.poll(() => events).toEqual(["listening"]);
    expect(await listenersAnd("pg_terminate_backend(pid)")).toBe(1);
    for (const { events } of both) {
      await expect.poll(() => events).toEqual(["listening", "listening"]);
    }
    for (const { stop } of both) stop();
    const again = follow("two");
    await expect.poll(() => again.events).toEqual(["listening"]);
    await notify("two", "d");
    await expect.poll(() => again.events).toEqual(["listening", "d"]);
    again.stop();
    await expect.poll(() => listenersAnd()).toBe(0);
  });
});

it("follows a channel on another connection if the first dies before it does", async () => {
  await using store = await createStoreEnvironment(systemOverTcp);
  const through = new URL(store.url);
  await using line = await LineProxy.start(Number(through.port));
  through.port = new URL(line.url).port;
  const connectionString = through.href;
  const database = openDatabase({ connectionString, poolSize: 1, onError: () => {} });
  let connections = 0;
  const listener = new ListenConnection(async (options) => {
    const client = await database.connect(options);
    connections += 1;
    if (connections === 1) line.freeze();
    return client;
  }, database.check);
  const events: string[] = [];
  const stop = listener.add({
    channel: "one",
    receive: (payload) => events.push(payload),
    onListening: () => events.push("listening"),
  });
  await expect.poll(() => events).toEqual(["listening"]);
  expect(connections).toBe(2);
  await store.database.pool.query("select pg_notify('one', 'a')");
  await expect.poll(() => events).toEqual(["listening", "a"]);
  stop();
  await database.close();
});
