import { sql } from "kysely";
import type { Json } from "../../../shared/filter/filter.ts";
import type { Db } from "../database.ts";
import type { RowOf } from "../platform-tables.ts";
import {
  ago,
  anyOf,
  countOf,
  execute,
  exists,
  firstOf,
  rowCount,
  sweptBefore,
  wroteRow,
} from "../statement.ts";

/**
 * Table watchfloor.security_event: append-only, and swept by age. Names are those of the moment; a table that the detail
 * names is also stored by its id (`tableId`), because another one may have that name later.
 */

export interface NewSecurityEvent {
  kind: string;
  /** A user's id; null if unknown. */
  actor?: string | null;
  /** A user's id, or a role's together with its name. */
  subject?: string | null;
  subjectName?: string;
  ip?: string | null;
  userAgent?: string | null;
  detail?: Record<string, Json>;
}

export type SecurityEventRow = Omit<RowOf<"watchfloor.security_event">, "id"> & { id: string };

export interface EventFilter {
  kinds: readonly string[] | null;
  user: string | null;
  before: string | null;
  limit: number;
}

/**
 * Events of one kind that a user may cause in a day by what everybody may do to their own account; beyond, they are one. Of a user
 * with as many events of all these kinds as nobody causes by working, each kind has one a day: days add up, too.
 */
const OWN_EVENTS_A_DAY = 100;
const OWN_EVENTS_MAX = 5_000;
const DAY_MS = 86_400_000;
const ownKinds: ReadonlySet<string> = new Set([
  ...["signed_out", "sign_in", "session_ended", "sessions_ended", "password_changed"],
  ...["factor_added", "factor_removed", "recovery_codes_renewed"],
  ...["token_created", "token_renamed", "token_revoked", "token_used"],
]);

/**
 * Adds one, with the current names of the users concerned. A flood of events by one user about their own account is
 * folded: the last one of the day says when, and how many more there were (`more`).
 */
export async function insertSecurityEvent(db: Db, event: NewSecurityEvent): Promise<void> {
  if (ownKinds.has(event.kind) && (await fold(db, event))) return;
  const { kind, actor = null, subject = null, subjectName = null, detail = {} } = event;
  const { ip = null, userAgent = null } = event;
  await execute(db)`
    insert into watchfloor.security_event
      (kind, actor, actor_name, subject, subject_name, ip, user_agent, detail)
    select ${kind}, ${actor}::text, (select name from watchfloor."user" where id = ${actor}::text),
      ${subject}::text, coalesce(${subjectName}::text,
        (select name from watchfloor."user" where id = ${subject}::text)),
      ${ip}::text, ${userAgent}::text, d.detail || coalesce((
        select jsonb_build_object('tableId', table_id) from watchfloor.feed
        where table_name = d.detail ->> 'table'), '{}')
    from (select ${JSON.stringify(detail)}::jsonb as detail) d`;
}

/** Counts an event in the last one of its kind and actor, where there are too many; false where it is to be added. */
function fold(db: Db, { kind, actor = null }: NewSecurityEvent): Promise<boolean> {
  return wroteRow(db)`update watchfloor.security_event e set at = clock_timestamp(),
      detail = e.detail || jsonb_build_object('more', coalesce((e.detail ->> 'more')::int, 0) + 1)
    from (
      select count(*) as count, max(id) filter (where kind = ${kind}) as id,
        count(*) filter (where kind = ${kind} and at > ${ago(DAY_MS)}) as today
      from (select id, kind, at from watchfloor.security_event
        where actor = ${actor}::text and kind = any(${[...ownKinds]}::text[])
        order by id desc limit ${OWN_EVENTS_MAX}) latest) own
    where e.id = own.id and own.today >=
      case when own.count < ${OWN_EVENTS_MAX} then ${OWN_EVENTS_A_DAY}::int else 1 end`;
}

/** Whether there was one of the kind from this address, about this user, within the time. */
export async function hasRecentEvent(
  db: Db,
  { kind, subject = null, ip = null }: Pick<NewSecurityEvent, "kind" | "subject" | "ip">,
  withinMs: number,
): Promise<boolean> {
  const recent = db.selectFrom("watchfloor.security_event").where("at", ">", ago(withinMs));
  const ofKind = recent.where("kind", "=", kind).where("subject", "is not distinct from", subject);
  const found = ofKind.where("ip", "is not distinct from", ip);
  return exists(found.select("id").limit(1));
}

/** What the event says by which a user was disabled last; null if there is none any more. */
export async function findDisabling(db: Db, user: string): Promise<Record<string, Json> | null> {
  const events = db.selectFrom("watchfloor.security_event").select("detail");
  const changes = events.where("kind", "=", "user_changed").where("subject", "=", user);
  const disabling = changes.where(sql<boolean>`detail #>> '{status,1}' = 'disabled'`);
  const latest = disabling.where(sql<boolean>`detail #>> '{status,0}' <> 'disabled'`);
  return (await firstOf(latest.orderBy("id", "desc").limit(1)))?.detail ?? null;
}

/** The newest first, and the total. */
export async function listSecurityEvents(
  db: Db,
  { kinds, user, before, limit }: EventFilter,
): Promise<{ rows: SecurityEventRow[]; total: number }> {
  let events = db.selectFrom("watchfloor.security_event");
  if (kinds) events = events.where("kind", "=", anyOf(kinds));
  if (user !== null) events = events.where((eb) => eb.or({ actor: user, subject: user }));
  const id = sql<string>`id::text`.as("id");
  const page = before === null ? events : events.where("id", "<", Number(before));
  const [rows, total] = await Promise.all([
    page
      .selectAll()
      .select(id)
      .orderBy("watchfloor.security_event.id", "desc")
      .limit(limit)
      .execute(),
    countOf(events.select(rowCount)),
  ]);
  return { rows, total };
}

/** Housekeeping: deletes expired events. */
export async function deleteOldSecurityEvents(db: Db, retentionMs: number): Promise<void> {
  const before = sweptBefore(retentionMs, "at", "watchfloor.security_event");
  await db.deleteFrom("watchfloor.security_event").where("at", "<", before).execute();
}
