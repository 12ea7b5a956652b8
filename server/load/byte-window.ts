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

  /** Whether more may be stored for a user; a user who has stored too much waits until their window ends. */
  hasCapacity(user: string): boolean {
    const used = this.#users.get(user);
    if (!used || used.bytes < this.#maxBytes) return true;
    if (used.until > this.#now()) return false;
    this.#users.delete(user);
    return true;
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
