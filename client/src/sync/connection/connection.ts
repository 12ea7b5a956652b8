import { type ErrorCode, isSignedOut } from "../../../../shared/protocol/errors.ts";
import type { GoodbyeMessage } from "../../../../shared/protocol/signals.ts";
import { type ConnectionKind, connectionAtom } from "../../state/connection-state.ts";
import type { CoreParts } from "../core-parts.ts";
import { ServerLine } from "./server-line.ts";

/** After this long without a connection the shell shows "offline"; attempts continue. */
const OFFLINE_AFTER_MS = 10_000;

interface ConnectionDeps extends CoreParts {
  /** Whether every open table follows its feed: asked on each `onProgress()`. */
  isCaughtUp(): boolean;
  /** The line is up: subscribe. */
  onUp(): void;
  onDown(): void;
  /** Up and caught up: edits may go. */
  onReady(): void;
}

/**
 * The console's connection: its line, and what the shell says of it (`connectionAtom`). It is ready once every open table has caught up.
 * Rules C1–C5 of docs/PROTOCOL.md.
 */
export class Connection {
  readonly #deps: ConnectionDeps;
  readonly #line: ServerLine;
  #ready = false;
  #wasReady = false;
  #ended: "signedOut" | "updateRequired" | "stopped" | null = null;
  #cancelOffline: (() => void) | null = null;

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
    const { transport, clock } = deps;
    this.#line = new ServerLine({
      ...{ transport, clock },
      retry: { baseMs: 400, maxMs: 10_000 },
      // Heads come every 5 s: two are missing.
      silenceMs: 11_000,
      onQuiet: (isQuiet) => this.#onQuiet(isQuiet),
      onOpening: () => this.#publish(this.#wasReady ? "reconnecting" : "connecting"),
      onUp: () => this.#onUp(),
      onDown: ({ wasUp, code }) => this.#onDown(wasUp, code),
      onWaiting: (ms) => this.#onWaiting(ms),
    });
  }

  /** Up, and every table that was open has caught up. */
  get isReady(): boolean {
    return this.#ready;
  }

  /** Up, and not about to be closed by the server: what is sent is answered. */
  get isOpen(): boolean {
    return this.#line.isOpen;
  }

  get isUp(): boolean {
    return this.#line.isUp;
  }

  /** Opens the line now, whatever was planned. */
  connect(): void {
    if (this.#ended === "stopped" || !this.#line.isDown) return;
    this.#ended = null;
    this.#line.open();
  }

  stop(): void {
    this.#ended = "stopped";
    this.#stopCounting();
    this.#line.end();
    this.#ready = false;
  }

  setOnline(online: boolean): void {
    this.#line.setOnline(online);
    if (online && !this.#ended) this.connect();
  }

  up(): void {
    this.#line.up();
  }

  /** The line broke, or could not be opened; `code` where the server refused it. */
  down(code: ErrorCode | null, isBlocked = false): void {
    this.#line.down(code, isBlocked);
  }

  /** Stops reconnecting until the user acts. */
  end(reason: "signedOut" | "updateRequired"): void {
    if (this.#ended === "stopped") return;
    this.#ended = reason;
    this.#stopCounting();
    const { isUp } = this.#line;
    this.#line.end();
    if (isUp) this.#deps.onDown();
    this.#ready = false;
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
    this.#ready = false;
    this.#line.onGoodbye(retryAfter);
  }

  /** A table caught up or was opened or closed. */
  onProgress(): void {
    if (!this.isOpen || this.#ready || !this.#deps.isCaughtUp()) return;
    this.#ready = true;
    this.#wasReady = true;
    this.#line.onCaughtUp();
    this.#publish("live");
    this.#deps.onReady();
  }

  /** Something came over the line. */
  onMessageReceived(): void {
    this.#line.onMessage();
  }

  onPing(): void {
    this.#line.onPing();
  }

  /** What the server says of its own health, and why. */
  setDegraded(degraded: boolean, reason?: string): void {
    const { store } = this.#deps;
    const withoutStore = degraded && reason === "store";
    store.set(connectionAtom, { ...store.get(connectionAtom), degraded, withoutStore });
  }

  #onUp(): void {
    this.#stopCounting();
    if (this.#wasReady) this.#publish("catchingUp");
    // A degraded server notifies each new connection.
    this.setDegraded(false);
    this.#deps.onUp();
    this.onProgress();
  }

  #onDown(wasUp: boolean, code: ErrorCode | null): void {
    this.#ready = false;
    if (wasUp) this.#deps.onDown();
    if (isSignedOut(code)) this.end("signedOut");
    else if (code === "update_required") this.end("updateRequired");
  }

  #onWaiting(ms: number | null): void {
    if (ms === null) {
      this.#publish("offline");
      return;
    }
    const { clock } = this.#deps;
    this.#cancelOffline ??= clock.after(OFFLINE_AFTER_MS, () => this.#publish(this.#away));
    const kind = this.#wasReady ? "reconnecting" : "connecting";
    this.#publish(this.#line.isBlocked ? "blocked" : kind, clock.now() + ms);
  }

  /** What is shown is not called live while nothing arrives, not even a ping. What is on its way may still arrive. */
  #onQuiet(isQuiet: boolean): void {
    if (isQuiet) this.#publish(this.#wasReady ? "reconnecting" : "connecting");
    else if (this.#ready) this.#publish("live");
    else if (this.#wasReady) this.#publish("catchingUp");
  }

  #stopCounting(): void {
    this.#cancelOffline?.();
    this.#cancelOffline = null;
  }

  get #away(): "offline" | "blocked" {
    return this.#line.isBlocked ? "blocked" : "offline";
  }

  #publish(kind: ConnectionKind, retryAt: number | null = null): void {
    const { store, clock } = this.#deps;
    const before = store.get(connectionAtom);
    const waiting = kind === "reconnecting" || kind === "connecting";
    const wasAway = before.kind === "offline" || before.kind === "blocked";
    const shown = wasAway && waiting && !this.isUp ? this.#away : kind;
    const since = shown === before.kind ? before.since : clock.now();
    store.set(connectionAtom, { ...before, kind: shown, since, retryAt });
  }
}
