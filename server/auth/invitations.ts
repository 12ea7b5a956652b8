import { explain } from "../../shared/error-texts/explain.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { invalidValue, Refusal } from "../../shared/protocol/errors.ts";
import type { AcceptInvitationCall } from "../../shared/protocol/session.ts";
import type { InvitationInfo } from "../../shared/protocol/users.ts";
import { acceptInvitation, findUserOfLink } from "../store/users/links.ts";
import type { UserRow } from "../store/users/users.ts";
import { lockManagedUser } from "./authorize-rank.ts";
import type { Auth } from "./create-auth.ts";
import { hashPassword } from "./password.ts";
import { validatePassword } from "./password-rules.ts";
import { recordEvent } from "./security-log.ts";
import { mustUseProvider, providerRequired, readPolicy } from "./sign-in-policy.ts";
import { hashToken } from "./tokens.ts";
import { type IssuedLink, issueLink } from "./user-links.ts";

/** One-time links by which an invited user chooses a password. */

/** The invited user. */
export async function readInvitation(auth: Auth, token: string): Promise<InvitationInfo> {
  const { email, name } = await invited(auth, token);
  return { email, name };
}

/** Uses up the invitation; returns the id of the user, who is active from now on. */
export async function redeemInvitation(
  auth: Auth,
  token: string,
  call: AcceptInvitationCall,
): Promise<string> {
  const user = await invited(auth, token);
  if (mustUseProvider(await readPolicy(auth.db), user)) throw providerRequired();
  await validatePassword(call.password, [user.email, call.name ?? user.name]);
  const set = { passwordHash: await hashPassword(call.password), name: call.name ?? null };
  await auth.db.transaction().execute(async (tx) => {
    if (!(await acceptInvitation(tx, hashToken(token), set))) throw invitationGone();
    await recordEvent(tx, { kind: "invitation_accepted", actor: user.id });
  });
  return user.id;
}

/** A new link to replace a lost one, which stops working. */
export async function reissueInvitation(
  { db, limits, mailBox }: Auth,
  me: Subject,
  id: string,
): Promise<IssuedLink> {
  return db.transaction().execute(async (tx) => {
    const user = await lockManagedUser(tx, me, id);
    if (user.status !== "invited") {
      throw invalidValue("user", "state", explain("user.notInvited"));
    }
    await recordEvent(tx, { kind: "invitation_made", actor: me.id, subject: id });
    return issueLink(tx, "invitation", id, limits.INVITATION_TTL_MS, mailBox);
  });
}

async function invited({ db, limits }: Auth, token: string): Promise<UserRow> {
  const link = { id: hashToken(token), maxAgeMs: limits.INVITATION_TTL_MS };
  const user = await findUserOfLink(db, "invitation", { ...link, status: "invited" });
  if (!user) throw invitationGone();
  return user;
}

function invitationGone(): Refusal {
  return new Refusal("not_found", {}, explain("user.invitationGone"));
}
