import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { databases } from "../../../e2e/provision/databases.ts";
import { tileSchema } from "../../../shared/model/wallboard/tile.ts";
import type { ProvenMessage } from "../../../shared/protocol/frame.ts";
import { createInProcessBus } from "../../relay/bus/in-process-bus.ts";
import { silentLog } from "../../relay/testing/silent-log.ts";
import { readFeedStates } from "../../store/feed-log.ts";
import { noTileMetrics } from "../engine/evaluator-deps.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import { TileWorld } from "../testing/tile-world.ts";
import { SceneSource } from "./scene-source.ts";
import { TILES_CHANNEL } from "./tiles-messages.ts";

/** Two servers on one Postgres and one bus, of which one works the tiles out for both. */

const within = { timeout: 60_000, interval: 20 };
const layout = { x: 0, y: 0, w: 3, h: 2 };
const tiles = [tileSchema.parse({ id: "all", kind: "number", table: "things", layout })];

let world: TileWorld;
let plan: ScenePlan;

beforeAll(async () => {
  const [kind] = databases;
  if (!kind) throw new Error("There is no database to test on.");
  world = await TileWorld.open(kind);
  plan = world.plan(tiles, { filter: null, fields: ["title"] });
});
afterAll(() => world[Symbol.asyncDispose]());

const never = { tryAcquire: async () => null };
const always = {
  tryAcquire: async () => ({ lost: new Promise<void>(() => {}), release: async () => {} }),
};

async function oneMore(): Promise<void> {
  await world.commit([{ text: "insert into things (title) values ('one')", values: [] }]);
  await world.poll();
}

async function count(): Promise<number> {
  const { rows } = await world.desk.database.pool.query("select count(*)::int as n from things");
  return rows[0].n;
}

describe("a server that is told the tiles by another", () => {
  it("asks for a frame that was lost, and until it is here proves nothing with the one before", async () => {
    const bus = createInProcessBus(silentLog);
    let isLosing = false;
    const proofs: ProvenMessage[] = [];
    const start = (lock: typeof never | typeof always, hears: (message: unknown) => boolean) => {
      const source = new SceneSource({
        ...world.deps(noTileMetrics()),
        readFeedStates: () => readFeedStates(world.desk.database),
        lock,
        bus: {
          publish: bus.publish,
          state: bus.state,
          subscribe: (channel, handler) =>
            bus.subscribe(channel, (message) => hears(message) && handler(message)),
        },
        sender: {
          toRoom: (_room, event, message) => {
            if (lock === never && event === "proven") proofs.push(message as ProvenMessage);
          },
        },
      });
      source.start();
      return source;
    };
    const owner = start(always, () => true);
    const isFrame = (message: unknown) => (message as { kind: string }).kind === "frame";
    const other = start(never, (message) => !(isLosing && isFrame(message)));
    const room = other.room(plan);
    const shown = () => room.frame?.tiles.all?.value;
    await vi.waitFor(async () => expect(shown()).toBe(await count()), within);

    isLosing = true;
    const before = shown();
    await oneMore();
    const lostAt = Date.now();
    // the owner goes on proving what this server has not got
    let heard = 0;
    const stop = bus.subscribe(TILES_CHANNEL, (message) => {
      if ((message as { kind: string }).kind === "proven") heard += 1;
    });
    await vi.waitFor(() => expect(heard).toBeGreaterThan(2), within);
    stop();
    expect(shown()).toBe(before);
    expect(Date.parse(proofs.at(-1)?.asOf ?? "")).toBeLessThan(lostAt);

    isLosing = false;
    await vi.waitFor(async () => expect(shown()).toBe(await count()), within);
    await vi.waitFor(
      () => expect(Date.parse(proofs.at(-1)?.asOf ?? "")).toBeGreaterThan(lostAt),
      within,
    );
    await other.stop();
    await owner.stop();
  });
});
