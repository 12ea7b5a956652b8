import { explain } from "../../shared/error-texts/explain.ts";
import type { Limits } from "../../shared/limits.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import type {
  ChangePasswordCall,
  PasswordResetInfo,
  ResetPasswordCall,
} from "../../shared/protocol/account.ts";
import { invalidValue, Refusal } from "../../shared/protocol/errors.ts";
import type { Db } from "../store/database.ts";
import { countApiTokens } from "../store/users/api-tokens.ts";
import { deleteKnownDevices } from "../store/users/known-devices.ts";
import { claimReset, deleteLinksOf, findUserOfLink } from "../store/users/links.ts";
import { deleteSessionsOf } from "../store/users/sessions.ts";
import { findUserByEmail, holdActive, setPassword } from "../store/users/users.ts";
import { countActiveWebhooksOf } from "../store/webhooks/webhooks.ts";
import { lockManagedUser } from "./authorize-rank.ts";
import type { Auth } from "./create-auth.ts";
import { endMadeBy } from "./end-made-by.ts";
import type { Identity } from "./identity.ts";
import { hashPassword, verifyPassword } from "./password.ts";
import { validatePassword } from "./password-rules.ts";
import { recordEvent } from "./security-log.ts";
import { beginAttempt, resetAccountFailures } from "./sign-in-throttle.ts";
import { hashToken } from "./tokens.ts";
import { type IssuedLink, issueLink } from "./user-links.ts";

/**
 * Users change their password, proving the current one, or reset it by a one-time link that a user with the
 * right `users` creates. Both end the other sessions. A reset signs nobody in: a second factor is still
 * required.
 */

/** Refuses a wrong current password like an invalid field; guesses are throttled like sign-ins. */
export async function changePassword(
  auth: Auth,
  me: Identity,
  call: ChangePasswordCall,
): Promise<void> {
  const { email, name } = me.user;
  const former = await provePassword(auth, me, call.current);
  await validatePassword(call.password, [email, name]);
  const passwordHash = await hashPassword(call.password);
  await auth.db.transaction().execute(async (tx) => {
    if (!(await setPassword(tx, me.subject.id, passwordHash, former))) throw notPresent();
    await deleteSessionsOf(tx, me.subject.id, me.session);
    await deleteLinksOf(tx, "password_reset", [me.subject.id]);
    await deleteKnownDevices(tx, me.subject.id);
    const detail = call.revoke ? await endMadeBy(tx, me.subject.id) : {};
    await recordEvent(tx, { kind: "password_changed", actor: me.subject.id, detail });
  });
  auth.notifier.changed("user", me.subject.id);
}

/**
 * Refuses callers who do not know the signed-in user's password. Returns the stored hash: the proof is valid
 * only while that is still the password.
 */
export async function provePassword(
  auth: Auth,
  me: Identity,
  password: string,
): Promise<string | null> {
  const attempt = await beginAttempt(auth, { user: me.subject.id });
  const user = await findUserByEmail(auth.db, me.user.email);
  const stored = user?.password_hash ?? null;
  if (!(await verifyPassword(password, stored))) {
    await recordFailedProof(auth, me, "password");
    throw notPresent();
  }
  // Whoever must still show a second factor, guesses it under the same counter.
  await (me.lacksFactor ? attempt.inconclusive() : attempt.succeeded());
  return stored;
}

/** Somebody who is signed in has not proved who they are: perhaps it is somebody else, at an unlocked screen. */
export function recordFailedProof(
  { db }: Pick<Auth, "db">,
  { subject }: Identity,
  factor: "password" | "passkey",
): Promise<void> {
  return recordEvent(db, { kind: "proof_failed", actor: subject.id, detail: { factor } });
}

/** The password is not the one that was typed, or has changed since. */
export function notPresent(): Refusal {
  return invalidValue("current", "wrong", explain("user.currentPassword"));
}

/** A one-time token for the link by which another user chooses a new password. */
export async function issueReset(
  { db, limits, mailBox }: Auth,
  me: Subject,
  id: string,
): Promise<IssuedLink> {
  return db.transaction().execute(async (tx) => {
    const user = await lockManagedUser(tx, me, id);
    if (id === me.id) throw invalidValue("user", "state", explain("user.ownPassword"));
    if (user.status !== "active") throw invalidValue("user", "state", explain("user.notActive"));
    await recordEvent(tx, { kind: "password_reset_made", actor: me.id, subject: id });
    return issueLink(tx, "password_reset", id, limits.PASSWORD_RESET_TTL_MS, mailBox);
  });
}

/**
 * The same from the command line, for an installation whose only owner lost the password. Null if there is no such active
 * user.
 */
export async function issueLocalReset(
  db: Db,
  limits: Limits,
  email: string,
): Promise<{ token: string; expires: string } | null> {
  return db.transaction().execute(async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user || !(await holdActive(tx, user.id))) return null;
    await recordEvent(tx, {
      kind: "password_reset_made",
      actor: null,
      subject: user.id,
      detail: { via: "command line" },
    });
    return issueLink(tx, "password_reset", user.id, limits.PASSWORD_RESET_TTL_MS, null);
  });
}

/** The user of a link. */
export async function readReset(auth: Auth, token: string): Promise<PasswordResetInfo> {
  const { id, email, name } = await resettable(auth, token);
  const tokens = await countApiTokens(auth.db, id);
  return { email, name, tokens, webhooks: await countActiveWebhooksOf(auth.db, id) };
}

/**
 * Uses up the link: sets the password and ends every session of the user, whose id is returned. Also resets
 * failed attempts: users who forgot a password have often used them up.
 */
export async function resetPassword(
  auth: Auth,
  token: string,
  { password, revoke = true }: ResetPasswordCall,
): Promise<string> {
  const user = await resettable(auth, token);
  await validatePassword(password, [user.email, user.name]);
  const passwordHash = await hashPassword(password);
  await auth.db.transaction().execute(async (tx) => {
    const isThere = (await holdActive(tx, user.id)) && (await claimReset(tx, hashToken(token)));
    if (!isThere) throw resetLinkGone();
    await setPassword(tx, user.id, passwordHash);
    await deleteSessionsOf(tx, user.id);
    await deleteKnownDevices(tx, user.id);
    await resetAccountFailures({ ...auth, db: tx }, user.email);
    const detail = revoke ? await endMadeBy(tx, user.id) : {};
    await recordEvent(tx, { kind: "password_reset", actor: user.id, detail });
  });
  auth.notifier.changed("user", user.id);
  return user.id;
}

async function resettable({ db, limits }: Auth, token: string) {
  const link = { id: hashToken(token), maxAgeMs: limits.PASSWORD_RESET_TTL_MS };
  const user = await findUserOfLink(db, "password_reset", { ...link, status: "active" });
  if (!user) throw resetLinkGone();
  return user;
}

function resetLinkGone(): Refusal {
  return new Refusal("not_found", {}, explain("user.resetGone"));
}
