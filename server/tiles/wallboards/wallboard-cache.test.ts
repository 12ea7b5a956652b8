import { describe, expect, it } from "vitest";
import { until } from "../../../e2e/harness/until.ts";
import { databases } from "../../../e2e/provision/databases.ts";
import { ChangeNotifier } from "../../store/change-notifier.ts";
import { type Database, openDatabase } from "../../store/database.ts";
import { migrate } from "../../store/schema/migrate.ts";
import { WallboardCache, type WallboardChange } from "./wallboard-cache.ts";

const GUARD_MS = 60_000;

/** As a restore does, or a program without triggers: Postgres notifies nobody. */
async function withoutTriggers(database: Database, statement: string): Promise<void> {
  const client = await database.connect();
  await client.query("set session_replication_role = replica");
  await client.query(statement);
  await client.end();
}

describe.each(databases)("the wallboards that a server knows, on $name", (kind) => {
  it("equal the database also if nobody notified of a change", async () => {
    const own = await kind.create();
    const failures: unknown[] = [];
    const onError = (error: unknown) => failures.push(error);
    const database = openDatabase({ connectionString: own.url, poolSize: 4, onError });
    await migrate(database);
    const notifier = new ChangeNotifier();
    const cache = new WallboardCache(database, notifier);
    const changes: WallboardChange[] = [];
    cache.onChange((notified) => changes.push(...notified));
    await cache.start();
    notifier.start(database, onError, { pollMs: 20 });
    const draft = JSON.stringify({ name: "Floor", tiles: [] });
    await withoutTriggers(
      database,
      `insert into watchfloor."user" (id, email, name, colour, role, status)
        values ('u', 'u@example.com', 'Una', 'red', 'editor', 'active');
      insert into watchfloor.wallboard (id, draft, updated_by) values ('b', '${draft}', 'u')`,
    );
    await until("the wallboard is there", GUARD_MS, () => cache.get("b"));
    await withoutTriggers(database, "update watchfloor.wallboard set version = 2 where id = 'b'");
    await until("it is the new one", GUARD_MS, () => cache.get("b")?.version === 2);
    await withoutTriggers(
      database,
      `insert into watchfloor.tile_acknowledgement (wallboard, tile, row_key, word, by)
        values ('b', 't', 'null', 'late', 'u')`,
    );
    const acknowledgedBy = () => cache.acknowledgement("b", "t", "null", "late")?.by;
    await until("the alert was seen", GUARD_MS, () => acknowledgedBy() === "Una");
    await withoutTriggers(database, `update watchfloor."user" set name = 'Uma' where id = 'u'`);
    await until("by the name of now", GUARD_MS, () => acknowledgedBy() === "Uma");
    const before = changes.length;
    await withoutTriggers(database, "delete from watchfloor.wallboard where id = 'b'");
    await until("it is gone", GUARD_MS, () => cache.get("b") === undefined);
    expect(changes.slice(before)).toMatchObject([{ wallboard: "b", removed: true }]);
    expect(failures).toEqual([]);
    notifier.stop();
    await cache.stop();
    await database.close();
    await own.drop();
  });

  it("are checked again after a check that failed, which is reported", async () => {
    const own = await kind.create();
    const failures: unknown[] = [];
    const onError = (error: unknown) => failures.push(error);
    const database = openDatabase({ connectionString: own.url, poolSize: 4, onError });
    await migrate(database);
    const notifier = new ChangeNotifier();
    const cache = new WallboardCache(database, notifier);
    await cache.start();
    notifier.start(database, onError, { pollMs: 20 });
    await withoutTriggers(
      database,
      `insert into watchfloor."user" (id, email, name, colour, role, status)
        values ('u', 'u@example.com', 'Una', 'red', 'editor', 'active');
      alter table watchfloor.wallboard rename to missing`,
    );
    // one may be of the reading that begins with the channel
    await until("failures are reported", GUARD_MS, () => failures.length > 1);
    const draft = JSON.stringify({ name: "Floor", tiles: [] });
    await withoutTriggers(
      database,
      `insert into watchfloor.missing (id, draft, updated_by) values ('b', '${draft}', 'u');
      alter table watchfloor.missing rename to wallboard`,
    );
    await until("the wallboard is there", GUARD_MS, () => cache.get("b"));
    notifier.stop();
    await cache.stop();
    await database.close();
    await own.drop();
  });

  it("are read no more once they were stopped, also if another reading was requested", async () => {
    const own = await kind.create();
    const failures: unknown[] = [];
    const onError = (error: unknown) => failures.push(error);
    const database = openDatabase({ connectionString: own.url, poolSize: 4, onError });
    await migrate(database);
    const cache = new WallboardCache(database, new ChangeNotifier());
    await cache.start();
    const refreshing = [cache.refresh(), cache.refresh()];
    await cache.stop();
    await database.close();
    await cache.refresh();
    await Promise.all(refreshing);
    expect(failures).toEqual([]);
    await own.drop();
  });
});
