import type { ErrorCode } from "../../../../shared/protocol/errors.ts";
import type { GoodbyeMessage } from "../../../../shared/protocol/signals.ts";
import { type ConnectionKind, connectionAtom } from "../../state/connection-state.ts";
import type { CoreParts } from "../core-parts.ts";
import { backoffMs, serverDelayMs } from "./backoff.ts";

const RETRY = { baseMs: 400, maxMs: 10_000 };
/** After this long without a connection the shell shows "offline"; attempts continue. */
const OFFLINE_AFTER_MS = 10_000;
/** Heads come every 5 s: a connection that was silent for three of them is dead, even if TCP has not noticed. */
const SILENCE_MS = 16_000;
/** How long a server that announced its end may take to answer calls under way. */
const GOODBYE_GRACE_MS = 2_000;

interface ConnectionDeps extends CoreParts {
  /** Whether every open table follows its feed: asked on each `progressed()`. */
  isCaughtUp(): boolean;
  /** The line is up: subscribe. */
  onUp(): void;
  onDown(): void;
  /** Up and caught up: edits may go. */
  onReady(): void;
}

/**
 * The connection's state machine, and the only place that decides when to connect. Rules C1-C5 of
 * docs/PROTOCOL.md.
 */
export class Connection {
  readonly #deps: ConnectionDeps;
  #socketState: "down" | "opening" | "up" = "down";
  #ready = false;
  #wasReady = false;
  #attempt = 0;
  #online = true;
  /** The server can be reached, but not by a live connection. */
  #isBlocked = false;
  #ended: "signedOut" | "updateRequired" | "stopped" | null = null;
  #reconnectDelayMs: number | null = null;
  #cancelRetry: (() => void) | null = null;
  #cancelOffline: (() => void) | null = null;
  #cancelSilence: (() => void) | null = null;
  #lastMessageAt = 0;

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
  }

  /** Up, and every table that was open has caught up. */
  get isReady(): boolean {
    return this.#ready;
  }

  /** Up, and not about to be closed by the server: what is sent is answered. */
  get isOpen(): boolean {
    return this.#socketState === "up" && this.#reconnectDelayMs === null;
  }

  get isUp(): boolean {
    return this.#socketState === "up";
  }

  /** Opens the line now, whatever was planned. */
  connect(): void {
    if (this.#ended === "stopped" || this.#socketState !== "down") return;
    this.#ended = null;
    // A delay that the server set for the previous connection does not apply to this one.
    this.#reconnectDelayMs = null;
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#socketState = "opening";
    this.#publish(this.#wasReady ? "reconnecting" : "connecting");
    this.#deps.transport.connect();
  }

  stop(): void {
    this.#ended = "stopped";
    for (const cancel of [this.#cancelRetry, this.#cancelOffline, this.#cancelSilence]) cancel?.();
    if (this.#socketState !== "down") this.#deps.transport.disconnect();
    this.#socketState = "down";
    this.#ready = false;
  }

  setOnline(online: boolean): void {
    this.#online = online;
    if (this.#ended) return;
    if (online) {
      this.#attempt = 0;
      this.connect();
      return;
    }
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    if (this.#socketState === "down") this.#publish("offline");
    else this.reconnect();
  }

  /** Gives the line up and plans another, as when it is silent or its messages make no sense. */
  reconnect(): void {
    if (this.#socketState === "down") return;
    this.#deps.transport.disconnect();
    this.down(null);
  }

  up(): void {
    if (this.#ended) return;
    this.#socketState = "up";
    this.#cancelOffline?.();
    this.#cancelOffline = null;
    if (this.#wasReady) this.#publish("catchingUp");
    // A degraded server notifies each new connection.
    this.setDegraded(false);
    this.onMessageReceived();
    this.#deps.onUp();
    this.onProgress();
  }

  /** The line broke, or could not be opened; `code` where the server refused it. */
  down(code: ErrorCode | null, isBlocked = false): void {
    if (this.#socketState === "down") return;
    this.#isBlocked = isBlocked;
    const wasUp = this.#socketState === "up";
    this.#socketState = "down";
    this.#ready = false;
    this.#cancelSilence?.();
    this.#cancelSilence = null;
    if (wasUp) this.#deps.onDown();
    if (code === "unauthenticated" || code === "session_ended") this.end("signedOut");
    else if (code === "update_required") this.end("updateRequired");
    else if (!this.#ended) this.#planRetry();
  }

  /** Stops reconnecting until the user acts. */
  end(reason: "signedOut" | "updateRequired"): void {
    if (this.#ended === "stopped") return;
    this.#ended = reason;
    this.#cancelRetry?.();
    this.#cancelOffline?.();
    this.#cancelOffline = null;
    if (this.#socketState !== "down") {
      this.#deps.transport.disconnect();
      this.down(null);
    }
    this.#publish(reason);
  }

  goodbye({ reason, retryAfter }: GoodbyeMessage): void {
    if (reason === "update_required") {
      this.end("updateRequired");
      return;
    }
    if (reason !== "restart") {
      this.end("signedOut");
      return;
    }
    this.#reconnectDelayMs = retryAfter;
    this.#ready = false;
    this.#deps.clock.after(GOODBYE_GRACE_MS, () => {
      if (this.#reconnectDelayMs !== null) this.reconnect();
    });
  }

  /** A table caught up or was opened or closed. */
  onProgress(): void {
    if (this.#socketState !== "up" || this.#ready || this.#reconnectDelayMs !== null) return;
    if (!this.#deps.isCaughtUp()) return;
    this.#ready = true;
    this.#wasReady = true;
    this.#attempt = 0;
    this.#publish("live");
    this.#deps.onReady();
  }

  /** Something came over the line, or it was just opened: from now on silence means that it is dead. */
  onMessageReceived(): void {
    this.#lastMessageAt = this.#deps.clock.now();
    this.#cancelSilence ??= this.#watchSilence(SILENCE_MS);
  }

  /** What the server says of its own health, and why. */
  setDegraded(degraded: boolean, reason?: string): void {
    const { store } = this.#deps;
    const withoutStore = degraded && reason === "store";
    store.set(connectionAtom, { ...store.get(connectionAtom), degraded, withoutStore });
  }

  #watchSilence(ms: number): () => void {
    const { clock } = this.#deps;
    return clock.after(ms, () => {
      // The machine's clock was set back: counted from now.
      this.#lastMessageAt = Math.min(this.#lastMessageAt, clock.now());
      const left = this.#lastMessageAt + SILENCE_MS - clock.now();
      if (left > 0) this.#cancelSilence = this.#watchSilence(left);
      else this.reconnect();
    });
  }

  #planRetry(): void {
    const { clock } = this.#deps;
    const delayMs = this.#reconnectDelayMs;
    this.#reconnectDelayMs = null;
    if (!this.#online) {
      this.#publish("offline");
      return;
    }
    const wait =
      delayMs === null ? backoffMs(this.#attempt, RETRY, clock) : serverDelayMs(delayMs, clock);
    this.#attempt += 1;
    this.#cancelRetry = clock.after(wait, () => this.connect());
    this.#cancelOffline ??= clock.after(OFFLINE_AFTER_MS, () => this.#publish(this.#away));
    const kind = this.#wasReady ? "reconnecting" : "connecting";
    this.#publish(this.#isBlocked ? "blocked" : kind, clock.now() + wait);
  }

  get #away(): "offline" | "blocked" {
    return this.#isBlocked ? "blocked" : "offline";
  }

  #publish(kind: ConnectionKind, retryAt: number | null = null): void {
    const { store, clock } = this.#deps;
    const before = store.get(connectionAtom);
    const waiting = kind === "reconnecting" || kind === "connecting";
    const wasAway = before.kind === "offline" || before.kind === "blocked";
    const shown = wasAway && waiting && this.#socketState !== "up" ? this.#away : kind;
    const since = shown === before.kind ? before.since : clock.now();
    store.set(connectionAtom, { ...before, kind: shown, since, retryAt });
  }
}
