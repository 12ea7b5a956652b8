import { describe, expect, it } from "vitest";
import { bothDatabases } from "../../../e2e/provision/databases.ts";
import { openDatabase } from "../database.ts";
import { migrate } from "../schema/migrate.ts";
import { type AccessEvent, listenForAccessChanges } from "./listen-for-access-changes.ts";

describe.each(bothDatabases)("who listens for people, on $name", (kind) => {
  it("ignores notifications that are not ours, and receives every id complete", async () => {
    const own = await kind.create();
    const onError = () => undefined;
    const database = openDatabase({ connectionString: own.url, poolSize: 4, onError });
    await migrate(database);
    const events: AccessEvent[] = [];
    const stop = listenForAccessChanges(database, (event) => events.push(event));
    await expect.poll(() => events).toEqual([{ kind: "all" }]);
    const odd = ["", "all:", "user", "user:", "users:u", "{}", "null", `user:${"x".repeat(300)}`];
    for (const payload of [...odd, "session:s", "user:a:b"]) {
      await database.pool.query("select pg_notify('watchfloor_people', $1)", [payload]);
    }
    await expect.poll(() => events.at(-1)).toEqual({ kind: "user", user: "a:b" });
    expect(events.slice(1, -1)).toEqual([{ kind: "session", session: "s" }]);
    stop();
    await database.close();
    await own.drop();
  });

  it("finds a change of a user also without a notification", async () => {
    const own = await kind.create();
    const onError = () => undefined;
    const database = openDatabase({ connectionString: own.url, poolSize: 4, onError });
    await migrate(database);
    const events: AccessEvent[] = [];
    const stop = listenForAccessChanges(database, (event) => events.push(event), {
      checkIntervalMs: 20,
    });
    await expect.poll(() => events).toEqual([{ kind: "all" }]);
    const client = await database.connect();
    // as a restore does: no trigger runs
    await client.query("set session_replication_role = replica");
    await client.query(`insert into watchfloor."user" (id, email, name, colour, role, status)
      values ('u', 'u@example.com', 'Una', 'red', 'editor', 'active'),
        ('v', 'v@example.com', 'Vic', 'red', 'editor', 'active')`);
    const isKnown = () => events.some((event) => event.kind === "user" && event.user === "u");
    await expect.poll(isKnown).toBe(true);
    for (const change of [
      "update watchfloor.\"user\" set name = 'Uma'",
      'delete from watchfloor."user"',
    ]) {
      events.splice(0);
      await client.query(`${change} where id = 'u'`);
      await expect.poll(() => events).toEqual([{ kind: "user", user: "u" }]);
    }
    events.splice(0);
    await client.query(`update watchfloor."user" set last_seen = now()`);
    await client.query(`update watchfloor."user" set role = 'viewer'`);
    await expect.poll(() => events).toEqual([{ kind: "user", user: "v" }]);
    stop();
    await client.end();
    await database.close();
    await own.drop();
  });
});
