import type { Position } from "../../shared/protocol/position.ts";
import type { SubscribeAnswer } from "../../shared/protocol/subscribe.ts";
import type { CompiledScope } from "../policy/compiled-scope.ts";
import type { LogChange } from "../store/log-change.ts";
import type { FeedTail } from "./feed-tail.ts";
import type { Log } from "./log.ts";
import type { Member, Standing } from "./member.ts";
import { ScopeRoom, type ScopeRoomDeps } from "./scope-room.ts";
import type { ScopeTokens } from "./scope-tokens.ts";

export interface TableChannelDeps extends Omit<ScopeRoomDeps, "onEmpty"> {
  replayMaxChanges: number;
  tokens: Pick<ScopeTokens, "issue">;
  logger: Log;
}

/** From where a session may be sent what it missed. */
export interface Resumption extends Position {
  scopeKey: string;
  /** Whose it was found to be: rights may have changed since. */
  holder: string;
  /** What the client holds as its `scope`, and keeps. */
  token: string;
}

/**
 * All rooms of one table. All of them are brought to the tail's position together (`flush`), so a new
 * room can begin there.
 *
 * Why joining leaves neither gap nor duplicate: `join` runs to its end in one turn of the event loop.
 * It first flushes, so that the room has judged everything that the tail has; it answers the room's
 * `sent`, and adds the member. Every frame sent before went out without the member and leads to
 * `sent` at most; every frame sent after begins there. The replay holds what is visible in
 * (after, tail], and since nothing in (sent, tail] is visible, it is exactly (after, sent]. The
 * answer must be written to the connection in the same turn, before any later frame can be.
 */
export class TableChannel {
  readonly tail: FeedTail;
  readonly #deps: TableChannelDeps;
  readonly #rooms = new Map<string, ScopeRoom>();
  #pending: LogChange[] = [];

  constructor(tail: FeedTail, deps: TableChannelDeps) {
    this.tail = tail;
    this.#deps = deps;
  }

  get rooms(): Iterable<ScopeRoom> {
    return this.#rooms.values();
  }

  get isEmpty(): boolean {
    return this.#rooms.size === 0;
  }

  note(changes: LogChange[]): void {
    if (this.#pending.length === 0) this.#pending = changes;
    else this.#pending = this.#pending.concat(changes);
  }

  flush(): void {
    const changes = this.#pending;
    if (changes.length === 0) return;
    this.#pending = [];
    for (const room of [...this.#rooms.values()]) this.#advance(room, changes);
  }

  /** A room that fails on a change must not go on as if it had sent it: its members start over. */
  #advance(room: ScopeRoom, changes: readonly LogChange[]): void {
    try {
      room.advance(changes, this.tail.seq);
    } catch (err) {
      this.#deps.logger.error({ err, table: this.tail.table }, "a change can't be sent");
      room.dissolve("slow");
    }
  }

  settle(): void {
    this.flush();
    for (const room of [...this.#rooms.values()]) room.settle();
  }

  /**
   * The feed's epoch is another one. Where it continues the former (`slow`), everybody subscribes again from where they
   * are; otherwise nobody's position means anything any more.
   */
  reset(reason: "epoch" | "slow"): void {
    this.#pending = [];
    for (const room of [...this.#rooms.values()]) room.dissolve(reason);
  }

  /** `from` is undefined for a first subscription, and null where the client has to start over. */
  join(member: Member, scope: CompiledScope, from: Resumption | null | undefined): SubscribeAnswer {
    this.flush();
    const room = this.#roomOf(scope);
    const isBound = from?.holder === member.holder && from.scopeKey === scope.key;
    const resumed = isBound ? from : null;
    const replay = from === undefined ? [] : resumed && this.#replay(room, resumed);
    this.#admit(room, member);
    const { epoch, sent: seq } = room;
    const isKept = resumed?.epoch === epoch;
    const answer = { epoch, seq, scope: isKept ? resumed.token : this.#begin(room, member) };
    return replay ? { ...answer, replay } : { ...answer, resync: true };
  }

  /** From here on the session follows the table through this scope. */
  #begin({ epoch, sent: seq, scope }: ScopeRoom, { holder }: Member): string {
    const begun = { scopeKey: scope.key, start: { epoch, seq } };
    return this.#deps.tokens.issue(begun, { holder, table: scope.table });
  }

  /** Lets a member go on where it stood, by a frame of its own; false where that is not possible. */
  rejoin(member: Member, scope: CompiledScope, { key, epoch, sent }: Standing): boolean {
    this.flush();
    const room = this.#roomOf(scope);
    const changes = this.#replay(room, { epoch, seq: sent, scopeKey: key });
    if (changes) {
      if (room.sent > sent) {
        const { table } = scope;
        member.peer.send("changes", { table, epoch, from: sent, to: room.sent, changes });
      }
      this.#admit(room, member);
    } else if (room.size === 0) this.#rooms.delete(scope.key);
    return changes !== null;
  }

  /** What the scope sees in (after, sent]; null where that can't be said. */
  #replay(room: ScopeRoom, after: Pick<Resumption, "epoch" | "seq" | "scopeKey">) {
    if (after.epoch !== room.epoch || after.scopeKey !== room.scope.key) return null;
    if (this.tail.seq - after.seq > this.#deps.replayMaxChanges) return null;
    const missed = this.tail.recent(after.seq);
    if (!missed) return null;
    if (after.seq > room.sent) room.settle();
    return room.project(missed);
  }

  /** Sets the room again: it may have lost its last member, and so its place, a moment before. */
  #admit(room: ScopeRoom, member: Member): void {
    room.add(member);
    this.#rooms.set(room.scope.key, room);
  }

  #roomOf(scope: CompiledScope): ScopeRoom {
    const known = this.#rooms.get(scope.key);
    if (known) return known;
    const { broadcaster, keepsUp } = this.#deps;
    const onEmpty = (room: ScopeRoom) => void this.#rooms.delete(room.scope.key);
    const deps = { broadcaster, keepsUp, onEmpty };
    const room = new ScopeRoom(scope, this.tail.epoch, this.tail.seq, deps);
    this.#rooms.set(scope.key, room);
    return room;
  }
}
