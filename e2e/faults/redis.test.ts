import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectionAtom } from "../../client/src/state/connection-state.ts";
import { presenceAtom } from "../../client/src/state/table-state.ts";
import { Desk } from "../harness/desk.ts";
import { Load } from "../harness/load.ts";
import { addPerson, type OpenCore } from "../harness/person.ts";
import { ServerProcess } from "../harness/server-process.ts";
import { until } from "../harness/until.ts";
import { Watcher } from "../harness/watcher.ts";
import { databases } from "../provision/databases.ts";
import { isWholeProof, proofSize } from "../provision/proof-size.ts";
import { startRedis, type TestRedis } from "../provision/redis.ts";

const TEST_TIMEOUT_MS = 240_000;
const ROUNDS = proofSize(5, 30);
/** Slower without Redis, but moving: the log is asked several times a second. */
const SHOWN_WITHIN_MS = 60_000;
const STATE_WITHIN_MS = 60_000;
/** A client whose server was away tries again after at most 10 s (C2). */
const BACK_WITHIN_MS = 60_000;
/** The promise for presence, whatever the settings. */
const GONE_WITHIN_MS = 30_000;
const impatient = { WATCHFLOOR_PRESENCE_TTL_MS: "4000", WATCHFLOOR_PRESENCE_HEARTBEAT_MS: "1000" };

interface Seat {
  node: ServerProcess;
  open: OpenCore;
  screen: Watcher;
}

describe("two servers on one Postgres and one Redis", { timeout: TEST_TIMEOUT_MS }, () => {
  let redis: TestRedis;
  let desk: Desk;
  let ann: Seat;
  let bob: Seat;
  const opened = new AsyncDisposableStack();

  beforeAll(async () => {
    redis = opened.adopt(await startRedis(), (started) => started.close());
    const environment = { REDIS_URL: redis.url, ...(isWholeProof ? {} : impatient) };
    desk = opened.use(await Desk.open({ kind: databases[1], environment }));
    const both = { ...environment, DATABASE_URL: desk.databaseUrl };
    const second = opened.use(await ServerProcess.start({ environment: both }));
    ann = await seat("Ann", desk.server);
    bob = await seat("Bob", second);
  });
  afterAll(() => opened.disposeAsync());

  async function seat(name: string, node: ServerProcess): Promise<Seat> {
    const person = await addPerson(desk.server.url, desk.boss, name);
    const open = person.open({ url: node.url });
    return { node, open, screen: opened.use(await Watcher.open(person, open)) };
  }

  const isDegraded = ({ open }: Seat) => open.store.get(connectionAtom).degraded;
  const bothSay = (degraded: boolean) =>
    until(`both say degraded: ${degraded}`, STATE_WITHIN_MS, () =>
      [ann, bob].every((who) => isDegraded(who) === degraded),
    );
  const shows = ({ screen }: Seat, record: string, title: string, withinMs = SHOWN_WITHIN_MS) =>
    until(`${record} shows ${title}`, withinMs, () => {
      return screen.values(record)?.title === title;
    });

  /** What one writes on their node, the other sees on theirs. */
  async function eachSeesTheOther(word: string): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      for (const [writer, reader] of [
        [ann, bob],
        [bob, ann],
      ] as const) {
        const title = `${word} ${round} ${writer === ann}`;
        const base = { title: writer.screen.values("seed-1")?.title ?? null };
        writer.screen.core.edits.edit("incidents", { record: "seed-1", set: { title }, base });
        await shows(reader, "seed-1", title);
      }
    }
  }

  async function nothingIsLost(load: Load): Promise<void> {
    const { expected, logged, head } = await load.end(desk.boss);
    expect(logged).toBe(expected + 4 * ROUNDS);
    for (const { screen } of [ann, bob]) {
      await screen.reaches(head, STATE_WITHIN_MS);
      const { shown, stored } = await screen.rowsAgainstQuery();
      expect(shown).toEqual(stored);
      expect(screen.session.counters).toMatchObject({ duplicates: 0, resyncs: 0 });
    }
  }

  it("go on while Redis is killed under load, say degraded, and recover", async () => {
    await bothSay(false);
    const load = await Load.begin(desk.boss, [ann.screen, bob.screen]);
    await redis.stop("SIGKILL");
    await bothSay(true);
    await eachSeesTheOther("without Redis");
    await redis.start();
    await bothSay(false);
    await eachSeesTheOther("with Redis again");
    await nothingIsLost(load);
  });

  it("go on while Redis hangs under load, and is flushed", async () => {
    const load = await Load.begin(desk.boss, [ann.screen, bob.screen]);
    redis.pause();
    await bothSay(true);
    await eachSeesTheOther("with a Redis that hangs");
    redis.resume();
    await redis.flush();
    await bothSay(false);
    await redis.flush();
    await eachSeesTheOther("with an empty Redis");
    await nothingIsLost(load);
  });

  /** After the first of the two, the one that is killed next was certainly the leader. */
  it("take over from each other when one is killed, and lose its people", {
    timeout: 240_000,
  }, async () => {
    for (const [dying, living] of [
      [ann, bob],
      [bob, ann],
    ] as const) {
      const others = () => living.open.store.get(presenceAtom("incidents"));
      dying.screen.core.presence.set("incidents", { record: "seed-3", mode: "editing" });
      await until("presence is seen", STATE_WITHIN_MS, () => others().length > 0);
      await dying.node.kill("SIGKILL");
      const title = `written while ${dying.node.port} is dead`;
      const text = "update incidents set title = $1 where id = 'seed-2'";
      await desk.program.query(text, [title]);
      await shows(living, "seed-2", title);
      await until("nobody else is here", GONE_WITHIN_MS, () => others().length === 0);
      await dying.node.start();
      await shows(dying, "seed-2", title, BACK_WITHIN_MS);
    }
  });
});
