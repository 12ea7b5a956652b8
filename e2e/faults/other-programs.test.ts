import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model } from "../../shared/model/model.ts";
import { MachineLag } from "../harness/machine-lag.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { signIn, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { headOf, Watcher } from "../harness/watcher.ts";
import { databases } from "../provision/databases.ts";
import { Follower, waitFor } from "./follower.ts";

const SHOWN_WITHIN_MS = 1_000;
const GIVEN_UP_MS = 60_000;
/** What is sent to a client row by row at most. */
const REPLAY_CHANGES = 300;

describe.each(databases)("other programs in $name", ({ create }) => {
  let server: ServerProcess;
  let user: TestUser;
  let screen: Watcher;
  let program: pg.Client;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const database = await create();
    const limits = { REPLAY_MAX_CHANGES: String(REPLAY_CHANGES) };
    server = await ServerProcess.start({ environment: { DATABASE_URL: database.url, ...limits } });
    user = await signIn(server.url, owner);
    screen = await Watcher.open(user);
    program = new pg.Client({ connectionString: database.url });
    await program.connect();
    stop = async () => {
      await screen[Symbol.asyncDispose]();
      await program.end();
      await server[Symbol.asyncDispose]();
      await database.drop();
    };
  });
  afterAll(() => stop());

  async function shows(record: string, title: string): Promise<void> {
    const lag = new MachineLag();
    const startedAt = performance.now();
    const shown = () => screen.values(record)?.title === title;
    await until(`${record} shows ${title}`, GIVEN_UP_MS, shown);
    const took = performance.now() - startedAt;
    expect(took).toBeLessThan(await lag.allowing(SHOWN_WITHIN_MS));
  }

  it("are seen on an open screen, as external", async () => {
    await program.query("update incidents set title = 'by psql' where id = 'seed-1'");
    await shows("seed-1", "by psql");
    const path = "/tables/incidents/records/seed-1/history?limit=1";
    const { items } = await user.call<{ items: { by: { kind: string } }[] }>("GET", path);
    expect(items[0]?.by.kind).toBe("external");
  });

  it("are seen also from a long transaction that began before others committed", async () => {
    await program.query("begin; update incidents set title = 'slow' where id = 'seed-2'");
    await user.call("PATCH", "/tables/incidents/records/seed-3?overwrite=true", {
      set: { title: "meanwhile" },
    });
    await shows("seed-3", "meanwhile");
    await program.query("commit");
    await shows("seed-2", "slow");
  });

  it("leave nothing behind when they roll back: no change, no gap", async () => {
    const before = await headOf(user);
    await program.query(
      "begin; update incidents set title = 'never' where id = 'seed-4'; rollback",
    );
    await program.query("update incidents set title = 'after' where id = 'seed-5'");
    await shows("seed-5", "after");
    expect(await headOf(user)).toBe(before + 1);
    expect(screen.values("seed-4")?.title).not.toBe("never");
    expect(screen.session.counters).toMatchObject({ holes: 0, duplicates: 0 });
  });

  it("may insert and delete: screens follow", async () => {
    await program.query("insert into incidents (id, title) values ('ext-1', 'from outside')");
    await until("the new record waits", GIVEN_UP_MS, () => screen.rowList.status.waiting === 1);
    screen.rowList.realign();
    await screen.readAll();
    expect(screen.values("ext-1")?.title).toBe("from outside");
    await program.query("delete from incidents where id = 'ext-1'");
    const head = await headOf(user);
    await screen.reaches(head);
    const { shown, stored } = await screen.againstQuery();
    expect(shown).toEqual(stored);
  });

  it("P11 may change more than is replayed: screens read again what they show, and edits overtake the rest", async () => {
    using bare = await Follower.start(server.url, user.token, "incidents");
    const { resyncs } = screen.session.counters;
    await program.query("begin");
    await program.query(`insert into incidents (id, title)
      select 'bulk-' || n, 'bulk' from generate_series(1, ${REPLAY_CHANGES}) n`);
    await program.query("update incidents set title = 'all at once' where id like 'seed-%'");
    await program.query("commit");
    await user.call("PATCH", "/tables/incidents/records/seed-3?overwrite=true", {
      set: { title: "edited behind it" },
    });
    await shows("seed-3", "edited behind it");
    const head = await headOf(user);
    await screen.reaches(head);
    await until("the screen is live", GIVEN_UP_MS, () => screen.session.phase === "live");
    await waitFor(() => bare.at?.seq === head);
    expect(bare.received.filter(({ mutation }) => mutation === undefined)).toEqual([]);
    expect([bare.resyncs, bare.violations]).toEqual([["slow"], []]);
    expect(screen.session.counters.resyncs).toBe(resyncs + 1);
    const { shown, stored } = await screen.rowsAgainstQuery();
    expect(shown).toEqual(stored);
  });

  it("may store numbers that a double can't hold: they travel exactly, both ways", async () => {
    const field = (name: string, type: string) => ({ name, label: name, type });
    const fields = [field("name", "text"), field("config", "json")];
    const assets = { name: "assets", label: "Assets", recordLabel: "asset", display: "name" };
    const table = { ...assets, fields, columns: ["name"], sort: ["name"] };
    const model = await user.call<Model>("GET", "/model");
    await user.call("PUT", "/model", { ...model, tables: [...model.tables, table] });
    using screen = await Follower.start(server.url, user.token, "assets");
    const total = (number: string) => ({ total: { $number: number } });
    await program.query(`insert into assets values ('a', 'first', '{"total": 9007199254740993}')`);
    await waitFor(() => screen.received.length > 0);
    expect(screen.received[0]?.set.config).toEqual(total("9007199254740993"));
    const record = await user.record("assets", "a");
    expect(record.values.config).toEqual(total("9007199254740993"));
    // As other clients write it: a plain number, of which JSON.parse would make another.
    const plain = (number: string) => ({ total: rawNumber(number) });
    const edit = (to: string, from: string) => ({
      set: { config: plain(to) },
      base: { config: plain(from) },
    });
    await user.call(
      "PATCH",
      "/tables/assets/records/a",
      edit("9007199254740995", "9007199254740993"),
    );
    const op = { op: "update", table: "assets", record: "a" };
    const call = {
      id: "exact",
      ops: [{ ...op, ...edit("0.10000000000000000001", "9007199254740995") }],
    };
    const answer = await screen.socket.emitWithAck("mutate", call);
    expect(answer).toMatchObject({ results: [{ ok: true }] });
    const { rows } = await program.query("select config::text from assets where id = 'a'");
    expect(rows).toEqual([{ config: '{"total": 0.10000000000000000001}' }]);
    expect(screen.violations).toEqual([]);
  });
});

/** A number that `JSON.stringify` writes digit by digit. */
function rawNumber(text: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}
