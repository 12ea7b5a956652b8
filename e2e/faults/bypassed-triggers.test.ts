import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SecurityEvent } from "../../shared/protocol/security-events.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { until } from "../harness/until.ts";
import { Watcher } from "../harness/watcher.ts";
import { databases } from "../provision/databases.ts";

const GIVEN_UP_MS = 60_000;

describe.each(databases)("changes past the triggers in $name", (kind) => {
  let desk: TestInstallation;
  let screen: Watcher;
  let superuser: pg.Client;

  beforeAll(async () => {
    const environment = { WATCHFLOOR_DIGEST_INTERVAL_MS: "200" };
    desk = await TestInstallation.openInProcess({ kind, environment });
    screen = await Watcher.open(desk.ownerUser);
    superuser = new pg.Client({ connectionString: desk.database.adminUrl });
    await superuser.connect();
  });
  afterAll(async () => {
    await superuser.end();
    await screen[Symbol.asyncDispose]();
    await desk[Symbol.asyncDispose]();
  });

  const events = async (kind: SecurityEvent["kind"]) => {
    const path = "/security-events?group=data";
    const { items } = await desk.ownerUser.call<{ items: SecurityEvent[] }>("GET", path);
    return items.filter((event) => event.kind === kind);
  };
  const bypassed = async () => {
    const text = await (await fetch(`${desk.server.url}/metrics`)).text();
    return Number(/watchfloor_bypassed_changes_total\{table="incidents"\} (\d+)/.exec(text)?.[1]);
  };

  it("reach an open screen, and are named", async () => {
    // Existing records are known only after the first pass over the whole table.
    await until("the first pass is over", GIVEN_UP_MS, async () => {
      const { rows } = await superuser.query(`select digested_shape = shape as is_over
        from watchfloor.feed where table_name = 'incidents'`);
      return rows[0]?.is_over === true;
    });
    await superuser.query(`begin; alter table incidents disable trigger all;
      update incidents set title = 'past the triggers' where id = 'seed-1';
      delete from incidents where id = 'seed-2'; alter table incidents enable trigger all; commit`);
    await until("the screen shows it", GIVEN_UP_MS, () => {
      return screen.values("seed-1")?.title === "past the triggers";
    });
    await until("the record is gone", GIVEN_UP_MS, async () => {
      await screen.readAll();
      return screen.values("seed-2") === undefined;
    });
    const { shown, stored } = await screen.againstQuery();
    expect(shown).toEqual(stored);
    const [found] = await events("capture_bypassed");
    expect(found?.detail).toEqual({ table: "incidents", count: 2, records: ["seed-1", "seed-2"] });
    // Counted once the whole table has been compared, which is after the screen shows it.
    await until("it is counted", GIVEN_UP_MS, async () => (await bypassed()) >= 2);
    expect(await bypassed()).toBe(2);
    const path = "/tables/incidents/records/seed-1/history?limit=1";
    const { items } = await desk.ownerUser.call<{ items: { by: { kind: string } }[] }>("GET", path);
    expect(items[0]?.by.kind).toBe("system");
  });

  it("are captured at once in a replica session", async () => {
    // `enable trigger all` made every trigger an ordinary one.
    await until("the triggers are repaired", GIVEN_UP_MS, async () => {
      return (await events("capture_restored")).length > 0;
    });
    const before = await events("capture_bypassed");
    await superuser.query(`begin; set local session_replication_role = replica;
      update incidents set title = 'by a replica' where id = 'seed-3'; commit`);
    await until("the screen shows it", GIVEN_UP_MS, () => {
      return screen.values("seed-3")?.title === "by a replica";
    });
    expect(await events("capture_bypassed")).toHaveLength(before.length);
  });
});
