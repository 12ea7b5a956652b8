import type { Socket } from "socket.io";
import type { BufferMeter } from "./buffered-bytes.ts";
import { type Line, terminate } from "./line.ts";
import type { UserShare } from "./user-share.ts";

const CHECK_MS = 20;
/** Reading resumes when this share of the bound is left. */
const DRAINED_SHARE = 1 / 2;
/** A connection is closed when events of so many times the bound wait for it. */
const ENDED_FACTOR = 4;
/** As much of a message is received in one piece. */
const PART_BYTES = 65_536;

/**
 * Pauses reading from a connection that does not drain, so that no more answers accumulate for it. Reading
 * resumes when it has drained; a connection that stays full is ended by its missing pong.
 *
 * Only events close a connection, because nobody asked for them. An answer of any size waits until it is read:
 * their number is bounded, as no call begins while the buffer is full.
 */
export class ReadThrottle {
  readonly #line: Line;
  readonly #meter: BufferMeter;
  readonly #share: Pick<UserShare, "isFull" | "receivesTooMuch">;
  readonly #maxBytes: number;
  #checking: NodeJS.Timeout | null = null;
  /** Bytes of events that may still be waiting. */
  #eventBytes = 0;

  constructor(
    socket: Pick<Socket, "conn">,
    meter: BufferMeter,
    share: Pick<UserShare, "isFull" | "receivesTooMuch">,
    maxBytes: number,
  ) {
    this.#line = socket.conn as unknown as Line;
    this.#meter = meter;
    this.#share = share;
    this.#maxBytes = maxBytes;
    this.#watchReceived();
    socket.conn.on("upgrade", () => this.#watchReceived());
  }

  /** Nothing but its end frees the part of a message whose rest does not come: the connection that adds too much is closed. */
  #watchReceived(): void {
    this.#line.transport.socket?._socket?.on("data", () => {
      if (this.#meter.received() > PART_BYTES && this.#share.receivesTooMuch()) this.#terminate();
    });
  }

  /** More is waiting for this connection, or for those of its user, than allowed. */
  get isFull(): boolean {
    return this.#share.isFull(this.#meter);
  }

  /** Sends an event, and closes the connection if too many of them are waiting. */
  send(emit: () => void): void {
    const before = this.#meter.read();
    emit();
    const bytes = this.#meter.read();
    const waiting = before <= this.#maxBytes * DRAINED_SHARE ? 0 : this.#eventBytes;
    this.#eventBytes = Math.min(waiting, before) + Math.max(bytes - before, 0);
    if (this.#eventBytes > this.#maxBytes * ENDED_FACTOR) this.#terminate();
    else this.check();
  }

  /** Call after an answer was sent. */
  check(): void {
    if (this.#checking || !this.isFull) return;
    this.#line.transport.socket?.pause?.();
    this.#checking = setInterval(() => this.#readAgain(), CHECK_MS);
  }

  /** The connection is being closed: its closing handshake is read. */
  stop(): void {
    if (!this.#checking) return;
    clearInterval(this.#checking);
    this.#checking = null;
    this.#line.transport.socket?.resume?.();
  }

  #readAgain(): void {
    if (this.#meter.read() <= this.#maxBytes * DRAINED_SHARE && !this.isFull) this.stop();
  }

  #terminate(): void {
    this.stop();
    terminate(this.#line);
  }
}
