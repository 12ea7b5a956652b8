import type { ErrorCode } from "../../../../shared/protocol/errors.ts";
import type { Transport } from "../../transport/transport.ts";
import type { Clock } from "../clock.ts";
import { type BackoffRange, backoffMs, serverDelayMs } from "./backoff.ts";

/** How long a server that announced its end may take to answer calls under way. */
const GOODBYE_GRACE_MS = 2_000;
/** The server pings every 2.5 s (SOCKET_PING_MS): two are missing. */
const QUIET_AFTER_MS = 5_000;
/** A page that was busy or asleep has not read yet what came meanwhile, but its timers fire first: it looks a second time, on time. */
const READ_MS = 250;
const LATE_MS = 500;

interface Options {
  transport: Pick<Transport, "connect" | "disconnect">;
  clock: Clock;
  /** A clock that is not set back, in milliseconds; without one, that of `clock`. */
  steady?: (() => number) | undefined;
  retry: BackoffRange;
  /** The server sends something more often than this. A longer silence means that the line is dead, even if TCP has not noticed. */
  silenceMs: number;
  /**
   * Nothing comes over it, not even a ping, or something again: what is shown may be old from now on. The line stays as it is. A slow network
   * may be quiet for a while, and to open another line would cost it more than to wait for what is on its way.
   */
  onQuiet?(isQuiet: boolean): void;
  onOpening?(): void;
  onUp(): void;
  /** The line broke (`wasUp`), or could not be opened; `code` where the server refused it. `end` here, and it is not opened again. */
  onDown(down: { wasUp: boolean; code: ErrorCode | null }): void;
  /** It will be opened again after so long; null: once the network is back. */
  onWaiting?(ms: number | null): void;
}

/**
 * The line from a page to the server, of the console and of a display: the only place that decides when it is opened, that it is dead, and
 * when it is opened again. What is done over it belongs to its owners. A line that broke is opened again for ever, after a pause
 * that grows with each attempt (`onCaughtUp` begins anew), or after what a server asked for that said goodbye. Rules C1–C5 of
 * docs/PROTOCOL.md.
 */
export class ServerLine {
  readonly #options: Options;
  #state: "down" | "opening" | "up" = "down";
  #attempt = 0;
  #isOnline = true;
  #isEnded = false;
  #isBlocked = false;
  /** What a server asked for that said goodbye; its line is still open. */
  #delayMs: number | null = null;
  #cancelRetry: (() => void) | null = null;
  #cancelSilence: (() => void) | null = null;
  #lastMessageAt = 0;
  #cancelQuiet: (() => void) | null = null;
  /** Of a ping or a message; null before the first ping: not every line has them. */
  #lastSignAt: number | null = null;
  #isQuiet = false;

  constructor(options: Options) {
    this.#options = options;
  }

  get isUp(): boolean {
    return this.#state === "up";
  }

  get isDown(): boolean {
    return this.#state === "down";
  }

  /** Up, and not about to be closed by the server: what is sent is answered. */
  get isOpen(): boolean {
    return this.#state === "up" && this.#delayMs === null;
  }

  /** The server can be reached, but not by a live connection. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  /** Opens it now, whatever was planned, unless it is open or being opened. */
  open(): void {
    if (this.#state !== "down") return;
    this.#isEnded = false;
    // A delay that the server set for the previous line does not apply to this one.
    this.#delayMs = null;
    this.#cancel();
    this.#state = "opening";
    this.#options.onOpening?.();
    this.#options.transport.connect();
  }

  /** Closes it, and opens it no more by itself. */
  end(): void {
    this.#isEnded = true;
    this.#cancel();
    if (this.#state !== "down") this.#options.transport.disconnect();
    this.#state = "down";
  }

  /** Gives it up and opens another one later, as when it is silent or its messages make no sense. */
  reopen(): void {
    if (this.#state === "down") return;
    this.#options.transport.disconnect();
    this.down(null);
  }

  /** Opens it at once instead of after the planned pause: the network, or the user, may be back. */
  retryNow(): void {
    if (this.#isEnded || this.#state === "up") return;
    if (this.#state === "opening") this.#options.transport.disconnect();
    this.#state = "down";
    this.#attempt = 0;
    this.open();
  }

  /** Without a network no attempt is made. */
  setOnline(isOnline: boolean): void {
    this.#isOnline = isOnline;
    if (this.#isEnded) return;
    if (isOnline) this.#attempt = 0;
    else if (this.#state !== "down") this.reopen();
    else this.#planRetry();
  }

  up(): void {
    if (this.#isEnded) return;
    this.#state = "up";
    this.#isBlocked = false;
    this.onMessage();
    this.#options.onUp();
  }

  down(code: ErrorCode | null, isBlocked = false): void {
    if (this.#state === "down") return;
    const wasUp = this.#state === "up";
    this.#state = "down";
    this.#isBlocked = isBlocked;
    this.#cancel();
    this.#options.onDown({ wasUp, code });
    if (!this.#isEnded && this.isDown) this.#planRetry();
  }

  /** Something came over it: from now on silence means that it is dead. */
  onMessage(): void {
    this.#lastMessageAt = this.#now();
    this.#cancelSilence ??= this.#watchSilence(this.#options.silenceMs);
    if (this.#lastSignAt !== null) this.onPing();
  }

  /** The server is there, whatever else it sends or does not. */
  onPing(): void {
    if (this.#state !== "up") return;
    this.#lastSignAt = this.#now();
    if (this.#isQuiet) {
      this.#isQuiet = false;
      this.#options.onQuiet?.(false);
    }
    this.#cancelQuiet ??= this.#watchQuiet(QUIET_AFTER_MS);
  }

  /** All that it is for works again: the next pause is a short one. */
  onCaughtUp(): void {
    this.#attempt = 0;
  }

  /** The server will close it, and asks not to be called again for so long. */
  onGoodbye(delayMs: number): void {
    this.#delayMs = delayMs;
    this.#options.clock.after(GOODBYE_GRACE_MS, () => {
      if (this.#delayMs !== null) this.reopen();
    });
  }

  #planRetry(): void {
    const { clock, retry, onWaiting } = this.#options;
    const delayMs = this.#delayMs;
    this.#delayMs = null;
    this.#cancel();
    if (!this.#isOnline) {
      onWaiting?.(null);
      return;
    }
    const wait =
      delayMs === null ? backoffMs(this.#attempt, retry, clock) : serverDelayMs(delayMs, clock);
    this.#attempt += 1;
    this.#cancelRetry = clock.after(wait, () => this.open());
    onWaiting?.(wait);
  }

  #watchSilence(ms: number): () => void {
    const { clock, silenceMs } = this.#options;
    return clock.after(ms, () => {
      // The machine's clock was set back: counted from now.
      this.#lastMessageAt = Math.min(this.#lastMessageAt, this.#now());
      const left = this.#lastMessageAt + silenceMs - this.#now();
      if (left > 0) this.#cancelSilence = this.#watchSilence(left);
      else this.reopen();
    });
  }

  #watchQuiet(ms: number, isSecondLook = false): () => void {
    const due = this.#now() + ms;
    return this.#options.clock.after(ms, () => {
      const now = this.#now();
      this.#lastSignAt = Math.min(this.#lastSignAt ?? now, now);
      const left = this.#lastSignAt + QUIET_AFTER_MS - now;
      const isOnTime = now - due <= LATE_MS;
      if (left > 0) this.#cancelQuiet = this.#watchQuiet(left);
      else if (!isSecondLook || !isOnTime) this.#cancelQuiet = this.#watchQuiet(READ_MS, true);
      else {
        this.#cancelQuiet = null;
        this.#isQuiet = true;
        this.#options.onQuiet?.(true);
      }
    });
  }

  #now(): number {
    const { steady, clock } = this.#options;
    return steady ? steady() : clock.now();
  }

  #cancel(): void {
    this.#cancelRetry?.();
    this.#cancelSilence?.();
    this.#cancelQuiet?.();
    this.#cancelRetry = null;
    this.#cancelSilence = null;
    this.#cancelQuiet = null;
    this.#lastSignAt = null;
    this.#isQuiet = false;
  }
}
