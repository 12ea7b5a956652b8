import { describe, expect, it } from "vitest";
import { Desk } from "../harness/desk.ts";
import { proofSize } from "../provision/proof-size.ts";
import { World } from "./canary-world.ts";
import { judgeWatcher } from "./watcher.ts";

const PEOPLE = proofSize(15, 30);
const CHANGES = proofSize(240, 20_000);
/** Of what leaked, so much is told. */
const TOLD = 5;
const TIMEOUT_MS = 5_400_000;

describe("proof 1: canaries", () => {
  it(`are never received by who may not see them, in ${CHANGES} changes`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    await using desk = await Desk.open({
      environment: { WATCHFLOOR_SOCKET_MESSAGES_PER_SECOND: "100000" },
    });
    const world = await World.open(desk, { people: PEOPLE, changes: CHANGES });
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
