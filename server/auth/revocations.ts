import type { AccessEvent } from "../store/users/listen-for-access-changes.ts";

/**
 * Announces that what was known of a session or of a user is no longer valid. A repeated announcement is
 * harmless. Changes of this process are announced at once; those of other servers and programs come from the
 * database (store/users/listen-for-access-changes.ts).
 */

/**
 * A session ended; or something about a user changed: role, attributes, status, deletion; or the grants of a
 * role; or an API token was revoked or renamed; or a display was revoked or has another program; or notifications were
 * missed, and everything has to be revalidated.
 */
export type Revocation = AccessEvent;

export type Revocations = ReturnType<typeof createRevocations>;

/** One for each process. */
export function createRevocations() {
  const listeners = new Set<(revocation: Revocation) => void>();
  return {
    /** Notifies all listeners. */
    announce(revocation: Revocation): void {
      for (const listener of listeners) listener(revocation);
    },
    /** Returns a function that unsubscribes. */
    listen(listener: (revocation: Revocation) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
