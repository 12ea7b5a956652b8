import { sql } from "kysely";
import type { Db } from "../database.ts";
import type { RowOf } from "../platform-tables.ts";
import {
  ago,
  execute,
  firstOf,
  milliseconds,
  now,
  rowOf,
  rowsOf,
  rowsWritten,
  wrote,
  wroteRow,
} from "../statement.ts";
import type { RoleRow } from "./roles.ts";
import type { UserRow } from "./users.ts";

/** Table watchfloor.session. A session is known by the hash of its token; it ends by idle time or by age. */

/** An active user with their role, read in one statement. */
export interface ActiveUserRow extends UserRow {
  /** The declared role of the user; null for a built-in one, or none. */
  declared: RoleRow | null;
  /** Grows with every change of the rights of the user or their role. */
  rights: string;
}

export interface SessionRow extends ActiveUserRow {
  session: string;
  /** ISO 8601: idle or absolute, whichever comes first. */
  expires: string;
  /** Whether `last_seen` is old enough to be written again. */
  touch: boolean;
  /** The provider at which it began, with its issuer; its name is null once it was removed. */
  provider: string | null;
  provider_name: string | null;
  issuer: string | null;
  /** Whether its user has not shown yet the second factor that their role requires. */
  lacks_factor: boolean;
}

export interface SessionLimits {
  idleMs: number;
  absoluteMs: number;
  /** The age at which a session ends that began at a provider. */
  providerMs: number;
  /** `last_seen` is written at most this often. */
  touchMs: number;
}

const HANDLE_LENGTH = 16;

/** When a session ends: idle or by its age. */
const endOf = ({ idleMs, absoluteMs, providerMs }: SessionLimits) =>
  sql<string>`least(s.last_seen + ${milliseconds(idleMs)}, s.created_at + ${milliseconds(absoluteMs)},
    case when s.provider is not null then s.created_at + ${milliseconds(providerMs)} end)`;

/** What a session that began at a provider holds of it. */
export interface ProviderSession {
  provider: string;
  issuer: string;
  subject: string;
  /** The provider's own name of its session (`sid`), by which it ends it. */
  providerSession: string | null;
  /** Encrypted; names the session when the user signs out there, too. */
  idToken: string;
  /** When the user proved there who they are; null: the provider does not say. */
  provenAt: string | null;
}

/**
 * False if the user is not active, also by a concurrent change. `factorRoles` are the roles that require a second factor, where none
 * was shown: the session of a user of them lacks it.
 */
export function insertSession(
  db: Db,
  session: { id: string; user: string; ip: string; userAgent: string },
  factorRoles: readonly string[],
  at: ProviderSession | null = null,
): Promise<boolean> {
  return wroteRow(db)`with seen as (
      update watchfloor."user" set last_seen = now()
      where id = ${session.user} and status = 'active' returning id, role)
    insert into watchfloor.session (id, user_id, lacks_factor, ip, user_agent, provider, issuer, subject,
      provider_session, id_token, proven_at)
    select ${session.id}, id, role = any(${factorRoles}::text[]), ${session.ip}, ${session.userAgent}, ${at?.provider ?? null},
      ${at?.issuer ?? null}, ${at?.subject ?? null}, ${at?.providerSession ?? null}, ${at?.idToken ?? null},
      ${at ? sql`least(coalesce(${at.provenAt}::timestamptz, '-infinity'), now())` : now} from seen`;
}

/** The columns of an ActiveUserRow, of `u` (the user) and `r` (their declared role). */
export const userWithRole = sql`u.id, u.email, u.name, u.colour, u.role, u.attributes, u.status,
  u.last_seen, u.created_at, u.role_provider,
  case when r.id is not null then jsonb_build_object(
    'id', r.id, 'name', r.name, 'rights', r.rights, 'grants', r.grants) end as declared,
  concat(u.role, ' ', u.rights_version, ' ', r.rights_version) as rights`;

/** Null if there is no such user, or they are not active. */
export function findActiveUser(db: Db, id: string): Promise<ActiveUserRow | null> {
  return rowOf<ActiveUserRow>(db)`
    select ${userWithRole} from watchfloor."user" u left join watchfloor.role r on r.id = u.role
    where u.id = ${id} and u.status = 'active'`;
}

/** Of these users the active ones. */
export function findActiveUsers(db: Db, ids: readonly string[]): Promise<ActiveUserRow[]> {
  return rowsOf<ActiveUserRow>(db)`
    select ${userWithRole} from watchfloor."user" u left join watchfloor.role r on r.id = u.role
    where u.id = any(${ids}::text[]) and u.status = 'active'`;
}

/** The session with its active user and their role, read in one statement; null if it ended or never existed. */
export function findSession(db: Db, id: string, limits: SessionLimits): Promise<SessionRow | null> {
  return rowOf<SessionRow>(db)`
    select s.id as session, ${userWithRole}, ${endOf(limits)} as expires,
      s.last_seen < now() - ${milliseconds(limits.touchMs)} as touch,
      s.provider, p.name as provider_name, s.issuer, s.lacks_factor
    from watchfloor.session s join watchfloor."user" u on u.id = s.user_id
      left join watchfloor.role r on r.id = u.role
      left join watchfloor.identity_provider p on p.id = s.provider
    where s.id = ${id} and u.status = 'active' and ${endOf(limits)} > now()`;
}

/**
 * Records activity, which prevents the idle end of the session. Never waits for a lock: a change or sign-out
 * of the user locks these rows in the other order, and what is not recorded now is recorded the next time.
 */
export async function touchSession(db: Db, id: string): Promise<void> {
  await execute(db)`with free as (
      select id from watchfloor.session where id = ${id} for no key update skip locked),
    touched as (
      update watchfloor.session set last_seen = now()
      where id in (select id from free) returning user_id)
    update watchfloor."user" set last_seen = now() where id in (
      select id from watchfloor."user" where id in (select user_id from touched)
      for no key update skip locked)`;
}

/** Whether the user of a session has proved who they are within this time, by signing in or again since. */
export async function isRecentlyProven(db: Db, id: string, withinMs: number): Promise<boolean> {
  const session = db.selectFrom("watchfloor.session").select("id").where("id", "=", id);
  return (await firstOf(session.where("proven_at", ">", ago(withinMs)))) !== null;
}

/** Records that the user of a session has just proved who they are; false if it has ended. */
export function noteProof(db: Db, id: string): Promise<boolean> {
  return wrote(db.updateTable("watchfloor.session").set({ proven_at: now }).where("id", "=", id));
}

/** Records when the user of a session proved at a provider who they are; false if it has ended. */
export function noteProofAt(db: Db, id: string, at: string): Promise<boolean> {
  const proven_at = sql<string>`greatest(proven_at, least(${at}::timestamptz, now()))`;
  return wrote(db.updateTable("watchfloor.session").set({ proven_at }).where("id", "=", id));
}

/** The user of a session has shown their second factor; false if it has ended. */
export function noteFactorShown(db: Db, id: string): Promise<boolean> {
  const session = db.updateTable("watchfloor.session").where("id", "=", id);
  return wrote(session.set({ lacks_factor: false }));
}

/** Whether a session began at most this long ago: at a provider that does not say when its user proved who they are. */
export async function hasJustBegun(db: Db, id: string, withinMs: number): Promise<boolean> {
  const session = db.selectFrom("watchfloor.session").select("id").where("id", "=", id);
  return (await firstOf(session.where("created_at", ">", ago(withinMs)))) !== null;
}

/** The provider of a session, and what to sign out with there; null if it began here. */
export function findProviderOf(
  db: Db,
  id: string,
): Promise<RowOf<"watchfloor.session", "provider" | "id_token"> | null> {
  const session = db.selectFrom("watchfloor.session").select(["provider", "id_token"]);
  return firstOf(session.where("id", "=", id).where("provider", "is not", null));
}

/**
 * Ends sessions that began at a provider; returns the ids and users. Without `sid`, all of the subject; without both, all of the provider.
 * A session that the provider gave no name when it began may be any of its subject's: it ends with each.
 */
export function deleteProviderSessions(
  db: Db,
  {
    provider,
    issuer,
    sid,
    subject,
  }: { provider?: string; issuer?: string; sid?: string | undefined; subject?: string | undefined },
): Promise<{ id: string; user_id: string }[]> {
  let sessions = db.deleteFrom("watchfloor.session");
  if (provider !== undefined) sessions = sessions.where("provider", "=", provider);
  if (issuer !== undefined) sessions = sessions.where("issuer", "=", issuer);
  if (sid !== undefined) {
    sessions = sessions.where((eb) => {
      const named = eb("provider_session", "=", sid);
      return subject === undefined ? named : eb.or([named, eb("provider_session", "is", null)]);
    });
  }
  if (subject !== undefined) sessions = sessions.where("subject", "=", subject);
  return sessions.where("provider", "is not", null).returning(["id", "user_id"]).execute();
}

/** Ends a session; false if it had ended before. */
export function deleteSession(db: Db, id: string): Promise<boolean> {
  return wrote(db.deleteFrom("watchfloor.session").where("id", "=", id));
}

/** All sessions of a user except one; returns how many. Postgres notifies of each at commit. */
export function deleteSessionsOf(
  db: Db,
  user: string,
  except: string | null = null,
): Promise<number> {
  const sessions = db.deleteFrom("watchfloor.session").where("user_id", "=", user);
  return rowsWritten(sessions.where("id", "is distinct from", except));
}

/** A session as a list shows it: by the beginning of its id, which is not a credential. */
interface ListedSession
  extends RowOf<"watchfloor.session", "created_at" | "last_seen" | "ip" | "user_agent"> {
  handle: string;
  expires: string;
}

/** The open sessions of a user, the last used first. */
export function listSessionsOf(
  db: Db,
  user: string,
  limits: SessionLimits,
): Promise<ListedSession[]> {
  const handle = sql<string>`left(s.id, ${HANDLE_LENGTH})`.as("handle");
  return db
    .selectFrom("watchfloor.session as s")
    .select([handle, "s.created_at", "s.last_seen", "s.ip", "s.user_agent"])
    .select(endOf(limits).as("expires"))
    .where("s.user_id", "=", user)
    .where(endOf(limits), ">", now)
    .orderBy("s.last_seen", "desc")
    .orderBy("s.id")
    .execute();
}

/** Ends the session of that name, if the user has it; returns its id. */
export async function deleteSessionOf(
  db: Db,
  user: string,
  handle: string,
): Promise<string | null> {
  const sessions = db.deleteFrom("watchfloor.session").where("user_id", "=", user);
  const named = sessions.where(sql<string>`left(id, ${HANDLE_LENGTH})`, "=", handle);
  return (await firstOf(named.returning("id")))?.id ?? null;
}

/** The name of the session in a list. */
export function handleOf(session: string): string {
  return session.slice(0, HANDLE_LENGTH);
}

/** Housekeeping: ended sessions are refused anyhow. */
export async function deleteEndedSessions(db: Db, limits: SessionLimits): Promise<void> {
  const isEnded = sql<boolean>`(last_seen < ${ago(limits.idleMs)}
    or created_at < ${ago(limits.absoluteMs)})`;
  await db.deleteFrom("watchfloor.session").where(isEnded).execute();
}
