import { type ErrorCode, isSignedOut, Refusal } from "../../../../shared/protocol/errors.ts";
import type { FrameMessage, ProvenMessage } from "../../../../shared/protocol/frame.ts";
import type { DisplayProgram } from "../../../../shared/protocol/signals.ts";
import type { Clock } from "../../sync/clock.ts";
import { ServerLine } from "../../sync/connection/server-line.ts";
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

const CALL_TIMEOUT_MS = 8_000;

/** The connection of a display: its line, and what comes over it. */
export class DisplayConnection {
  readonly #transport: Transport;
  readonly #events: ConnectionEvents;
  readonly #line: ServerLine;
  #isOpen = false;

  constructor(transport: Transport, events: ConnectionEvents, clock: Clock, steady: () => number) {
    this.#transport = transport;
    this.#events = events;
    this.#line = new ServerLine({
      ...{ transport, clock, steady },
      retry: { baseMs: 800, maxMs: 6_000 },
      // The server sends something at least every five seconds.
      silenceMs: 12_000,
      onUp: () => {
        this.#line.onCaughtUp();
        events.onConnected();
      },
      onDown: ({ code }) => this.#down(code),
    });
    transport.listen({
      onUp: () => this.#line.up(),
      onDown: (code, isBlocked) => this.#line.down(code, isBlocked),
      onMessage: (name, message) => this.#receive(name, message),
      onUnreadable: () => {},
      onPing: () => {},
    });
  }

  get isUp(): boolean {
    return this.#line.isUp;
  }

  /** The server can be reached, but not by a live connection. */
  get isBlocked(): boolean {
    return this.#line.isBlocked;
  }

  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#line.open();
  }

  close(): void {
    this.#isOpen = false;
    this.#line.end();
  }

  /** Reconnects at once instead of waiting for the next attempt: the browser reports that the network is back. */
  reconnectNow(): void {
    if (this.#isOpen) this.#line.retryNow();
  }

  /** Requests a wallboard. Null if it can't be shown; rejects if that is unknown. */
  async subscribe(wallboard: string): Promise<FrameMessage | null> {
    try {
      const { frame } = await this.#transport.call("tiles", { wallboard }, CALL_TIMEOUT_MS);
      this.#line.onMessage();
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

  #down(code: ErrorCode | null): void {
    this.#events.onDisconnected();
    if (isSignedOut(code)) this.#events.onRevoked();
    else if (code === "update_required") this.#events.onOutdated();
  }

  #receive<K extends ServerMessageName>(name: K, message: ServerMessages[K]): void {
    this.#line.onMessage();
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
    else this.#line.onGoodbye(retryAfter);
  }
}
