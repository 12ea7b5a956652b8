import type { ChangesMessage, WireChange } from "../../shared/protocol/feed.ts";
import type { PresenceMessage } from "../../shared/protocol/presence.ts";
import type { Broadcaster } from "../messaging/peer.ts";
import type { CompiledScope } from "../policy/compiled-scope.ts";
import { projectChange } from "../policy/project-change.ts";
import type { LogChange } from "../store/log-change.ts";
import type { Member } from "./member.ts";
import { SubscriberGroup } from "./subscriber-group.ts";

export interface ScopeGroupDeps {
  broadcaster: Broadcaster;
  /** Called before each frame for every member: whether its connection can take it; otherwise it leaves all groups. */
  canReceive: (member: Member) => boolean;
  onEmpty: (group: ScopeGroup) => void;
  /** The mark of a position, if its change is at hand. */
  markAt: (seq: number) => string | undefined;
}

/** A transaction of a million rows must not be one frame. */
const FRAME_MAX_CHANGES = 500;

/**
 * All subscribers of a table with an equal scope. Each change is evaluated, projected and encoded once for
 * them.
 * Invariant: every member has been sent, in order, frames that lead exactly to `sent`; nothing in (sent,
 * evaluated] is visible to the scope. So a member may join at `sent` or at any place that was `sent` on
 * another server, and the next frame, which begins at `sent`, continues for all alike.
 */
export class ScopeGroup {
  readonly scope: CompiledScope;
  readonly epoch: string;
  readonly name: string;
  readonly #members: SubscriberGroup<Member>;
  readonly #onEmpty: ScopeGroupDeps["onEmpty"];
  readonly #markAt: ScopeGroupDeps["markAt"];
  #sent: number;
  #evaluated: number;

  constructor(scope: CompiledScope, epoch: string, seq: number, deps: ScopeGroupDeps) {
    this.scope = scope;
    this.epoch = epoch;
    this.name = `scope:${scope.key}`;
    this.#members = new SubscriberGroup(this.name, deps.broadcaster, deps.canReceive);
    this.#onEmpty = deps.onEmpty;
    this.#markAt = deps.markAt;
    this.#sent = seq;
    this.#evaluated = seq;
  }

  get sent(): number {
    return this.#sent;
  }

  get size(): number {
    return this.#members.size;
  }

  add(member: Member): void {
    if (this.#members.has(member)) return;
    member.groups.get(this.scope.table)?.remove(member);
    this.#members.add(member);
    member.groups.set(this.scope.table, this);
  }

  remove(member: Member): void {
    if (!this.#members.remove(member)) return;
    member.groups.delete(this.scope.table);
    if (this.#members.size === 0) this.#onEmpty(this);
  }

  /** Sends who is there. A connection that does not keep up is sent it once it has subscribed again. */
  sendPresence(message: PresenceMessage): void {
    this.#members.send("presence", message);
  }

  /** Evaluates everything in (evaluated, to] and sends what is visible; otherwise only stores the position. */
  advance(changes: readonly LogChange[], to: number): void {
    const visible = this.project(changes);
    this.#evaluated = to;
    for (let start = 0; start < visible.length; start += FRAME_MAX_CHANGES) {
      const part = visible.slice(start, start + FRAME_MAX_CHANGES);
      const isLast = start + FRAME_MAX_CHANGES >= visible.length;
      this.#send(part, isLast ? to : (part.at(-1) as WireChange).seq);
    }
  }

  /** Advances everybody past invisible changes, by a frame without changes. */
  sendPosition(): void {
    if (this.#evaluated > this.#sent) this.#send([], this.#evaluated);
  }

  project(changes: readonly LogChange[]): WireChange[] {
    const visible: WireChange[] = [];
    for (const change of changes) {
      const projected = projectChange(change, this.scope);
      if (projected) visible.push(projected);
    }
    return visible;
  }

  /** Sends all members a resync, and removes them. */
  dissolve(reason: "epoch" | "slow"): void {
    const { table } = this.scope;
    this.#members.sendToAll("resync", { table, reason });
    for (const member of this.#members.all()) this.remove(member);
  }

  #send(changes: WireChange[], to: number): void {
    const { table } = this.scope;
    const span = { from: this.#sent, to, mark: this.#markAt(to) };
    const frame: ChangesMessage = { table, epoch: this.epoch, ...span, changes };
    this.#sent = to;
    this.#members.send("changes", frame);
  }
}
