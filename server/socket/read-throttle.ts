import type { Socket } from "socket.io";
import type { BufferMeter } from "./buffered-bytes.ts";

/** The parts of Engine.IO and ws by which a line is stopped and ended; the first has no public way to it. */
interface Line {
  close(discard: boolean): void;
  transport?: { socket?: { pause?(): void; resume?(): void; terminate?(): void } };
}

const CHECK_MS = 20;
/** A line is read again when no more than this share of the bound is left. */
const DRAINED_SHARE = 1 / 2;
/** What may gather besides answers, in bounds: a line with more is ended. */
const ENDED_FACTOR = 4;

/**
 * Stops reading from a line that does not take what is sent to it, so that no more answers gather for it. Reading goes
 * on when it has drained; a line that stays full is ended by its missing pong.
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

  /** More is waiting for this line than it may hold. */
  get isFull(): boolean {
    return this.#meter.read() > this.#maxBytes;
  }

  /** To be called after something was sent. */
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

  /** The line is gone. */
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
