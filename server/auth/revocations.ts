import { Listeners } from "../../shared/listeners.ts";
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
  const listeners = new Listeners<Revocation>();
  return {
    /** Notifies all listeners. */
    announce(revocation: Revocation): void {
      listeners.emit(revocation);
    },
    /** Returns a function that unsubscribes. */
    listen(listener: (revocation: Revocation) => void): () => void {
      return listeners.add(listener);
    },
  };
}
