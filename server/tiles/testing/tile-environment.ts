import type { DatabaseKind } from "../../../e2e/provision/databases.ts";
import type { Json } from "../../../shared/filter/filter.ts";
import { defaultLimits } from "../../../shared/limits.ts";
import type { Field, Model } from "../../../shared/model/model.ts";
import type { Tile } from "../../../shared/model/wallboard/tile.ts";
import type { FrameMessage, TileFrame } from "../../../shared/protocol/frame.ts";
import { createInProcessBus } from "../../relay/bus/in-process-bus.ts";
import { openFeedLog } from "../../relay/feed-log.ts";
import { FeedTails } from "../../relay/feed-tails.ts";
import { markKey } from "../../relay/testing/mark-key.ts";
import { silentLog } from "../../relay/testing/silent-log.ts";
import { readFeedStates } from "../../store/feed-log.ts";
import {
  createStoreEnvironment,
  type StoreEnvironment,
} from "../../store/testing/store-environment.ts";
import { Evaluator } from "../engine/evaluator.ts";
import { noTileMetrics } from "../engine/evaluator-deps.ts";
import { RECENT_CHANGES } from "../engine/feeds.ts";
import { planWallboard } from "../plan/plan-wallboard.ts";
import type { WallboardPlan } from "../plan/wallboard-plan.ts";
import type { Reader } from "../reader.ts";

const field = (name: string, type: Field["type"], more: Partial<Field> = {}): Field => ({
  name,
  label: name,
  type,
  ...more,
});

/** One table with a field of every kind that tiles use. */
export const testModel: Model = {
  version: 1,
  tables: [
    {
      name: "things",
      label: "Things",
      recordLabel: "thing",
      display: "title",
      columns: ["title"],
      sort: ["title"],
      fields: [
        field("title", "text"),
        field("level", "select", { options: ["low", "high"].map((value) => ({ value })) }),
        field("amount", "integer"),
        field("price", "money", { scale: 2 }),
        field("done", "boolean"),
        field("due", "date"),
        field("opened", "timestamp"),
        field("tags", "multiSelect"),
      ],
    },
  ],
};

const COMPARING = { TILES_VERIFY_INTERVAL_MS: 20 };
const STABLE_CHECK_MS = 5;
const STABLE_TIMEOUT_MS = 60_000;

/**
 * The tiles on a real Postgres, and the database's result at the same moment: one evaluator that lives
 * through all changes, and a new one for each comparison, which uses SQL alone.
 */
export class TileEnvironment implements AsyncDisposable {
  readonly environment: StoreEnvironment;
  readonly metrics = noTileMetrics();
  /** Of a second evaluator, which continuously compares its results with the database. */
  readonly compared = noTileMetrics();
  readonly frames = new Map<string, FrameMessage>();
  readonly #tails: FeedTails;
  readonly #storedFrames: Evaluator;
  readonly #comparing: Evaluator;

  private constructor(environment: StoreEnvironment, tails: FeedTails) {
    this.environment = environment;
    this.#tails = tails;
    // a wrongly updated result must not be corrected behind the test's back
    const never = { TILES_VERIFY_INTERVAL_MS: 3_600_000 };
    const onFrame = (key: string, frame: FrameMessage) => this.frames.set(key, frame);
    this.#storedFrames = this.#evaluator(this.metrics, onFrame, never);
    this.#comparing = this.#evaluator(this.compared, () => undefined, COMPARING);
  }

  static async open(kind: DatabaseKind): Promise<TileEnvironment> {
    const environment = await createStoreEnvironment(kind, testModel);
    const tails = new FeedTails({
      log: openFeedLog(environment.database),
      bus: createInProcessBus(silentLog),
      logger: silentLog,
      markKey,
      limits: { ...defaultLimits, RING_MAX_CHANGES: 100, RELAY_POLL_MS: 1_000_000 },
    });
    await tails.start();
    const world = new TileEnvironment(environment, tails);
    world.#storedFrames.start();
    world.#comparing.start();
    return world;
  }

  plan(tiles: Tile[], scopeFilter: ReturnType<Reader["scopeOf"]>): WallboardPlan {
    const reader: Reader = {
      kind: "person",
      me: null,
      scopeOf: () => scopeFilter,
      showsHistory: () => true,
    };
    const grid = { columns: 12, rows: 8 };
    const document = { name: "b", tiles, grid, zone: "UTC", theme: "dark" as const };
    return planWallboard(
      { wallboard: "b", version: 1, document },
      { reader, model: testModel, textOrder: "en" },
    );
  }

  /** One transaction of statements. */
  async commit(statements: readonly { text: string; values: Json[] }[]): Promise<void> {
    const client = await this.environment.database.pool.connect();
    try {
      await client.query("begin");
      for (const { text, values } of statements) await client.query(text, values);
      await client.query("commit");
    } catch (error) {
      await client.query("rollback");
      throw error;
    } finally {
      client.release();
    }
  }

  watch(plan: WallboardPlan): void {
    this.#storedFrames.wallboards.add(plan, null);
    this.#comparing.wallboards.add(plan, null);
  }

  forget(plan: WallboardPlan): void {
    this.#storedFrames.wallboards.remove(plan.key);
    this.#comparing.wallboards.remove(plan.key);
  }

  /** What the screens show, once it is proven to be of now. */
  async shown(plan: WallboardPlan): Promise<Record<string, TileFrame>> {
    await this.#waitUntilStable(this.#storedFrames);
    return this.#bare(this.#storedFrames.wallboards.frame(plan.key));
  }

  /** What a server would show that has only just started. */
  async read(plan: WallboardPlan): Promise<Record<string, TileFrame>> {
    const fresh = this.#evaluator(noTileMetrics(), () => undefined, {});
    fresh.start();
    fresh.wallboards.add(plan, null);
    await this.#waitUntilStable(fresh);
    const frame = fresh.wallboards.frame(plan.key);
    await fresh.stop();
    return this.#bare(frame);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#storedFrames.stop();
    await this.#comparing.stop();
    this.#tails.stop();
    await this.environment[Symbol.asyncDispose]();
  }

  /** Without what a new server can't know: what an activity feed can't reach back to. */
  async #bare(frame: FrameMessage | null): Promise<Record<string, TileFrame>> {
    const heads = await readFeedStates(this.environment.database);
    const head = heads.find(({ table }) => table === "things")?.head ?? 0;
    const reached = head - RECENT_CHANGES;
    const tiles = Object.entries(frame?.tiles ?? {}).map(([id, { changedAt: _, ...tile }]) => {
      const rows = tile.rows?.filter(({ change, key }) => !change || Number(key) > reached);
      return [id, { ...tile, ...(rows && { rows }) }];
    });
    return Object.fromEntries(tiles);
  }

  async #waitUntilStable(evaluator: Evaluator): Promise<void> {
    const until = performance.now() + STABLE_TIMEOUT_MS;
    for (;;) {
      await this.#tails.poll();
      const heads = await readFeedStates(this.environment.database);
      if (evaluator.wallboards.prove(heads, Date.now())) return;
      if (performance.now() > until) throw new Error("The tiles do not become current.");
      await evaluator.catchUp();
      await new Promise((done) => setTimeout(done, STABLE_CHECK_MS));
    }
  }

  #evaluator(
    metrics: TileEnvironment["metrics"],
    onFrame: (key: string, frame: FrameMessage) => void,
    limits: { TILES_VERIFY_INTERVAL_MS?: number },
  ): Evaluator {
    return new Evaluator({ ...this.deps(metrics, limits), onFrame, onProven: () => undefined });
  }

  /** What an evaluator needs, all of it real; it may query the database as often as it likes. */
  deps(metrics: TileEnvironment["metrics"], limits: { TILES_VERIFY_INTERVAL_MS?: number } = {}) {
    const { database, model } = this.environment;
    return {
      database,
      model: () => model,
      tails: this.#tails,
      wallboardCache: { acknowledgement: () => undefined },
      log: silentLog,
      metrics,
      limits: {
        ...defaultLimits,
        TILE_REFRESHES_PER_SECOND: 1_000,
        // a busy machine must not leave a tile without a value
        TILE_QUERY_TIMEOUT_MS: 60_000,
        ...limits,
      },
    };
  }

  /** Notifies the tiles of what was committed, as the relay does. */
  poll(): Promise<void> {
    return this.#tails.poll();
  }
}
