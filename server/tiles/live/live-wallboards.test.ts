import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { databases } from "../../../e2e/provision/databases.ts";
import type { Model } from "../../../shared/model/model.ts";
import { tileSchema } from "../../../shared/model/wallboard/tile.ts";
import type { ProvenMessage } from "../../../shared/protocol/frame.ts";
import type { Bus } from "../../relay/bus/bus.ts";
import { createInProcessBus } from "../../relay/bus/in-process-bus.ts";
import { silentLog } from "../../relay/testing/silent-log.ts";
import { noTileMetrics } from "../engine/evaluator-deps.ts";
import type { WallboardPlan } from "../plan/wallboard-plan.ts";
import { TileEnvironment } from "../testing/tile-environment.ts";
import type { LiveWallboard } from "./live-wallboard.ts";
import { LiveWallboards } from "./live-wallboards.ts";
import {
  type RemoteRequest,
  TILES_CHANNEL,
  type TilesMessage,
  type WallboardRequest,
} from "./tiles-messages.ts";

/** Two servers on one Postgres and one bus, of which one evaluates the tiles for both. */

const within = { timeout: 60_000, interval: 20 };
const layout = { x: 0, y: 0, w: 3, h: 2 };
const tiles = [tileSchema.parse({ id: "all", kind: "number", table: "things", layout })];

let world: TileEnvironment;
let plan: WallboardPlan;
const request: WallboardRequest = { reader: { kind: "user", id: "ann" }, call: { wallboard: "b" } };

beforeAll(async () => {
  const [kind] = databases;
  if (!kind) throw new Error("There is no database to test on.");
  world = await TileEnvironment.open(kind);
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

/** The kinds of tile messages from now on. */
function receivedKinds(bus: Bus): string[] {
  const kinds: string[] = [];
  bus.subscribe(TILES_CHANNEL, ({ kind }) => kinds.push(kind));
  return kinds;
}

async function count(): Promise<number> {
  const { rows } = await world.environment.database.pool.query(
    "select count(*)::int as n from things",
  );
  return rows[0].n;
}

/** One of the servers. `hears`: the bus messages that reach it; `model`: the one that it has loaded. */
function startServer(
  bus: Bus,
  lock: typeof never | typeof always,
  {
    isReceiving = () => true,
    derivePlan = async () => plan,
    model = () => world.environment.model,
    onProven = () => undefined,
  }: {
    isReceiving?: (message: unknown) => boolean;
    derivePlan?: (remote: RemoteRequest) => Promise<WallboardPlan | null>;
    model?: () => Model;
    onProven?: (message: ProvenMessage) => void;
  } = {},
): LiveWallboards {
  const source = new LiveWallboards({
    ...world.deps(noTileMetrics()),
    model,
    plans: { derive: derivePlan, isCurrent: () => true },
    lock,
    bus: {
      publish: bus.publish,
      state: bus.state,
      subscribe: (channel, handler) =>
        bus.subscribe(channel, (message) => isReceiving(message) && handler(message)),
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

const shownIn = (liveWallboard: LiveWallboard) => liveWallboard.frame?.tiles.all?.value;

describe("a server that receives the tiles from another", () => {
  it("requests a lost frame, and confirms nothing by the previous frame until it arrives", async () => {
    const bus = createInProcessBus(silentLog);
    let isDropping = false;
    const proofs: ProvenMessage[] = [];
    const owner = startServer(bus, always);
    const isFrame = (message: unknown) => (message as { kind: string }).kind === "frame";
    const other = startServer(bus, never, {
      isReceiving: (message) => !(isDropping && isFrame(message)),
      onProven: (message) => proofs.push(message),
    });
    const liveWallboard = other.liveWallboard(plan, request);
    const shown = () => shownIn(liveWallboard);
    await vi.waitFor(async () => expect(shown()).toBe(await count()), within);

    isDropping = true;
    const before = shown();
    await oneMore();
    const lostAt = Date.now();
    // the owner goes on confirming a frame that this server has not received
    let received = 0;
    const stop = bus.subscribe(TILES_CHANNEL, (message) => {
      if (message.kind === "proven") received += 1;
    });
    await vi.waitFor(() => expect(received).toBeGreaterThan(2), within);
    stop();
    expect(shown()).toBe(before);
    expect(Date.parse(proofs.at(-1)?.asOf ?? "")).toBeLessThan(lostAt);

    isDropping = false;
    await vi.waitFor(async () => expect(shown()).toBe(await count()), within);
    await vi.waitFor(
      () => expect(Date.parse(proofs.at(-1)?.asOf ?? "")).toBeGreaterThan(lostAt),
      within,
    );
    await other.stop();
    await owner.stop();
  });

  it("gets no frame while the owner derives another plan, and gets one once the plans are equal", async () => {
    const bus = createInProcessBus(silentLog);
    const received = receivedKinds(bus);
    const derived: RemoteRequest[] = [];
    let isCurrent = false;
    const owner = startServer(bus, always, {
      derivePlan: async (remote) => {
        derived.push(remote);
        return isCurrent ? plan : { ...plan, key: "of another model" };
      },
    });
    await vi.waitFor(() => expect(owner.isOwner).toBe(true), within);
    const other = startServer(bus, never);
    const liveWallboard = other.liveWallboard(plan, request);
    await vi.waitFor(() => expect(derived.length).toBeGreaterThan(0), within);
    // meanwhile the other server evaluates the wallboard itself
    await vi.waitFor(async () => expect(shownIn(liveWallboard)).toBe(await count()), within);
    expect(received).not.toContain("frame");
    isCurrent = true;
    await vi.waitFor(() => expect(received).toContain("frame"), within);
    expect(derived[0]).toEqual({ scene: plan.key, request });
    await other.stop();
    await owner.stop();
  });
});

describe("the owner of the tiles", () => {
  it("evaluates nothing for a reader who may not see the wallboard", async () => {
    const bus = createInProcessBus(silentLog);
    const received = receivedKinds(bus);
    let requestCount = 0;
    const derivePlan = async ({ request: { reader } }: RemoteRequest) => {
      requestCount += 1;
      return reader.id === "ann" ? plan : null;
    };
    const owner = startServer(bus, always, { derivePlan });
    await vi.waitFor(() => expect(owner.isOwner).toBe(true), within);
    const outsider = { ...request, reader: { kind: "user" as const, id: "nobody" } };
    bus.publish(TILES_CHANNEL, { kind: "want", wants: [{ scene: plan.key, request: outsider }] });
    await vi.waitFor(() => expect(requestCount).toBe(1), within);
    bus.publish(TILES_CHANNEL, { kind: "want", wants: [{ scene: "another", request }] });
    await vi.waitFor(() => expect(requestCount).toBe(2), within);
    await oneMore();
    bus.publish(TILES_CHANNEL, { kind: "want", wants: [{ scene: plan.key, request }] });
    await vi.waitFor(() => expect(received).toContain("frame"), within);
    expect(requestCount).toBe(3);
    await owner.stop();
  });

  it("continues when a plan can't be derived", async () => {
    const bus = createInProcessBus(silentLog);
    let isUnavailable = true;
    const derivePlan = async () => {
      if (isUnavailable) throw new Error("the database is unavailable");
      return plan;
    };
    const owner = startServer(bus, always, { derivePlan });
    await vi.waitFor(() => expect(owner.isOwner).toBe(true), within);
    const received = receivedKinds(bus);
    const remote: TilesMessage = { kind: "want", wants: [{ scene: plan.key, request }] };
    bus.publish(TILES_CHANNEL, remote);
    isUnavailable = false;
    await vi.waitFor(() => {
      bus.publish(TILES_CHANNEL, remote);
      expect(received).toContain("frame");
    }, within);
    await owner.stop();
  });
});

describe("the schema of tiles messages", () => {
  const accepts = (message: unknown) => TILES_CHANNEL.schema.safeParse(message).success;

  it("accepts ids in requests, and no part of a plan", () => {
    const remote = { scene: plan.key, request };
    expect(accepts({ kind: "want", wants: [remote] })).toBe(true);
    expect(TILES_CHANNEL.schema.parse({ kind: "want", wants: [{ ...remote, plan }] })).toEqual({
      kind: "want",
      wants: [remote],
    });
    const call = { ...request.call, filter: null };
    expect(accepts({ kind: "want", wants: [{ ...remote, request: { ...request, call } }] })).toBe(
      false,
    );
  });

  it.each([
    null,
    { kind: "other" },
    { kind: "want", scenes: [] },
    { kind: "want", wants: [null] },
    { kind: "want", wants: [{ scene: "s", request: { reader: { kind: "role", id: "owner" } } }] },
    { kind: "frame", scene: "s" },
    { kind: "frame", scene: "s", frame: { position: {}, tiles: null } },
    { kind: "proven" },
    { kind: "proven", proofs: { s: null } },
    { kind: "proven", proofs: { s: { position: {}, figures: "", asOf: "later" } } },
  ])("rejects %j", (message) => expect(accepts(message)).toBe(false));
});
