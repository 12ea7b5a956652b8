/**
 * What was sent, which client received it, and how late: since its commit or the client's return, whichever
 * was later.
 */
export class DeliveryRecord {
  /** Milliseconds, one for each delivery. */
  readonly delays: number[] = [];
  readonly #sent = new Map<string, number>();
  readonly #received: Map<string, number>[];
  readonly #returned: number[];

  constructor(clients: number) {
    this.#received = Array.from({ length: clients }, () => new Map());
    this.#returned = Array.from({ length: clients }, () => 0);
  }

  /** A change was acknowledged. */
  sent(value: string): void {
    const now = performance.now();
    this.#sent.set(value, now);
    for (const [client, received] of this.#received.entries()) {
      if (received.has(value)) this.#count(client, value, now);
    }
  }

  /** A client's connection is back. */
  returned(client: number): void {
    this.#returned[client] = performance.now();
  }

  /** A client received a change; a repeat does not count. */
  markReceived(client: number, value: string): void {
    const received = this.#received[client];
    if (!received || received.has(value)) return;
    received.set(value, performance.now());
    const sent = this.#sent.get(value);
    if (sent !== undefined) this.#count(client, value, sent);
  }

  /** The share of all deliveries that happened, 0 to 1. */
  share(): number {
    return this.delays.length / (this.#sent.size * this.#received.length);
  }

  #count(client: number, value: string, sent: number): void {
    const due = Math.max(sent, this.#returned[client] ?? 0);
    this.delays.push(Math.max(0, (this.#received[client]?.get(value) ?? 0) - due));
  }
}
