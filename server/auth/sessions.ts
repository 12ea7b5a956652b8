import type { Subject } from "../../shared/policy/scope.ts";
import type { SessionEntry } from "../../shared/protocol/account.ts";
import { found } from "../../shared/protocol/errors.ts";
import type { Db } from "../store/database.ts";
import {
  deleteSessionOf,
  deleteSessionsOf,
  handleOf,
  listSessionsOf,
} from "../store/users/sessions.ts";
import { lockManagedUser, managedUser } from "./authorize-rank.ts";
import type { Auth } from "./create-auth.ts";
import { type EndedAccess, endMadeBy } from "./end-made-by.ts";
import type { Identity } from "./identity.ts";
import { recordEvent } from "./security-log.ts";

/**
 * Lists and ends sessions: one's own, and for users who manage users those of somebody without more rights.
 * Postgres notifies of ended sessions at commit, so that open sockets close on every server.
 */

/** The user's sessions: the current one, then the last used. */
export async function mySessions(auth: Auth, { subject, session }: Identity) {
  return entries(auth, subject.id, session);
}

/** Ends one of the user's own, also the current one. */
export async function endMySession(auth: Auth, me: Identity, handle: string): Promise<void> {
  await endOne(auth, { actor: me.subject.id, user: me.subject.id }, handle);
}

/** What was ended. */
type Ended = EndedAccess & { ended: number };

/** Ends all of the user's own except the current one and, with `revoke`, what was made with the account. */
export async function endMyOtherSessions(auth: Auth, me: Identity, revoke = false): Promise<Ended> {
  return endAll(auth, { actor: me.subject.id, user: me.subject.id, revoke }, me.session);
}

/** The sessions of another user, whom the caller manages. */
export async function sessionsOf(auth: Auth, { subject, session }: Identity, user: string) {
  await managedUser(auth.db, subject, user);
  return entries(auth, user, session);
}

/** Ends one of another user, whom the caller manages. */
export async function endSessionOf(
  auth: Auth,
  me: Subject,
  user: string,
  handle: string,
): Promise<void> {
  const authorize = (tx: Db) => lockManagedUser(tx, me, user);
  await endOne(auth, { actor: me.id, user, authorize }, handle);
}

/** Signs a user out everywhere and, with `revoke`, ends what was made with the account. */
export async function endSessionsOf(
  auth: Auth,
  me: Subject,
  user: string,
  revoke = false,
): Promise<Ended> {
  const authorize = (tx: Db) => lockManagedUser(tx, me, user);
  return endAll(auth, { actor: me.id, user, authorize, revoke });
}

interface EndSessionOptions {
  actor: string;
  user: string;
  /** Within the transaction, for another user's. */
  authorize?: (tx: Db) => Promise<unknown>;
}

async function endAll(
  { db, notifier }: Auth,
  { actor, user, authorize, revoke }: EndSessionOptions & { revoke: boolean },
  except: string | null = null,
): Promise<Ended> {
  const ended = await db.transaction().execute(async (tx) => {
    await authorize?.(tx);
    const ended = await deleteSessionsOf(tx, user, except);
    const made = revoke ? await endMadeBy(tx, user) : null;
    const detail = { ended, ...made };
    await recordEvent(tx, { kind: "sessions_ended", actor, subject: user, detail });
    return { ended, ...(made ?? { tokens: 0, webhooks: 0 }) };
  });
  notifier.changed("user", user);
  return ended;
}

async function endOne(
  { db, notifier }: Auth,
  { actor, user, authorize }: EndSessionOptions,
  handle: string,
): Promise<void> {
  const session = await db.transaction().execute(async (tx) => {
    await authorize?.(tx);
    const ended = found(await deleteSessionOf(tx, user, handle));
    await recordEvent(tx, { kind: "session_ended", actor, subject: user });
    return ended;
  });
  notifier.changed("session", session);
}

async function entries(
  { db, sessions }: Auth,
  user: string,
  mine: string | null,
): Promise<SessionEntry[]> {
  const rows = await listSessionsOf(db, user, sessions);
  const entries = rows.map((row) => ({
    id: row.handle,
    createdAt: row.created_at,
    lastSeen: row.last_seen,
    expires: row.expires,
    ip: row.ip,
    userAgent: row.user_agent,
    current: mine !== null && row.handle === handleOf(mine),
  }));
  return [...entries.filter((one) => one.current), ...entries.filter((one) => !one.current)];
}
