import type { IncomingMessage } from "node:http";

/** The parts of an Engine.IO connection that matter here. */
export interface Line {
  readonly request: IncomingMessage;
  close(discard: boolean): void;
  once(event: "close", listener: () => void): unknown;
}

/**
 * Unauthenticated connections, by address: no handshake counts them, and each holds memory until Engine.IO
 * closes it. Of those from one address beyond `max` the newest are closed at once. Each server counts its
 * own, because it is its own memory.
 */
export class PendingConnections {
  readonly #addressOf: (request: IncomingMessage) => string;
  readonly #max: number;
  readonly #addresses = new Map<Line, string>();
  readonly #waiting = new Map<string, number>();

  constructor(addressOf: (request: IncomingMessage) => string, max: number) {
    this.#addressOf = addressOf;
    this.#max = max;
  }

  /** A connection was opened. */
  add(line: Line): void {
    const address = this.#addressOf(line.request);
    const waiting = this.#waiting.get(address) ?? 0;
    if (waiting >= this.#max) {
      line.close(true);
      return;
    }
    this.#waiting.set(address, waiting + 1);
    this.#addresses.set(line, address);
    line.once("close", () => this.remove(line));
  }

  /** Whether a connection waits for its authentication. */
  has(line: Pick<Line, "request">): boolean {
    return this.#addresses.has(line as Line);
  }

  /** It was authenticated or closed. */
  remove(line: Line): void {
    const address = this.#addresses.get(line);
    if (address === undefined) return;
    this.#addresses.delete(line);
    const waiting = (this.#waiting.get(address) ?? 1) - 1;
    if (waiting > 0) this.#waiting.set(address, waiting);
    else this.#waiting.delete(address);
  }
}
