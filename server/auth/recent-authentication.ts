import { Refusal } from "../../shared/protocol/errors.ts";
import type { ProofCall } from "../../shared/protocol/session.ts";
import { isRecentlyProven, noteProof } from "../store/users/sessions.ts";
import { holdActive } from "../store/users/users.ts";
import type { Auth } from "./create-auth.ts";
import type { Identity } from "./identity.ts";
import { provenUse, type Site } from "./passkeys.ts";
import { notPresent, provePassword, recordFailedProof } from "./passwords.ts";
import { mustUseProvider, providerRequired, readPolicy } from "./sign-in-policy.ts";

/**
 * A session shows that somebody signed in, not who sits before it hours later. What is made by it and outlives it (API tokens,
 * webhooks, pairings) needs a recent proof: signing in, or the password or a passkey since. One mechanism for all of them: the
 * contract marks their routes (`needsProof`), and the session holds the time of the last proof, for all servers. An API token has
 * no user before it; it was made under the same rule.
 */

/** Refuses a session whose user has not proved who they are lately. */
export async function requireRecentProof(
  { db, limits }: Pick<Auth, "db" | "limits">,
  { session }: Identity,
): Promise<void> {
  if (session === null) return;
  if (await isRecentlyProven(db, session, limits.RECENT_AUTHENTICATION_MS)) return;
  throw new Refusal("authentication_too_old");
}

/**
 * Takes the proof of a signed-in user. Wrong ones are counted like sign-ins, and recorded. A provider is a proof of its own kind, which
 * takes a visit there (provider-sign-in.ts).
 */
export async function proveAgain(
  auth: Auth,
  me: Identity,
  proof: ProofCall,
  site: Site,
): Promise<void> {
  if (
    "password" in proof &&
    mustUseProvider(await readPolicy(auth.db), { ...me.subject, role: me.subject.role.id })
  ) {
    throw providerRequired();
  }
  const password = "password" in proof ? await provePassword(auth, me, proof.password) : null;
  const use = "response" in proof ? await provenUse(auth, proof.response, site) : null;
  const isMine = "password" in proof || use?.user === me.subject.id;
  if (!isMine) {
    await recordFailedProof(auth, me, "passkey");
    throw notPresent();
  }
  await auth.db.transaction().execute(async (tx) => {
    if (!(await holdActive(tx, me.subject.id, password))) throw notPresent();
    if (me.session === null || !(await noteProof(tx, me.session))) {
      throw new Refusal("session_ended");
    }
  });
}
