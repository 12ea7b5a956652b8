import type { SubscribeAnswer } from "../../shared/protocol/feed.ts";
import type { Position } from "../../shared/protocol/position.ts";
import type { CompiledScope } from "../policy/compiled-scope.ts";
import type { LogChange } from "../store/log-change.ts";
import type { FeedTail } from "./feed-tail.ts";
import type { Log } from "./log.ts";
import type { FeedPlace, Member } from "./member.ts";
import { ScopeGroup, type ScopeGroupDeps } from "./scope-group.ts";
import type { ScopeTokens } from "./scope-tokens.ts";

/** From where a session may be sent what it missed. */
export interface Resumption extends Position {
  scopeKey: string;
  /** The holder it was verified for: rights may have changed since. */
  holder: string;
  /** The client's `scope`. */
  token: string;
  mark?: string | undefined;
}

/**
 * All scope groups of one table. All of them are brought to the tail's position together (`flush`), so a new
 * one can begin there.
 * Why joining leaves neither gap nor duplicate: `join` runs to its end in one turn of the event loop. It
 * first flushes, so that the group has evaluated everything that the tail has; it answers the group's `sent`,
 * and adds the member. Every frame sent before went out without the member and leads to `sent` at most; every
 * frame sent after begins there. The replay holds what is visible in (after, tail], and since nothing in
 * (sent, tail] is visible, it is exactly (after, sent]. The answer must be written to the connection in the
 * same turn, before any later frame can be.
 */
export class TableChannel {
  readonly tail: FeedTail;
  readonly #deps;
  readonly #groups = new Map<string, ScopeGroup>();
  #pending: LogChange[] = [];

  constructor(
    tail: FeedTail,
    deps: Omit<ScopeGroupDeps, "onEmpty" | "markAt"> & {
      replayMaxChanges: number;
      tokens: Pick<ScopeTokens, "issue">;
      logger: Log;
    },
  ) {
    this.tail = tail;
    this.#deps = deps;
  }

  get groups(): Iterable<ScopeGroup> {
    return this.#groups.values();
  }

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  note(changes: LogChange[]): void {
    if (this.#pending.length === 0) this.#pending = changes;
    else this.#pending = this.#pending.concat(changes);
  }

  flush(): void {
    const changes = this.#pending;
    if (changes.length === 0) return;
    this.#pending = [];
    for (const group of [...this.#groups.values()]) this.#advance(group, changes);
  }

  /** A scope group that fails on a change must not continue as if it had sent it: its members get a resync. */
  #advance(group: ScopeGroup, changes: readonly LogChange[]): void {
    try {
      group.advance(changes, this.tail.seq);
    } catch (err) {
      this.#deps.logger.error({ err, table: this.tail.table }, "a change can't be sent");
      group.dissolve("slow");
    }
  }

  sendPositions(): void {
    this.flush();
    for (const group of [...this.#groups.values()]) group.sendPosition();
  }

  /**
   * The feed has another epoch. If it continues the former (`slow`), everybody subscribes again from their
   * position; otherwise no position is valid any more.
   */
  reset(reason: "epoch" | "slow"): void {
    this.#pending = [];
    for (const group of [...this.#groups.values()]) group.dissolve(reason);
  }

  /** `from` is undefined for a first subscription, and null if the client needs a resync. */
  join(member: Member, scope: CompiledScope, from: Resumption | null | undefined): SubscribeAnswer {
    this.flush();
    const group = this.#groupOf(scope);
    const isBound = from?.holder === member.holder && from.scopeKey === scope.key;
    const resumed = isBound ? from : null;
    const replay = from === undefined ? [] : resumed && this.#replay(group, resumed);
    this.#admit(group, member);
    const { epoch, sent: seq } = group;
    const isSameEpoch = resumed?.epoch === epoch;
    const answer = {
      epoch,
      seq,
      scope: isSameEpoch ? resumed.token : this.#issueToken(group, member),
      mark: this.tail.markAt(seq),
    };
    return replay ? { ...answer, replay } : { ...answer, resync: true };
  }

  /** From here on the session follows the table through this scope. */
  #issueToken({ epoch, sent: seq, scope }: ScopeGroup, { holder }: Member): string {
    const scopeStart = { scopeKey: scope.key, start: { epoch, seq } };
    return this.#deps.tokens.issue(scopeStart, { holder, table: scope.table });
  }

  /** Lets a member continue from its position, by a frame of its own; false if that is not possible. */
  rejoin(member: Member, scope: CompiledScope, { key, epoch, sent }: FeedPlace): boolean {
    this.flush();
    const group = this.#groupOf(scope);
    const changes = this.#replay(group, { epoch, seq: sent, scopeKey: key });
    if (changes) {
      if (group.sent > sent) {
        const { table } = scope;
        const span = { from: sent, to: group.sent, mark: this.tail.markAt(group.sent) };
        member.peer.send("changes", { table, epoch, ...span, changes });
      }
      this.#admit(group, member);
    } else if (group.size === 0) this.#groups.delete(scope.key);
    return changes !== null;
  }

  /** What the scope sees in (after, sent]; null if that is unknown. */
  #replay(group: ScopeGroup, after: Pick<Resumption, "epoch" | "seq" | "scopeKey" | "mark">) {
    if (!this.tail.agrees(after)) return null;
    if (after.epoch !== group.epoch || after.scopeKey !== group.scope.key) return null;
    if (this.tail.seq - after.seq > this.#deps.replayMaxChanges) return null;
    const missed = this.tail.recent(after.seq);
    if (!missed) return null;
    if (after.seq > group.sent) group.sendPosition();
    return group.project(missed);
  }

  /** Stores the group again: it may have lost its last member, and been removed, a moment before. */
  #admit(group: ScopeGroup, member: Member): void {
    group.add(member);
    this.#groups.set(group.scope.key, group);
  }

  #groupOf(scope: CompiledScope): ScopeGroup {
    const known = this.#groups.get(scope.key);
    if (known) return known;
    const { broadcaster, canReceive } = this.#deps;
    const onEmpty = (group: ScopeGroup) => void this.#groups.delete(group.scope.key);
    const markAt = (seq: number) => this.tail.markAt(seq);
    const deps = { broadcaster, canReceive, onEmpty, markAt };
    const group = new ScopeGroup(scope, this.tail.epoch, this.tail.seq, deps);
    this.#groups.set(scope.key, group);
    return group;
  }
}
