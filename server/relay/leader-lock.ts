/** A lock that one node of the deployment holds at most, and loses with its connection. */
export interface LeaderLock {
  /** Null: another node holds it. Rejects while the store is away. */
  tryAcquire(): Promise<Lease | null>;
}

export interface Lease {
  /** Resolves when the lock is gone without having been released. */
  readonly lost: Promise<void>;
  release(): Promise<void>;
}
