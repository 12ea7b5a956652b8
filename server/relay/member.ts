import type { Subject } from "../../shared/policy/scope.ts";
import type { Peer } from "../messaging/peer.ts";
import type { CompiledScope } from "../policy/compiled-scope.ts";

/** What a member needs of its scope group: its scope, and the position up to which it sent. */
export interface SubscribedGroup {
  readonly name: string;
  readonly scope: CompiledScope;
  readonly epoch: string;
  readonly sent: number;
  remove(member: Member): void;
}

/** The position of a member in a scope group that it had to leave for a moment. */
export interface FeedPlace {
  key: string;
  epoch: string;
  sent: number;
}

/** A connection with its rights and its scope groups, at most one per table. */
export class Member {
  readonly peer: Peer;
  readonly groups = new Map<string, SubscribedGroup>();
  subject: Subject;
  /** The session with the version of its rights, to which positions are bound. */
  holder: string;
  isDisconnected = false;
  /** Too slow: the tables to resync once the connection has drained. */
  missed: Set<string> | null = null;
  #hold: { places: Map<string, FeedPlace>; over: PromiseWithResolvers<void> } | null = null;
  /** The last subscribe of each table that is pending. */
  readonly #pending = new Map<string, symbol>();

  constructor(peer: Peer, subject: Subject, holder: string) {
    this.peer = peer;
    this.subject = subject;
    this.holder = holder;
  }

  /** Revalidation: nothing may be sent until `release`. */
  get isHeld(): boolean {
    return this.#hold !== null;
  }

  /** Resolves at the end of the current hold; there may be another by then. */
  released(): Promise<void> {
    return this.#hold?.over.promise ?? Promise.resolve();
  }

  hold(): void {
    this.#hold ??= { places: new Map(), over: Promise.withResolvers() };
    for (const [table, group] of this.groups) {
      const { epoch, sent } = group;
      this.#hold.places.set(table, { key: group.scope.key, epoch, sent });
    }
    this.leaveAll();
  }

  /** Ends revalidation; returns the member's position before it. */
  release(): Map<string, FeedPlace> {
    const hold = this.#hold;
    this.#hold = null;
    hold?.over.resolve();
    return hold?.places ?? new Map();
  }

  /** Its connection is too slow: it leaves all groups until that has drained. */
  suspend(): void {
    this.missed ??= new Set();
    for (const table of this.groups.keys()) this.missed.add(table);
    this.leaveAll();
  }

  /** Its connection has drained: sends a resync of each table that it missed. False while it is held. */
  resume(): boolean {
    if (this.isHeld) return false;
    const missed = this.missed ?? [];
    this.missed = null;
    for (const table of missed) this.peer.send("resync", { table, reason: "slow" });
    return true;
  }

  leave(table: string): void {
    this.groups.get(table)?.remove(this);
  }

  leaveAll(): void {
    for (const group of [...this.groups.values()]) group.remove(this);
  }

  /** A subscribe begins: the one that began last counts. Nothing is stored of it after its `end`. */
  beginSubscribe(table: string): { isLatest: () => boolean; end: () => void } {
    const own = Symbol();
    this.#pending.set(table, own);
    const isLatest = () => !this.isDisconnected && this.#pending.get(table) === own;
    return { isLatest, end: () => void (isLatest() && this.#pending.delete(table)) };
  }

  /** A table is no longer followed, also after a hold. */
  forget(table: string): void {
    this.#pending.delete(table);
    this.#hold?.places.delete(table);
    this.missed?.delete(table);
    this.leave(table);
  }
}
