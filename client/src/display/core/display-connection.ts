import { type ErrorCode, Refusal } from "../../../../shared/protocol/errors.ts";
import type { FrameMessage, ProvenMessage } from "../../../../shared/protocol/frame.ts";
import type { DisplayProgram } from "../../../../shared/protocol/signals.ts";
import type { Clock } from "../../sync/clock.ts";
import { backoffMs, serverDelayMs } from "../../sync/connection/backoff.ts";
import type { ServerMessageName, ServerMessages, Transport } from "../../transport/transport.ts";

interface ConnectionEvents {
  onConnected(): void;
  onDisconnected(): void;
  onProgram(program: DisplayProgram): void;
  onFrame(frame: FrameMessage): void;
  onProven(proven: ProvenMessage): void;
  /** Called when the server reports that a part of it, such as Redis, fails or works again. */
  onHealth(isDegraded: boolean): void;
  /** A wallboard no longer exists, or this display may no longer show it. */
  onRemoved(wallboard: string): void;
  /** The server itself said that this credential is no longer valid. */
  onRevoked(): void;
  /** The page is too old to understand the server. */
  onOutdated(): void;
}

const BACKOFF = { baseMs: 800, maxMs: 6_000 };
const CALL_TIMEOUT_MS = 8_000;
/** The server sends something at least every five seconds. A longer silence means that the connection is dead. */
const SILENCE_MS = 12_000;
const WATCH_MS = 2_000;

/**
 * The connection of a display. It reconnects for ever, and drops a connection that is open but dead (a frozen server, a
 * router that forgot it) long before the operating system would.
 */
export class DisplayConnection {
  readonly #transport: Transport;
  readonly #events: ConnectionEvents;
  readonly #clock: Clock;
  readonly #steady: () => number;
  #cancel = () => {};
  #attempt = 0;
  #reconnectDelayMs: number | null = null;
  #lastMessageAt = 0;
  #isUp = false;
  #isBlocked = false;
  #isOpen = false;

  constructor(transport: Transport, events: ConnectionEvents, clock: Clock, steady: () => number) {
    this.#transport = transport;
    this.#events = events;
    this.#clock = clock;
    this.#steady = steady;
    transport.listen({
      onUp: () => this.#up(),
      onDown: (code, isBlocked) => this.#down(code, isBlocked),
      onMessage: (name, message) => this.#receive(name, message),
      onUnreadable: () => {},
    });
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** The server can be reached, but not by a live connection. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#lastMessageAt = this.#steady();
    this.#transport.connect();
    this.#watch();
  }

  close(): void {
    this.#isOpen = false;
    this.#isUp = false;
    this.#cancel();
    this.#transport.disconnect();
  }

  /** Reconnects at once instead of waiting for the next attempt: the browser reports that the network is back. */
  reconnectNow(): void {
    if (!this.#isOpen || this.#isUp) return;
    this.#attempt = 0;
    this.#connectAgain();
  }

  /** Requests a wallboard. Null if it can't be shown; rejects if that is unknown. */
  async subscribe(wallboard: string): Promise<FrameMessage | null> {
    try {
      const { frame } = await this.#transport.call("tiles", { wallboard }, CALL_TIMEOUT_MS);
      this.#lastMessageAt = this.#steady();
      return frame;
    } catch (error) {
      const code = error instanceof Refusal ? error.code : "internal";
      if (code === "not_found" || code === "forbidden") return null;
      throw error;
    }
  }

  unsubscribe(wallboard: string): void {
    this.#transport.call("leaveTiles", { wallboard }, CALL_TIMEOUT_MS).catch(() => {});
  }

  #up(): void {
    this.#isUp = true;
    this.#isBlocked = false;
    this.#attempt = 0;
    this.#lastMessageAt = this.#steady();
    this.#events.onConnected();
  }

  #down(code: ErrorCode | null, isBlocked = false): void {
    this.#isUp = false;
    this.#isBlocked = isBlocked;
    if (!this.#isOpen) return;
    this.#events.onDisconnected();
    if (code === "session_ended" || code === "unauthenticated") this.#events.onRevoked();
    else if (code === "update_required") this.#events.onOutdated();
    if (this.#isOpen) this.#connectLater();
  }

  #connectLater(): void {
    const delayMs = this.#reconnectDelayMs;
    this.#reconnectDelayMs = null;
    const pause =
      delayMs === null
        ? backoffMs(this.#attempt, BACKOFF, this.#clock)
        : serverDelayMs(delayMs, this.#clock);
    this.#attempt += 1;
    this.#cancel();
    this.#cancel = this.#clock.after(pause, () => this.#connectAgain());
  }

  #connectAgain(): void {
    this.#cancel();
    this.#lastMessageAt = this.#steady();
    this.#transport.connect();
    this.#watch();
  }

  #watch(): void {
    this.#cancel = this.#clock.after(WATCH_MS, () => {
      if (this.#steady() - this.#lastMessageAt < SILENCE_MS) {
        this.#watch();
        return;
      }
      this.#transport.disconnect();
      this.#down(null);
    });
  }

  #receive<K extends ServerMessageName>(name: K, message: ServerMessages[K]): void {
    this.#lastMessageAt = this.#steady();
    switch (name) {
      case "display":
        this.#events.onProgram(message as DisplayProgram);
        break;
      case "frame":
        this.#events.onFrame(message as FrameMessage);
        break;
      case "proven":
        this.#events.onProven(message as ProvenMessage);
        break;
      case "notice":
        this.#notice(message as ServerMessages["notice"]);
        break;
      case "goodbye":
        this.#goodbye(message as ServerMessages["goodbye"]);
    }
  }

  #notice(notice: ServerMessages["notice"]): void {
    if (notice.kind === "health") this.#events.onHealth(notice.degraded);
    if (notice.kind === "wallboard" && notice.removed) this.#events.onRemoved(notice.wallboard);
  }

  #goodbye({ reason, retryAfter }: ServerMessages["goodbye"]): void {
    if (reason === "revoked" || reason === "signed_out") this.#events.onRevoked();
    else this.#reconnectDelayMs = retryAfter;
  }
}
