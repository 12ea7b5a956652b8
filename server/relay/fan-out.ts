import type { Limits } from "../../shared/limits.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { found, Refusal, unavailable } from "../../shared/protocol/errors.ts";
import type { HeadsMessage, SubscribeAnswer, SubscribeCall } from "../../shared/protocol/feed.ts";
import type { Position } from "../../shared/protocol/position.ts";
import type { Broadcaster, MessageOf, Peer, ServerEvent } from "../messaging/peer.ts";
import type { CompiledScope } from "../policy/compiled-scope.ts";
import { every } from "../store/every.ts";
import { AdaptiveThrottle } from "./adaptive-throttle.ts";
import type { FeedTail, TailEvent } from "./feed-tail.ts";
import type { FeedTails } from "./feed-tails.ts";
import type { Log } from "./log.ts";
import { Member, type SubscribedGroup } from "./member.ts";
import type { ScopeGroup } from "./scope-group.ts";
import type { ScopeTokens } from "./scope-tokens.ts";
import { SlowSubscribers } from "./slow-subscribers.ts";
import { type Resumption, TableChannel } from "./table-channel.ts";

/**
 * From the feeds to the connections of this server. It names no tables and makes no queries for single
 * records: what a connection receives follows from its scope and the log alone. The cost grows with the
 * number of scopes and the bytes sent.
 */
export class FanOut {
  readonly #deps;
  readonly #members = new Map<string, Member>();
  readonly #channels = new Map<string, TableChannel>();
  readonly #dirty = new Set<TableChannel>();
  readonly #throttle: AdaptiveThrottle;
  readonly #slow: SlowSubscribers<Member>;
  readonly #undo: (() => void)[] = [];

  constructor(deps: {
    tails: Pick<FeedTails, "onEvent" | "find" | "get">;
    broadcaster: Broadcaster;
    logger: Log;
    tokens: ScopeTokens;
    /** What a user may read of a table now; null if nothing, or if there is no such table. */
    compiledScope: (subject: Subject, table: string) => CompiledScope | null;
    limits: Limits;
  }) {
    this.#deps = deps;
    this.#throttle = new AdaptiveThrottle(deps.limits.FAN_OUT_TICK_MS, () => this.#flush());
    this.#slow = new SlowSubscribers(deps.limits.SLOW_CLIENT_BUFFER_BYTES, {
      onSlow: (member) => member.suspend(),
      onDrained: (member) => member.resume(),
    });
  }

  start(): void {
    this.#undo.push(this.#deps.tails.onEvent((event) => this.#onTailEvent(event)));
    this.#undo.push(every(this.#deps.limits.HEADS_INTERVAL_MS, () => this.sendHeads()));
  }

  stop(): void {
    for (const undo of this.#undo.splice(0)) undo();
    this.#throttle.stop();
    this.#slow.stop();
  }

  /** `holder` names the session and the version of its rights, to which its positions are bound. */
  connect(peer: Peer, subject: Subject, holder: string): void {
    this.#members.set(peer.id, new Member(peer, subject, holder));
  }

  disconnect(peerId: string): void {
    const member = this.#members.get(peerId);
    if (!member) return;
    member.isDisconnected = true;
    this.#slow.delete(member);
    member.leaveAll();
    member.release();
    this.#members.delete(peerId);
  }

  /**
   * `answer` is called in the same turn of the event loop in which the connection joins its scope group, so
   * that no frame can overtake it. Refuses with `not_found` what may not be read.
   */
  async subscribe(
    peerId: string,
    { table, after }: SubscribeCall,
    answer: (answer: SubscribeAnswer) => void,
  ): Promise<void> {
    const member = this.#member(peerId);
    const { isLatest, end } = member.beginSubscribe(table);
    try {
      while (member.isHeld) await member.released();
      this.#scope(member, table);
      const tail = await this.#deps.tails.find(table);
      if (!tail) throw unavailable();
      const from = after && (await this.#resumptionFor(member, tail, after));
      if (from) await this.#loadMissed(tail, from);
      // checked again after each wait: a hold that begins in between must not be bypassed
      while (member.isHeld) await member.released();
      if (!isLatest()) throw new Refusal("aborted");
      answer(this.#channel(tail).join(member, this.#scope(member, table), from));
    } finally {
      end();
    }
  }

  unsubscribe(peerId: string, table: string): void {
    this.#members.get(peerId)?.forget(table);
  }

  /** Starts revalidation of a connection: from this moment on it is sent no change. */
  hold(peerId: string): void {
    this.#members.get(peerId)?.hold();
  }

  /** Its rights are known again: with the same scope it continues, otherwise it is sent a resync. */
  release(peerId: string, subject: Subject, holder: string): void {
    const member = this.#members.get(peerId);
    if (!member) return;
    member.subject = subject;
    member.holder = holder;
    for (const [table, place] of member.release()) {
      const scope = this.#deps.compiledScope(subject, table);
      const tail = this.#deps.tails.get(table);
      if (scope && tail && this.#channel(tail).rejoin(member, scope, place)) continue;
      member.peer.send("resync", { table, reason: "rights" });
    }
  }

  /** The scope groups of a table on this server. */
  groups(table: string): Iterable<ScopeGroup> {
    return this.#channels.get(table)?.groups ?? [];
  }

  /** The scope group of a connection for a table. */
  groupOf(peerId: string, table: string): SubscribedGroup | undefined {
    return this.#members.get(peerId)?.groups.get(table);
  }

  /** Sends to those of these connections whose users fulfil a condition now. */
  sendTo<E extends ServerEvent>(
    peerIds: readonly string[],
    isFor: (subject: Subject) => boolean,
    event: E,
    message: MessageOf<E>,
  ): void {
    for (const id of peerIds) {
      const member = this.#members.get(id);
      if (member && isFor(member.subject)) member.peer.send(event, message);
    }
  }

  /** The tables that a connection follows. */
  tablesOf(peerId: string): string[] {
    return [...(this.#members.get(peerId)?.groups.keys() ?? [])];
  }

  /** Sends every connection the positions up to which it was sent frames; a client elsewhere has a gap. */
  sendHeads(): void {
    for (const [table, channel] of this.#channels) {
      channel.sendPositions();
      if (channel.isEmpty) this.#channels.delete(table);
    }
    const now = new Date().toISOString();
    for (const member of this.#members.values()) {
      if (!member.isHeld && !member.missed) member.peer.send("heads", headsOf(member, now));
    }
  }

  #onTailEvent(event: TailEvent): void {
    const channel = this.#channels.get(event.tail.table);
    if (!channel) return;
    if (event.kind === "reset") {
      channel.reset(event.continues ? "slow" : "epoch");
      return;
    }
    channel.note(event.changes);
    this.#dirty.add(channel);
    this.#throttle.request();
  }

  #flush(): void {
    const dirty = [...this.#dirty];
    this.#dirty.clear();
    for (const channel of dirty) channel.flush();
  }

  /**
   * Where a replay for this session may begin, as a position of the current epoch and with the scope that it
   * was seen through. Null if it needs a resync: the position belongs to another history, or to a time before
   * it followed.
   */
  async #resumptionFor(
    member: Member,
    tail: FeedTail,
    after: NonNullable<SubscribeCall["after"]>,
  ): Promise<Resumption | null> {
    const { holder } = member;
    const found = this.#deps.tokens.read(after.scope, { holder, table: tail.table });
    if (!found) return null;
    const { epoch, seq, mark } = after;
    const [start, from] = await Promise.all([
      tail.translate(found.start),
      tail.translate({ epoch, seq }),
    ]);
    if (!start || !from || from.seq < start.seq || start.epoch !== from.epoch) return null;
    return { ...from, mark, scopeKey: found.scopeKey, holder, token: after.scope };
  }

  /** Refuses with `unavailable` while the log can't be read: the client would discard what it holds otherwise. */
  async #loadMissed(tail: FeedTail, { epoch, seq }: Position) {
    if (epoch !== tail.epoch) return;
    if (seq > tail.seq) await tail.catchUp();
    if (seq > tail.seq && tail.isBehind) throw unavailable();
    const isReplayable = tail.seq - seq <= this.#deps.limits.REPLAY_MAX_CHANGES;
    if (!isReplayable || tail.reaches(seq)) return;
    await tail.loadEarlier(seq).catch(() => {
      throw unavailable();
    });
  }

  #member(peerId: string): Member {
    const member = this.#members.get(peerId);
    if (!member) throw new Refusal("aborted");
    return member;
  }

  #scope(member: Member, table: string): CompiledScope {
    return found(this.#deps.compiledScope(member.subject, table));
  }

  #channel(tail: FeedTail): TableChannel {
    const known = this.#channels.get(tail.table);
    // Otherwise the table was removed, its connections were sent a resync, and another one has its name.
    if (known?.tail === tail) return known;
    const channel = new TableChannel(tail, {
      broadcaster: this.#deps.broadcaster,
      canReceive: (member) => this.#slow.canReceive(member),
      logger: this.#deps.logger,
      replayMaxChanges: this.#deps.limits.REPLAY_MAX_CHANGES,
      tokens: this.#deps.tokens,
    });
    this.#channels.set(tail.table, channel);
    return channel;
  }
}

function headsOf({ groups }: Member, now: string): HeadsMessage {
  const tables: HeadsMessage["tables"] = {};
  for (const [table, { epoch, sent }] of groups) tables[table] = { epoch, seq: sent };
  return { tables, now };
}
