import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectionAtom } from "../../client/src/state/connection-state.ts";
import { presenceAtom } from "../../client/src/state/table-state.ts";
import { EditLoad } from "../harness/edit-load.ts";
import { ServerProcess } from "../harness/server-process.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser, type OpenCore } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { Watcher } from "../harness/watcher.ts";
import { systemDatabase } from "../provision/databases.ts";
import { isFullProof, proofSize } from "../provision/proof-size.ts";
import { startRedis, type TestRedis } from "../provision/redis.ts";

const TEST_TIMEOUT_MS = 240_000;
const ROUNDS = proofSize(5, 30);
/** Slower without Redis, but updated: the log is polled several times a second. */
const SHOWN_WITHIN_MS = 60_000;
const STATE_WITHIN_MS = 60_000;
/** A client whose server was unavailable tries again after at most 10 s (C2). */
const BACK_WITHIN_MS = 60_000;
/** The promise for presence, whatever the settings. */
const GONE_WITHIN_MS = 30_000;
const shortPresence = {
  PRESENCE_TTL_MS: "4000",
  PRESENCE_HEARTBEAT_MS: "1000",
};

interface UserConnection {
  node: ServerProcess;
  open: OpenCore;
  screen: Watcher;
}

describe("two servers on one Postgres and one Redis", { timeout: TEST_TIMEOUT_MS }, () => {
  let redis: TestRedis;
  let installation: TestInstallation<ServerProcess>;
  let ann: UserConnection;
  let bob: UserConnection;
  const opened = new AsyncDisposableStack();

  beforeAll(async () => {
    redis = opened.adopt(await startRedis(), (started) => started.close());
    const environment = { REDIS_URL: redis.url, ...(isFullProof ? {} : shortPresence) };
    installation = opened.use(await TestInstallation.open({ kind: systemDatabase, environment }));
    const both = { ...environment, DATABASE_URL: installation.databaseUrl };
    const second = opened.use(await ServerProcess.start({ environment: both }));
    ann = await connectUser("Ann", installation.server);
    bob = await connectUser("Bob", second);
  });
  afterAll(() => opened.disposeAsync());

  async function connectUser(name: string, node: ServerProcess): Promise<UserConnection> {
    const user = await addUser(installation.server.url, installation.ownerUser, name);
    const open = user.open({ url: node.url });
    return { node, open, screen: opened.use(await Watcher.open(user, open)) };
  }

  const isDegraded = ({ open }: UserConnection) => open.store.get(connectionAtom).degraded;
  const bothReport = (degraded: boolean) =>
    until(`both say degraded: ${degraded}`, STATE_WITHIN_MS, () =>
      [ann, bob].every((caller) => isDegraded(caller) === degraded),
    );
  const shows = (
    { screen }: UserConnection,
    record: string,
    title: string,
    withinMs = SHOWN_WITHIN_MS,
  ) =>
    until(`${record} shows ${title}`, withinMs, () => {
      return screen.values(record)?.title === title;
    });

  /** What one writes on their server, the other sees on theirs. */
  async function waitForEachOther(marker: string): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      for (const [writer, reader] of [
        [ann, bob],
        [bob, ann],
      ] as const) {
        const title = `${marker} ${round} ${writer === ann}`;
        const base = { title: writer.screen.values("seed-1")?.title ?? null };
        writer.screen.core.edits.edit("incidents", { record: "seed-1", set: { title }, base });
        await shows(reader, "seed-1", title);
      }
    }
  }

  async function verifyNothingLost(load: EditLoad): Promise<void> {
    const { expected, logged, head } = await load.end(installation.ownerUser);
    expect(logged).toBe(expected + 4 * ROUNDS);
    for (const { screen } of [ann, bob]) {
      await screen.reaches(head, STATE_WITHIN_MS);
      const { shown, stored } = await screen.rowsAgainstQuery();
      expect(shown).toEqual(stored);
      expect(screen.session.counters).toMatchObject({ duplicates: 0, resyncs: 0 });
    }
  }

  it("continue while Redis is killed under load, say degraded, and recover", async () => {
    await bothReport(false);
    const load = await EditLoad.begin(installation.ownerUser, [ann.screen, bob.screen]);
    await redis.stop("SIGKILL");
    await bothReport(true);
    await waitForEachOther("without Redis");
    await redis.start();
    await bothReport(false);
    await waitForEachOther("with Redis again");
    await verifyNothingLost(load);
  });

  it("continue while Redis hangs under load, and is flushed", async () => {
    const load = await EditLoad.begin(installation.ownerUser, [ann.screen, bob.screen]);
    redis.pause();
    await bothReport(true);
    await waitForEachOther("with a Redis that hangs");
    redis.resume();
    await redis.flush();
    await bothReport(false);
    await redis.flush();
    await waitForEachOther("with an empty Redis");
    await verifyNothingLost(load);
  });

  /** After the first of the two, the one that is killed next was certainly the leader. */
  it("take over from each other when one is killed, and remove its presence entries", {
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
      await installation.program.query(text, [title]);
      await shows(living, "seed-2", title);
      await until("nobody else is here", GONE_WITHIN_MS, () => others().length === 0);
      await dying.node.start();
      await shows(dying, "seed-2", title, BACK_WITHIN_MS);
    }
  });
});
