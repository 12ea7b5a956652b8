import { isDeepStrictEqual } from "node:util";
import type { Subject } from "../../shared/policy/scope.ts";
import type { DisplayProgram } from "../../shared/protocol/displays.ts";
import type { UserProfile } from "../../shared/protocol/session.ts";

/** Who is behind a request or a connection, and by what credential. */
export interface Identity {
  user: UserProfile & { email: string };
  subject: Subject;
  /** `user:<id>`, `token:<id>` or `display:<id>`, as the change log names the author. */
  actor: string;
  /** The session's stored id (a hash), where the credential is a session. */
  session: string | null;
  /**
   * The session with the version of its rights, which grows with every change of them: what it was sent under one
   * holder it may be sent again under the same, and under no other.
   */
  holder: string;
  /** ISO 8601; the credential is worthless from then on. */
  expires: string;
  /** Where it is a display: what it is to show. It may ask for that and for nothing else. */
  display?: DisplayProgram;
}

/** Whether two answers tell the same of somebody; until when, and what the time was, moves by itself. */
export function isSameIdentity(one: Identity, other: Identity): boolean {
  return isDeepStrictEqual(withoutTime(one), withoutTime(other));
}

function withoutTime({ display, ...identity }: Identity): Identity {
  return { ...identity, expires: "", ...(display && { display: { ...display, now: "" } }) };
}
