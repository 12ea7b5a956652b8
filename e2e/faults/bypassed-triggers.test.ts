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
    desk = await TestInstallation.openInProcess({ kind });
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
  const metric = async (name: string) => {
    const text = await (await fetch(`${desk.server.url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
  };
  const INTERRUPTIONS = 'watchfloor_capture_interruptions_total\\{table="incidents"\\}';

  it("reach an open screen, are an event and are counted from zero", async () => {
    expect(await metric(INTERRUPTIONS)).toBe(0);
    await superuser.query(`begin; alter table incidents disable trigger watchfloor_update;
      alter table incidents disable trigger watchfloor_delete;
      update incidents set title = 'past the triggers' where id = 'seed-1';
      delete from incidents where id = 'seed-2';
      alter table incidents enable trigger watchfloor_update;
      alter table incidents enable trigger watchfloor_delete; commit`);
    await until("the screen shows it", GIVEN_UP_MS, () => {
      return screen.values("seed-1")?.title === "past the triggers";
    });
    await until("the record is gone", GIVEN_UP_MS, async () => {
      await screen.readAll();
      return screen.values("seed-2") === undefined;
    });
    const { shown, stored } = await screen.againstQuery();
    expect(shown).toEqual(stored);
    expect((await events("capture_bypassed")).map(({ detail }) => detail)).toEqual([
      { table: "incidents" },
    ]);
    await until("it is counted", GIVEN_UP_MS, async () => (await metric(INTERRUPTIONS)) > 0);
    expect(await metric(INTERRUPTIONS)).toBe(1);
  });

  it("are captured at once in a replica session", async () => {
    await superuser.query(`begin; set local session_replication_role = replica;
      update incidents set title = 'by a replica' where id = 'seed-3'; commit`);
    await until("the screen shows it", GIVEN_UP_MS, () => {
      return screen.values("seed-3")?.title === "by a replica";
    });
    const path = "/tables/incidents/records/seed-3/history?limit=1";
    const { items } = await desk.ownerUser.call<{ items: { by: { kind: string } }[] }>("GET", path);
    expect(items[0]?.by.kind).toBe("external");
  });

  it("end when triggers that were left disabled are installed again, and are shown until then", async () => {
    const off = async () =>
      (await desk.ownerUser.call<{ database: { tablesOff: number } }>("GET", "/system")).database
        .tablesOff;
    expect([await off(), await metric("watchfloor_triggers_off")]).toEqual([0, 0]);
    // Held by a reader, so that they can't be installed again yet.
    await superuser.query("alter table people disable trigger user");
    await superuser.query("begin; lock table people in row exclusive mode");
    expect([await off(), await metric("watchfloor_triggers_off")]).toEqual([1, 1]);
    await superuser.query("update people set name = 'past the triggers' where id = 'seed-1'");
    await superuser.query("commit");
    await until("the triggers are installed again", GIVEN_UP_MS, async () => (await off()) === 0);
    expect((await events("capture_restored")).map(({ detail }) => detail)).toEqual([
      { table: "people" },
    ]);
  });
});
