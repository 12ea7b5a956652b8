import type { FrameMessage } from "../../../shared/protocol/frame.ts";
import type { FeedState } from "../../store/log-change.ts";
import type { BoardPlan } from "../plan/board-plan.ts";
import { BoardQuery } from "./board-query.ts";
import type { EvaluatorDeps } from "./evaluator-deps.ts";
import type { Feeds } from "./feeds.ts";
import type { Labels } from "./labels.ts";
import type { QueryRegistry } from "./query-registry.ts";

interface Parts {
  registry: QueryRegistry;
  feeds: Feeds;
  labels: Labels;
}

/** The boards that are evaluated, with their frames. Their results and the feeds are the evaluator's. */
export class BoardQueries {
  readonly #deps: Pick<EvaluatorDeps, "boards" | "metrics" | "onFrame" | "onProven">;
  readonly #parts: Parts;
  readonly #onDirty: () => void;
  readonly #boards = new Map<string, BoardQuery>();

  /** `onDirty` is called when a frame has to be composed. */
  constructor(deps: EvaluatorDeps, parts: Parts, onDirty: () => void) {
    this.#deps = deps;
    this.#parts = parts;
    this.#onDirty = onDirty;
  }

  keys(): string[] {
    return [...this.#boards.keys()];
  }

  get isEmpty(): boolean {
    return this.#boards.size === 0;
  }

  /** The last frame of a board, at the position up to which it is right. */
  frame(key: string): FrameMessage | null {
    const { registry, feeds } = this.#parts;
    const board = this.#boards.get(key);
    if (!board?.last) return null;
    if (board.isDirty || board.isChanging(registry.all, Date.now())) return board.last;
    return { ...board.last, position: feeds.position(board.plan.tables) };
  }

  /** Evaluates a board from now on; may be repeated. `previous`: the last frame of another server. */
  add(plan: BoardPlan, previous: FrameMessage | null): void {
    const known = this.#boards.get(plan.key);
    const board = known ?? new BoardQuery(plan, previous);
    this.#boards.set(plan.key, board);
    if (!this.#parts.registry.register(board) && known) return;
    board.isDirty = true;
    this.#count();
    this.#onDirty();
  }

  remove(key: string): void {
    const { registry, feeds } = this.#parts;
    const board = this.#boards.get(key);
    if (!board) return;
    this.#boards.delete(key);
    for (const one of board.keys.keys()) registry.unregister(board, one);
    feeds.retain(registry.tables);
    this.#count();
  }

  /** Labels or acknowledgements may have changed. */
  refresh({ users = false } = {}): void {
    if (users) this.#parts.labels.forgetUserNames();
    for (const board of this.#boards.values()) board.isDirty = true;
    this.#onDirty();
  }

  /** Whether the passing of time changes what a board says. */
  checkClock(now: number, checkedAt: number): boolean {
    let isSomeDirty = false;
    for (const board of this.#boards.values()) {
      const at = board.silentAt(this.#parts.registry.all, checkedAt);
      if (at !== null && at <= now) board.isDirty = true;
      isSomeDirty ||= board.isDirty;
    }
    return isSomeDirty;
  }

  /** Proves every board that has reached these heads, read at `asOf`; whether all have. */
  prove(heads: readonly FeedState[], asOf: number): boolean {
    const { registry, feeds } = this.#parts;
    const byTable = new Map(heads.map((head) => [head.table, head]));
    const isProven = (board: BoardQuery) =>
      board.last !== null &&
      !board.isDirty &&
      !board.isChanging(registry.all, asOf) &&
      feeds.hasTaken(board.plan.tables, byTable);
    let all = true;
    for (const [key, board] of this.#boards) {
      if (isProven(board)) {
        const position = feeds.position(board.plan.tables);
        const proof = { position, asOf: new Date(asOf).toISOString(), figures: board.valuesHash };
        this.#deps.onProven(key, proof);
      } else all = false;
    }
    return all;
  }

  /** Composes what changed and sends it. */
  publishFrames(): void {
    const { registry, feeds, labels } = this.#parts;
    const now = Date.now();
    for (const [key, board] of this.#boards) {
      if (!board.isDirty || !board.isConsistent(registry.all, now)) continue;
      if (this.#lacksLabels(board, now)) continue;
      const { wallboard, tables } = board.plan;
      const frame = board.compose(
        registry.all,
        { now, position: feeds.position(tables) },
        labels.find,
        (...row) => this.#deps.boards.acknowledgement(wallboard, ...row),
      );
      if (!frame) continue;
      this.#deps.metrics.frames += 1;
      this.#deps.onFrame(key, frame);
    }
  }

  /** Looks up the labels of a board, outside the rounds. Whether it still waits for them. */
  #lacksLabels(board: BoardQuery, now: number): boolean {
    const { registry, labels } = this.#parts;
    const lookup = labels.load(board.requiredLabels(registry.all));
    void lookup?.then(() => {
      board.isDirty = true;
      this.#onDirty();
    });
    return board.waitsForLabels(lookup !== null, now);
  }

  #count(): void {
    this.#deps.metrics.boards = this.#boards.size;
    this.#deps.metrics.distinctQueries = this.#parts.registry.all.size;
  }
}
