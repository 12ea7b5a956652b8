import { Listeners } from "../../shared/listeners.ts";
import { type LeaderLock, Leadership } from "../store/leadership.ts";
import type { LogSpan } from "../store/log-change.ts";
import { HINT_CHANNEL } from "./feed-messages.ts";
import { LeaderTerm, type LeaderTermDeps } from "./leader-term.ts";

/*
 * From the change log to the connections of every server. What is promised: a connection is sent every change that its scope includes, once
 * and in the order of the log, whatever is lost, repeated or restarted on the way.
 *
 * The obvious way is to notify the other servers of what was just committed. But a server may die between its commit and the message, Redis may be
 * unavailable, and nobody announces what another program writes. So nothing here relies on a message: the log has everything, positions are dense,
 * and each part knows by them alone whether it has missed something. A message only saves a read of the log.
 *
 *   relay.ts          one server leads, by a lock of Postgres; every commit hints to it
 *   leader-term.ts    it publishes the spans of each feed on the bus, and heads: how far it has published
 *   feed-tails.ts     each server takes spans as far as they continue what it has (feed-tail.ts, feed-ring.ts); at a gap, at another epoch, or while
 *                     the bus or the relay is silent it reads the log itself. What it has committed itself need not wait for the leader
 *   fan-out.ts        who follows which table, and when frames are sent: at once when idle, together when busy
 *   table-channel.ts  all scopes of one table, and why joining leaves neither gap nor duplicate
 *   scope-group.ts    one scope: each change is projected (server/policy/project-change.ts) and encoded once for all in it
 *   member.ts         one connection, which is sent nothing while its rights are looked up again or its buffer is full
 *
 * A position is only worth something within its epoch. What follows from another one, or from a log that was set back, is in the head of
 * server/store/schema/change-log.ts; how a client goes on is in client/src/sync/feed/subscription.ts.
 */

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
