import type { WallboardPosition } from "../../../shared/protocol/frame.ts";
import { readSpan } from "../../store/feed-log.ts";
import type { FeedState, LogChange } from "../../store/log-change.ts";
import type { EvaluatorDeps } from "./evaluator-deps.ts";
import { FeedCursor, FeedReset } from "./feed-cursor.ts";

/** Changes of the log that an activity feed reaches back. */
export const RECENT_CHANGES = 500;

/** The feeds of all queried tables, each as far as the tiles have applied it. */
export class Feeds {
  readonly #deps: Pick<EvaluatorDeps, "database" | "tails">;
  readonly #cursors = new Map<string, FeedCursor>();

  constructor(deps: Pick<EvaluatorDeps, "database" | "tails">) {
    this.#deps = deps;
  }

  get(table: string): FeedCursor | undefined {
    return this.#cursors.get(table);
  }

  all(): Iterable<FeedCursor> {
    return this.#cursors.values();
  }

  /** Whether changes wait that are in no result yet. */
  get isWaiting(): boolean {
    return [...this.#cursors.values()].some(({ waiting }) => waiting.length > 0);
  }

  /** Begins to follow tables, before anything of them is read. */
  async follow(tables: readonly string[]): Promise<void> {
    for (const table of tables) {
      if (this.#cursors.has(table)) continue;
      const tail = await this.#deps.tails.find(table);
      if (tail && !this.#cursors.has(table)) this.#cursors.set(table, new FeedCursor(tail));
    }
  }

  /** Stops following all others. */
  retain(tables: Iterable<string>): void {
    const retained = new Set(tables);
    for (const table of this.#cursors.keys()) if (!retained.has(table)) this.#cursors.delete(table);
  }

  /** Reads what the tails may have missed. */
  async catchUp(): Promise<void> {
    await Promise.all([...this.#cursors.values()].map(({ tail }) => tail.catchUp()));
  }

  /** Waits until all feeds have reached a snapshot's heads. */
  async reach(heads: readonly FeedState[]): Promise<void> {
    for (const { table, epoch, head } of heads) await this.#cursors.get(table)?.reach(epoch, head);
  }

  /**
   * Throws if a feed can't be advanced to exactly a snapshot's head: it has begun another history meanwhile,
   * or did so and then began beyond the snapshot, so that the changes in between are in no reading and never
   * arrive.
   */
  requireHistory(heads: readonly FeedState[]): void {
    for (const { table, epoch, head } of heads) {
      const cursor = this.#cursors.get(table);
      if (cursor && (cursor.epoch !== epoch || cursor.position > head)) throw new FeedReset();
    }
  }

  /** Whether everything up to these heads is in the results. */
  hasTaken(tables: readonly string[], heads: ReadonlyMap<string, FeedState>): boolean {
    return tables.every((table) => {
      const [cursor, head] = [this.#cursors.get(table), heads.get(table)];
      return !cursor || !head || (cursor.epoch === head.epoch && cursor.position >= head.head);
    });
  }

  position(tables: readonly string[]): WallboardPosition {
    const position: WallboardPosition = {};
    for (const table of tables) {
      const cursor = this.#cursors.get(table);
      if (cursor) position[table] = { epoch: cursor.epoch, seq: cursor.position };
    }
    return position;
  }

  /** The last changes up to a snapshot's head of a feed. */
  async readRecentChanges(table: string, heads: readonly FeedState[]): Promise<LogChange[]> {
    const head = heads.find((one) => one.table === table)?.head ?? 0;
    const from = Math.max(0, head - RECENT_CHANGES);
    const buffered = this.#cursors.get(table)?.tail.recent(from);
    const found =
      buffered ?? (await readSpan(this.#deps.database, table, from, RECENT_CHANGES))?.changes ?? [];
    return found.filter(({ seq }) => seq <= head);
  }
}
