import { Listeners } from "../../shared/listeners.ts";
import { type LeaderLock, Leadership } from "../store/leadership.ts";
import type { LogSpan } from "../store/log-change.ts";
import { HINT_CHANNEL } from "./feed-messages.ts";
import { LeaderTerm, type LeaderTermDeps } from "./leader-term.ts";

/**
 * Only the leader reads the log and publishes it, so that commits cost one read and not one per server. This
 * saves work and is not needed for correctness: two leaders publish the same, and a server without any leader
 * reads the log by itself (feed-tails.ts).
 */
export class Relay {
  readonly #deps;
  readonly #leadership: Leadership;
  readonly #undo: (() => void)[] = [];
  readonly #ownCommits: Listeners<LogSpan>;
  #term: LeaderTerm | null = null;

  constructor(
    deps: LeaderTermDeps & {
      lock: LeaderLock;
      /** Calls back with a table that other programs wrote to, null where it may be any. Returns a function that unsubscribes. */
      listen?: (wake: (table: string | null) => void) => () => void;
    },
  ) {
    this.#deps = deps;
    this.#leadership = new Leadership(deps.lock, () => this.#lead());
    this.#ownCommits = new Listeners((err) =>
      deps.logger.error({ err }, "a listener to own commits failed"),
    );
  }

  start(): void {
    const { bus, listen } = this.#deps;
    const wake = (table: string | null) => this.#term?.wake(table);
    this.#undo.push(bus.subscribe(HINT_CHANNEL, wake));
    if (listen) this.#undo.push(listen(wake));
    this.#leadership.start();
  }

  /**
   * Hints to the leader that something was committed to this table. If this server is the leader, it need not
   * read again what was read with the commit (`span`). Otherwise its own screens do not wait for the leader.
   */
  hint(table: string, span: LogSpan | null = null): void {
    if (this.#term) {
      this.#term.wake(table, span);
      return;
    }
    if (span) this.#ownCommits.emit(span);
    this.#deps.bus.publish(HINT_CHANNEL, table);
  }

  /** Emits what this server commits while another one leads. Returns a function that unsubscribes. */
  onOwnCommit(listener: (span: LogSpan) => void): () => void {
    return this.#ownCommits.add(listener);
  }

  isLeader(): boolean {
    return this.#term !== null;
  }

  async stop(): Promise<void> {
    for (const undo of this.#undo.splice(0)) undo();
    await this.#leadership.stop();
  }

  #lead(): () => void {
    const term = new LeaderTerm(this.#deps);
    this.#term = term;
    this.#deps.logger.info("this node leads the relay");
    return () => {
      term.end();
      this.#term = null;
      this.#deps.logger.info("this node leads the relay no more");
    };
  }
}
