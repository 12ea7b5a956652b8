import type { Socket } from "socket.io";
import type { BufferMeter } from "./buffered-bytes.ts";

/** The parts of Engine.IO and ws that pause and close a connection; the first has no public API for it. */
interface Line {
  close(discard: boolean): void;
  transport?: { socket?: { pause?(): void; resume?(): void; terminate?(): void } };
}

const CHECK_MS = 20;
/** Reading resumes when this share of the bound is left. */
const DRAINED_SHARE = 1 / 2;
/** What may accumulate besides answers, with a bound: a connection with more is closed. */
const ENDED_FACTOR = 4;

/**
 * Pauses reading from a connection that does not drain, so that no more answers accumulate for it. Reading
 * resumes when it has drained; a connection that stays full is ended by its missing pong.
 */
export class ReadThrottle {
  readonly #line: Line;
  readonly #meter: BufferMeter;
  readonly #maxBytes: number;
  #checking: NodeJS.Timeout | null = null;

  constructor(socket: Pick<Socket, "conn">, meter: BufferMeter, maxBytes: number) {
    this.#line = socket.conn as unknown as Line;
    this.#meter = meter;
    this.#maxBytes = maxBytes;
  }

  /** More is waiting for this connection than allowed. */
  get isFull(): boolean {
    return this.#meter.read() > this.#maxBytes;
  }

  /** Call after something was sent. */
  check(): void {
    const bytes = this.#meter.read();
    if (bytes <= this.#maxBytes) return;
    if (bytes > this.#maxBytes * ENDED_FACTOR) {
      this.#terminate();
      return;
    }
    if (this.#checking) return;
    this.#line.transport?.socket?.pause?.();
    this.#checking = setInterval(() => this.#readAgain(), CHECK_MS);
  }

  /** The connection is closed. */
  stop(): void {
    if (this.#checking) clearInterval(this.#checking);
    this.#checking = null;
  }

  #readAgain(): void {
    if (this.#meter.read() > this.#maxBytes * DRAINED_SHARE) return;
    this.stop();
    this.#line.transport?.socket?.resume?.();
  }

  #terminate(): void {
    this.stop();
    this.#line.transport?.socket?.terminate?.();
    this.#line.close(true);
  }
}
