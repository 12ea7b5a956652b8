import type { FrameMessage } from "../../../shared/protocol/frame.ts";
import type { FeedState } from "../../store/log-change.ts";
import type { WallboardPlan } from "../plan/wallboard-plan.ts";
import type { EvaluatorDeps } from "./evaluator-deps.ts";
import type { Feeds } from "./feeds.ts";
import type { Labels } from "./labels.ts";
import type { QueryRegistry } from "./query-registry.ts";
import { WallboardQuery } from "./wallboard-query.ts";

interface Parts {
  registry: QueryRegistry;
  feeds: Feeds;
  labels: Labels;
}

/** The wallboards that are evaluated, with their frames. Their results and the feeds are the evaluator's. */
export class WallboardQueries {
  readonly #deps: Pick<EvaluatorDeps, "wallboardCache" | "metrics" | "onFrame" | "onProven">;
  readonly #parts: Parts;
  readonly #onDirty: () => void;
  readonly #queries = new Map<string, WallboardQuery>();

  /** `onDirty` is called when a frame has to be composed. */
  constructor(deps: EvaluatorDeps, parts: Parts, onDirty: () => void) {
    this.#deps = deps;
    this.#parts = parts;
    this.#onDirty = onDirty;
  }

  keys(): string[] {
    return [...this.#queries.keys()];
  }

  get isEmpty(): boolean {
    return this.#queries.size === 0;
  }

  /** The last frame of a wallboard, at the position up to which it is right. */
  frame(key: string): FrameMessage | null {
    const { registry, feeds } = this.#parts;
    const wallboardQuery = this.#queries.get(key);
    if (!wallboardQuery?.last) return null;
    if (wallboardQuery.isDirty || wallboardQuery.isChanging(registry.all, Date.now()))
      return wallboardQuery.last;
    return { ...wallboardQuery.last, position: feeds.position(wallboardQuery.plan.tables) };
  }

  /** Evaluates a wallboard from now on; may be repeated. `previous`: the last frame of another server. */
  add(plan: WallboardPlan, previous: FrameMessage | null): void {
    const known = this.#queries.get(plan.key);
    const wallboardQuery = known ?? new WallboardQuery(plan, previous);
    if (!known) for (const other of this.#queries.values()) wallboardQuery.continueAlerts(other);
    this.#queries.set(plan.key, wallboardQuery);
    if (!this.#parts.registry.register(wallboardQuery) && known) return;
    wallboardQuery.isDirty = true;
    this.#count();
    this.#onDirty();
  }

  remove(key: string): void {
    const { registry, feeds } = this.#parts;
    const wallboardQuery = this.#queries.get(key);
    if (!wallboardQuery) return;
    this.#queries.delete(key);
    for (const one of wallboardQuery.keys.keys()) registry.unregister(wallboardQuery, one);
    feeds.retain(registry.tables);
    this.#count();
  }

  /** Labels or acknowledgements may have changed. */
  refresh({ users = false } = {}): void {
    if (users) {
      this.#parts.labels.forgetUserNames();
      this.#parts.registry.markOrderedByLabelsOf(null);
    }
    for (const wallboardQuery of this.#queries.values()) wallboardQuery.isDirty = true;
    this.#onDirty();
  }

  /** Whether the passing of time changes what a wallboard says. */
  checkClock(now: number, checkedAt: number): boolean {
    let isSomeDirty = false;
    for (const wallboardQuery of this.#queries.values()) {
      const at = wallboardQuery.silentAt(this.#parts.registry.all, checkedAt);
      if (at !== null && at <= now) wallboardQuery.isDirty = true;
      isSomeDirty ||= wallboardQuery.isDirty;
    }
    return isSomeDirty;
  }

  /** Proves every wallboard that has reached these heads, read at `asOf`; whether all have. */
  prove(heads: readonly FeedState[], asOf: number): boolean {
    const { registry, feeds } = this.#parts;
    const byTable = new Map(heads.map((head) => [head.table, head]));
    const isProven = (wallboardQuery: WallboardQuery) =>
      wallboardQuery.last !== null &&
      !wallboardQuery.isDirty &&
      !wallboardQuery.isChanging(registry.all, asOf) &&
      feeds.hasTaken(wallboardQuery.plan.tables, byTable);
    let all = true;
    for (const [key, wallboardQuery] of this.#queries) {
      if (isProven(wallboardQuery)) {
        const position = feeds.position(wallboardQuery.plan.tables);
        const proof = {
          position,
          asOf: new Date(asOf).toISOString(),
          figures: wallboardQuery.valuesHash,
        };
        this.#deps.onProven(key, proof);
      } else all = false;
    }
    return all;
  }

  /** Composes what changed and sends it. */
  publishFrames(): void {
    const { registry, feeds, labels } = this.#parts;
    const now = Date.now();
    for (const [key, wallboardQuery] of this.#queries) {
      if (!wallboardQuery.isDirty || !wallboardQuery.isConsistent(registry.all, now)) continue;
      if (this.#lacksLabels(wallboardQuery, now)) continue;
      const { wallboard, tables } = wallboardQuery.plan;
      const frame = wallboardQuery.compose(
        registry.all,
        { now, position: feeds.position(tables) },
        labels.find,
        (...row) => this.#deps.wallboardCache.acknowledgement(wallboard, ...row),
      );
      if (!frame) continue;
      this.#deps.metrics.frames += 1;
      this.#deps.onFrame(key, frame);
    }
  }

  /** Looks up the labels of a wallboard, outside the rounds. Whether it still waits for them. */
  #lacksLabels(wallboardQuery: WallboardQuery, now: number): boolean {
    const { registry, labels } = this.#parts;
    const lookup = labels.load(wallboardQuery.requiredLabels(registry.all));
    void lookup?.then(() => {
      wallboardQuery.isDirty = true;
      this.#onDirty();
    });
    return wallboardQuery.waitsForLabels(lookup !== null, now);
  }

  #count(): void {
    this.#deps.metrics.wallboards = this.#queries.size;
    this.#deps.metrics.distinctQueries = this.#parts.registry.all.size;
  }
}
