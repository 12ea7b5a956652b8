import { Refusal } from "../../shared/protocol/errors.ts";

const USERS_MAX = 10_000;

/** Bounds the bytes that one user has this server store within a time, where what is stored is deleted after that time. */
export class ByteWindow {
  readonly #windowMs: number;
  readonly #maxBytes: number;
  readonly #now: () => number;
  readonly #users = new Map<string, { bytes: number; until: number }>();

  constructor(windowMs: number, maxBytes: number, now: () => number = () => performance.now()) {
    this.#windowMs = windowMs;
    this.#maxBytes = maxBytes;
    this.#now = now;
  }

  /** Refuses a user who has stored too much, until their window ends. */
  requireCapacity(user: string): void {
    const used = this.#users.get(user);
    if (!used || used.bytes < this.#maxBytes) return;
    const leftMs = used.until - this.#now();
    if (leftMs > 0) throw new Refusal("rate_limited", { retryAfter: Math.ceil(leftMs / 1_000) });
    this.#users.delete(user);
  }

  add(user: string, bytes: number): void {
    const now = this.#now();
    const used = this.#users.get(user);
    if (used && used.until > now) {
      used.bytes += bytes;
      return;
    }
    if (this.#users.size >= USERS_MAX) this.#removeOver(now);
    this.#users.set(user, { bytes, until: now + this.#windowMs });
  }

  #removeOver(now: number): void {
    for (const [user, { until }] of this.#users) if (until <= now) this.#users.delete(user);
  }
}
