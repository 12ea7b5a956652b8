import { isDeepStrictEqual } from "node:util";
import type { Subject } from "../../shared/policy/scope.ts";
import type { DisplayProgram } from "../../shared/protocol/signals.ts";
import type { UserProfile } from "../../shared/protocol/users.ts";

/** The user or display behind a request or a connection, and its credential. */
export interface Identity {
  user: UserProfile & { email: string };
  subject: Subject;
  /** `user:<id>`, `token:<id>` or `display:<id>`, as the change log names the author. */
  actor: string;
  /** The session's stored id (a hash), if the credential is a session. */
  session: string | null;
  /**
   * The session or token with the version of its rights, which grows with every change of them. What was sent under
   * one holder may be sent again under the same one only.
   */
  holder: string;
  /** The provider at which the session began, by which its user signs out and proves again who they are. */
  provider?: { id: string; name: string; confirms: boolean };
  /**
   * The role requires a second factor that this session has not shown: it has no rights, and only the routes that say so
   * (`withoutFactor`) accept it.
   */
  lacksFactor?: true;
  /** ISO 8601; the credential is invalid from then on. */
  expires: string;
  /** For an API token: its id and name. `user` and `subject` are its creator's, with the rights of both. */
  token?: { id: string; name: string };
  /** For a display: its program. It may do nothing else. */
  display?: DisplayProgram;
  /** For a display: the rights that bound what its wallboards show there. */
  bound?: Subject;
}

/** Whether two identities are equal, except for expiry and time. */
export function isSameIdentity(one: Identity, other: Identity): boolean {
  return isDeepStrictEqual(withoutTime(one), withoutTime(other));
}

function withoutTime({ display, ...identity }: Identity): Identity {
  return { ...identity, expires: "", ...(display && { display: { ...display, now: "" } }) };
}
