import { describe, expect, it } from "vitest";
import { Desk } from "../harness/desk.ts";
import { ServerProcess } from "../harness/server-process.ts";
import { sharedRedisUrl } from "../provision/databases.ts";
import { proofSize } from "../provision/proof-size.ts";
import { World } from "./canary-world.ts";
import { judgeWatcher } from "./watcher.ts";

const PEOPLE = proofSize(15, 30);
const CHANGES = proofSize(240, 20_000);
/** Of what leaked, so much is told. */
const TOLD = 5;
const TIMEOUT_MS = 5_400_000;
/** Another one in each whole proof; it is printed, and SEED repeats it. */
const SEED = Number(process.env.SEED ?? proofSize(4, Date.now() % 1_000_000));

describe("proof 1: canaries", () => {
  it(`are never received by who may not see them, in ${CHANGES} changes`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    console.log(`Seed ${SEED}`);
    const environment = {
      WATCHFLOOR_SOCKET_MESSAGES_PER_SECOND: "100000",
      REDIS_URL: sharedRedisUrl(),
    };
    await using desk = await Desk.open({ environment });
    const second = { ...environment, DATABASE_URL: desk.databaseUrl };
    await using other = await ServerProcess.start({ environment: second });
    const urls = [desk.server.url, other.url];
    const world = await World.open(desk, { seed: SEED, people: PEOPLE, changes: CHANGES, urls });
    await world.play();
    expect(world.leaks.slice(0, TOLD)).toEqual([]);
    for (const watcher of world.watchers) await judgeWatcher(watcher, desk.boss, world.board);
    expect(world.leaks.slice(0, TOLD)).toEqual([]);
    expect(world.done).toBeGreaterThan(CHANGES / 4);
    expect(world.received).toBeGreaterThan(CHANGES);
    expect(world.met).toBeGreaterThan(0);
    world.close();
  });
});
