import { Refusal } from "../../../../shared/protocol/errors.ts";
import type { SubscribeCall } from "../../../../shared/protocol/feed.ts";
import type { Transport } from "../../transport/transport.ts";
import type { Clock } from "../clock.ts";
import { closed } from "../closed.ts";
import { retryMs } from "../connection/backoff.ts";
import type { Subscription } from "./subscription.ts";

const RETRY = { baseMs: 300, maxMs: 15_000 };
const SUBSCRIBE_TIMEOUT_MS = 10_000;

/**
 * Asks the server to let a table be followed, and again with jitter where that failed for a passing
 * reason (C11). Whoever needs the table to be followed first waits here.
 */
export class TableSubscriber {
  readonly #deps;
  readonly #waiters: { resolve(): void; reject(refusal: Refusal): void }[] = [];
  #refusal: Refusal | null = null;
  #attempts = 0;
  /** How often rights may have changed so far. */
  #rightsChanges = 0;
  #cancelRetry: (() => void) | null = null;
  #isClosed = false;

  constructor(deps: {
    table: string;
    transport: Pick<Transport, "call">;
    clock: Clock;
    subscription(): Subscription;
    /** The table is followed. */
    onFollowing(): void;
    /** The refusal is permanent. */
    onRefused(refusal: Refusal): void;
    onSessionEnded(): void;
  }) {
    this.#deps = deps;
  }

  /** Rejects with the refusal where the table may not be followed. */
  whenFollowing(): Promise<void> {
    if (this.#refusal) return Promise.reject(this.#refusal);
    if (this.#isClosed) return Promise.reject(closed("table"));
    if (this.#deps.subscription().phase === "following") return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  onConnected(): void {
    this.#refusal = null;
    this.#deps.subscription().subscribe();
  }

  /**
   * What was refused is asked for again, also where that answer is still on its way: a page handles what arrives with it, as one polled
   * message does, before it.
   */
  onRightsChanged(): void {
    this.#rightsChanges += 1;
    if (this.#refusal) this.onConnected();
  }

  onDisconnected(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#deps.subscription().onDisconnected();
  }

  close(): void {
    this.#isClosed = true;
    this.onDisconnected();
    for (const { reject } of this.#waiters.splice(0)) reject(closed("table"));
  }

  /** Sends the ask of a subscription. */
  async request(after: SubscribeCall["after"], request: number): Promise<void> {
    const { transport, table } = this.#deps;
    const subscription = this.#deps.subscription();
    const asOf = this.#rightsChanges;
    try {
      const call = { table, ...(after ? { after } : {}) };
      const answer = await transport.call("subscribe", call, SUBSCRIBE_TIMEOUT_MS);
      if (!subscription.isPending(request) || this.#isClosed) return;
      this.#attempts = 0;
      subscription.answered(request, answer);
      for (const { resolve } of this.#waiters.splice(0)) resolve();
      this.#deps.onFollowing();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (subscription.isPending(request) && !this.#isClosed) this.#failed(error, asOf);
    }
  }

  #failed(refusal: Refusal, asOf: number): void {
    switch (refusal.code) {
      case "unauthenticated":
      case "session_ended":
        this.#deps.onSessionEnded();
        break;
      case "resync_required":
        this.#deps.subscription().forget("epoch");
        break;
      case "invalid_request":
        // An older server may not know every part of the position. Without one it answers.
        if (this.#deps.subscription().position) this.#deps.subscription().forget("epoch");
        else this.#refuse(refusal);
        break;
      case "forbidden":
      case "not_found":
        if (asOf !== this.#rightsChanges) this.#deps.subscription().subscribe();
        else this.#refuse(refusal);
        break;
      default: {
        const { clock, subscription } = this.#deps;
        const wait = retryMs(this.#attempts, refusal.detail, RETRY, clock);
        this.#attempts += 1;
        this.#cancelRetry = clock.after(wait, () => subscription().subscribe());
      }
    }
  }

  #refuse(refusal: Refusal): void {
    this.#refusal = refusal;
    this.#deps.onRefused(refusal);
    for (const { reject } of this.#waiters.splice(0)) reject(refusal);
  }
}
