/** A lock that at most one server of the installation holds, and loses with its connection. */
export interface LeaderLock {
  /** Null: another server holds it. Rejects while the store is away. */
  tryAcquire(): Promise<Lease | null>;
}

export interface Lease {
  /** Resolves when the lock is gone without having been released. */
  readonly lost: Promise<void>;
  release(): Promise<void>;
}
