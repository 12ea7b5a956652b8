import type { Broadcaster, MessageOf, Peer, ServerEvent } from "../messaging/peer.ts";

export interface Subscriber {
  readonly peer: Peer;
}

/** Connections that are sent the same messages, each encoded once for all of them. */
export class SubscriberGroup<S extends Subscriber> {
  /** Of the Socket.IO room. */
  readonly name: string;
  readonly #broadcaster: Broadcaster;
  readonly #canReceive: (subscriber: S) => boolean;
  readonly #subscribers = new Set<S>();

  /** `canReceive` is called for each before each message: who can't is removed (slow-subscribers.ts). */
  constructor(name: string, broadcaster: Broadcaster, canReceive: (subscriber: S) => boolean) {
    this.name = name;
    this.#broadcaster = broadcaster;
    this.#canReceive = canReceive;
  }

  get size(): number {
    return this.#subscribers.size;
  }

  has(subscriber: S): boolean {
    return this.#subscribers.has(subscriber);
  }

  all(): S[] {
    return [...this.#subscribers];
  }

  add(subscriber: S): void {
    this.#subscribers.add(subscriber);
    subscriber.peer.join(this.name);
  }

  /** False if it was no subscriber. */
  remove(subscriber: S): boolean {
    if (!this.#subscribers.delete(subscriber)) return false;
    subscriber.peer.leave(this.name);
    return true;
  }

  send<E extends ServerEvent>(event: E, message: MessageOf<E>): void {
    for (const subscriber of this.all()) {
      if (!this.#canReceive(subscriber)) this.remove(subscriber);
    }
    if (this.size > 0) this.sendToAll(event, message);
  }

  /** A short message, which slow connections can take as well. */
  sendToAll<E extends ServerEvent>(event: E, message: MessageOf<E>): void {
    this.#broadcaster.toRoom(this.name, event, message);
  }
}
