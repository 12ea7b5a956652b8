import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { databases } from "../../../e2e/provision/databases.ts";
import type { Model } from "../../../shared/model/model.ts";
import { tileSchema } from "../../../shared/model/wallboard/tile.ts";
import type { ProvenMessage } from "../../../shared/protocol/frame.ts";
import type { Bus } from "../../relay/bus/bus.ts";
import { createInProcessBus } from "../../relay/bus/in-process-bus.ts";
import { silentLog } from "../../relay/testing/silent-log.ts";
import { readFeedStates } from "../../store/feed-log.ts";
import { noTileMetrics } from "../engine/evaluator-deps.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import { TileWorld } from "../testing/tile-world.ts";
import type { SceneRoom } from "./scene-room.ts";
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

/** The kinds of what is said of tiles from now on. */
function heardKinds(bus: Bus): string[] {
  const kinds: string[] = [];
  bus.subscribe(TILES_CHANNEL, (message) => kinds.push((message as { kind: string }).kind));
  return kinds;
}

async function count(): Promise<number> {
  const { rows } = await world.desk.database.pool.query("select count(*)::int as n from things");
  return rows[0].n;
}

/** One of the servers. `hears`: what reaches it of the bus; `model`: the one that it has taken up. */
function startServer(
  bus: Bus,
  lock: typeof never | typeof always,
  {
    hears = () => true,
    model = () => world.desk.model,
    onProven = () => undefined,
  }: {
    hears?: (message: unknown) => boolean;
    model?: () => Model;
    onProven?: (message: ProvenMessage) => void;
  } = {},
): SceneSource {
  const source = new SceneSource({
    ...world.deps(noTileMetrics()),
    model,
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
        if (event === "proven") onProven(message as ProvenMessage);
      },
    },
  });
  source.start();
  return source;
}

const shownIn = (room: SceneRoom) => room.frame?.tiles.all?.value;

describe("a server that is told the tiles by another", () => {
  it("asks for a frame that was lost, and until it is here proves nothing with the one before", async () => {
    const bus = createInProcessBus(silentLog);
    let isLosing = false;
    const proofs: ProvenMessage[] = [];
    const owner = startServer(bus, always);
    const isFrame = (message: unknown) => (message as { kind: string }).kind === "frame";
    const other = startServer(bus, never, {
      hears: (message) => !(isLosing && isFrame(message)),
      onProven: (message) => proofs.push(message),
    });
    const room = other.room(plan);
    const shown = () => shownIn(room);
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

  it("is worked out for also where the owner has the model of it later", async () => {
    const bus = createInProcessBus(silentLog);
    const { model } = world.desk;
    let taken: Model = { ...model, version: model.version - 1 };
    const heard = heardKinds(bus);
    const owner = startServer(bus, always, { model: () => taken });
    const other = startServer(bus, never);
    const waiting = other.room(plan);
    await vi.waitFor(() => expect(heard).toContain("frame"), within);
    taken = model;
    // a screen of the owner's own comes to the scene that the other asked for too early
    const room = owner.room(plan);
    await vi.waitFor(async () => expect(shownIn(room)).toBe(await count()), within);
    await vi.waitFor(async () => expect(shownIn(waiting)).toBe(await count()), within);
    await other.stop();
    await owner.stop();
  });
});

describe("the owner of the tiles", () => {
  it("goes on, whatever servers of another version or strangers say", async () => {
    const bus = createInProcessBus(silentLog);
    const heard = heardKinds(bus);
    const owner = startServer(bus, always);
    await vi.waitFor(() => expect(owner.isOwner).toBe(true), within);
    const other = startServer(bus, never);
    const [tile] = plan.tiles;
    const odd = { ...plan, key: "odd", tiles: [{ ...tile, total: { model: plan.version } }] };
    for (const scenes of [[{ key: "no tiles" }], [null], "none", [odd]]) {
      bus.publish(TILES_CHANNEL, { kind: "want", scenes });
    }
    const room = other.room(plan);
    for (const rest of [{}, { frame: {} }, { frame: { position: {}, tiles: null } }]) {
      bus.publish(TILES_CHANNEL, { kind: "frame", scene: plan.key, ...rest });
    }
    for (const proofs of [undefined, null, { [plan.key]: null }, { [plan.key]: {} }]) {
      bus.publish(TILES_CHANNEL, { kind: "proven", proofs });
    }
    await vi.waitFor(async () => expect(shownIn(room)).toBe(await count()), within);
    const told = heard.length;
    await vi.waitFor(() => expect(heard.length).toBeGreaterThan(told + 3), within);
    await oneMore();
    await vi.waitFor(async () => expect(shownIn(room)).toBe(await count()), within);
    await other.stop();
    await owner.stop();
  });
});
