/**
 * Tells that what was known of a session or of a user is no longer true. It may be told twice and is
 * harmless then. What happens in this process is told at once; what other servers and other programs
 * do comes from the database (store/people/listen-for-access-changes.ts).
 */

/**
 * A session ended; or something about a user changed: role, attributes, status, or it is gone; or
 * what a role grants; or a display was revoked or is to show something else; or nobody knows what was
 * missed, and everything is to be asked again.
 */
export type Revocation =
  | { kind: "session"; session: string }
  | { kind: "user"; user: string }
  | { kind: "role"; role: string }
  | { kind: "display"; display: string }
  | { kind: "all" };

export interface Revocations {
  /** Tells everybody who listens. */
  announce(revocation: Revocation): void;
  /** Returns the way to stop listening. */
  listen(listener: (revocation: Revocation) => void): () => void;
}

/** One for each process. */
export function createRevocations(): Revocations {
  const listeners = new Set<(revocation: Revocation) => void>();
  return {
    announce(revocation) {
      for (const listener of listeners) listener(revocation);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
