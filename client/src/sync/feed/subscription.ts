import type {
  ChangesMessage,
  SubscribeAnswer,
  SubscribeCall,
  WireChange,
} from "../../../../shared/protocol/feed.ts";
import type { Position } from "../../../../shared/protocol/position.ts";

/** Bounds the messages held while a subscribe is pending. With more than that, subscribing again is cheaper. */
const BUFFER_MAX_MESSAGES = 5_000;

/** Why the loaded records are invalid. `scope` and `rights` mean that the user may no longer see some of them. */
export type ResetReason = "first" | "scope" | "rights" | "epoch" | "slow";

interface SubscriptionEvents {
  /** Send a subscribe; answer by `answered(ask, …)` or `failed(ask)`. */
  request(after: SubscribeCall["after"], request: number): void;
  /** These changes lead to the new position, in order and without gap. */
  apply(changes: readonly WireChange[], position: Position): void;
  /** A new position that does not continue the old one. */
  reset(reason: ResetReason, position: Position): void;
  /** A message was missed. */
  gap(): void;
  duplicate(): void;
}

/*
 * How a page follows a table. The hard part is that a page must never show a mixture of two moments as if it were one, though connections break,
 * messages may be lost, rights change, and the records that it shows were read page by page at different positions.
 *
 * `Subscription` has the position of the page in the feed, and it moves only by what continues it. A message that begins beyond it is a gap, one
 * of another epoch another history: both lead to one answer, to subscribe again after the position. One that ends at or before it is a repeat and is
 * dropped. While an answer is awaited messages are collected, because they may arrive before it, and are followed after it.
 *
 * The server's answer has what was missed (`replay`), or says that there is no such thing (`resync`): the history is another one, too much
 * has happened, or the page holds what it was shown through another scope. Then all that was read is invalid (`reset`), and the reason says
 * whether it may go on being shown until it was read again. Only changed rights take it from the screen at once.
 *
 * `TableFollower` (table-follower.ts) applies what arrives: to the records that something on the page retains (record-cache.ts, which drops what
 * is older than a record was read), to the user's own edits on top of them, and to the rows of each view. `TableSubscriber` sends the request,
 * again and again where it must; `RecordReloader` reads anew after a reset.
 */

/**
 * The position of one table in its feed. It moves only by what continues it: rules C6-C11. Pure: it
 * knows neither sockets nor records.
 */
export class Subscription {
  readonly #events: SubscriptionEvents;
  #phase: "idle" | "asking" | "following" = "idle";
  #position: Position | null = null;
  #scope: string | null = null;
  /** Of the position. */
  #mark: string | undefined;
  #resetReason: ResetReason = "first";
  #request = 0;
  #buffer: ChangesMessage[] = [];

  constructor(events: SubscriptionEvents) {
    this.#events = events;
  }

  get phase(): "idle" | "asking" | "following" {
    return this.#phase;
  }

  get position(): Position | null {
    return this.#position;
  }

  get scope(): string | null {
    return this.#scope;
  }

  /** Requests everything after the position. A newer request invalidates the answers to older ones. */
  subscribe(): void {
    this.#phase = "asking";
    this.#buffer = [];
    this.#request += 1;
    const { position, scope } = this;
    const mark = this.#mark === undefined ? {} : { mark: this.#mark };
    const after = position && scope !== null ? { ...position, scope, ...mark } : undefined;
    this.#events.request(after, this.#request);
  }

  /** Forgets the position and follows nothing until `subscribe`. */
  drop(): void {
    this.onDisconnected();
    this.#position = null;
    this.#scope = null;
    this.#resetReason = "rights";
  }

  onDisconnected(): void {
    this.#phase = "idle";
    this.#buffer = [];
    this.#request += 1;
  }

  /** The request failed. Its sender decides when to repeat it. */
  isPending(request: number): boolean {
    return request === this.#request && this.#phase === "asking";
  }

  answered(request: number, answer: SubscribeAnswer): void {
    if (!this.isPending(request)) return;
    const reason = this.#resetReasonOf(answer);
    const position = { epoch: answer.epoch, seq: answer.seq };
    const held = this.#position;
    this.#scope = answer.scope;
    this.#position = position;
    this.#mark = answer.mark;
    this.#phase = "following";
    this.#resetReason = "epoch";
    if (reason || !held) this.#events.reset(reason ?? "first", position);
    else this.#applyAfter(held.seq, answer.replay ?? [], position);
    this.#drain();
  }

  #resetReasonOf(answer: SubscribeAnswer): ResetReason | null {
    if (!this.#position) return this.#resetReason;
    if (keyOf(answer.scope) !== keyOf(this.#scope ?? "")) return "scope";
    // If the answer has a replay, a different epoch continues the previous one.
    const isOther = answer.epoch !== this.#position.epoch;
    if (answer.resync || !answer.replay) return isOther ? "epoch" : "slow";
    return answer.seq < this.#position.seq ? "slow" : null;
  }

  changes(message: ChangesMessage): void {
    if (this.#phase === "idle") return;
    if (this.#phase === "following") {
      this.#follow(message);
      return;
    }
    if (this.#buffer.length < BUFFER_MAX_MESSAGES) this.#buffer.push(message);
  }

  /** Handles a message of the feed on this connection. A position other than the current one is a gap. */
  heads(head: Position): void {
    if (this.#phase !== "following" || !this.#position) return;
    if (head.epoch !== this.#position.epoch || head.seq !== this.#position.seq) this.missed();
  }

  /** A message is known to be lost, so subscribes again. */
  missed(): void {
    if (this.#phase !== "following") return;
    this.#events.gap();
    this.subscribe();
  }

  /**
   * The server says that the held records are invalid. A slow connection has only missed messages: its
   * position is still valid, and the answer says whether the log can fill the gap.
   */
  forget(reason: ResetReason): void {
    if (reason === "slow") {
      this.missed();
      return;
    }
    this.#position = null;
    this.#scope = null;
    this.#resetReason = reason;
    if (this.#phase !== "idle") this.subscribe();
  }

  #drain(): void {
    const held = this.#buffer;
    this.#buffer = [];
    for (const message of held) {
      if (this.#phase === "following") this.#follow(message);
      else this.changes(message);
    }
  }

  #follow(message: ChangesMessage): void {
    const position = this.#position as Position;
    if (message.epoch !== position.epoch || message.from > position.seq) {
      this.missed();
      return;
    }
    if (message.to <= position.seq) {
      if (message.to < position.seq || message.changes.length > 0) this.#events.duplicate();
      return;
    }
    this.#position = { epoch: message.epoch, seq: message.to };
    this.#mark = message.mark;
    this.#applyAfter(position.seq, message.changes, this.#position);
  }

  #applyAfter(seq: number, changes: readonly WireChange[], position: Position): void {
    const fresh = changes.every((change) => change.seq > seq)
      ? changes
      : changes.filter((change) => change.seq > seq);
    this.#events.apply(fresh, position);
  }
}

/**
 * The part of a scope token before its first dot identifies what the scope shows; the rest says from which position this
 * session may be sent a replay.
 */
function keyOf(scope: string): string {
  return scope.split(".", 1)[0] ?? "";
}
