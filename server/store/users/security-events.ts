import { sql } from "kysely";
import type { Json } from "../../../shared/filter/filter.ts";
import type { Db } from "../database.ts";

/** Table watchfloor.security_event: append-only, and swept by age. Names are those of the moment. */

export interface NewSecurityEvent {
  kind: string;
  /** A user's id; null if unknown. */
  actor: string | null;
  /** A user's id, or a role's together with its name. */
  subject: string | null;
  subjectName?: string;
  ip: string | null;
  userAgent: string | null;
  detail: Record<string, Json>;
}

export interface SecurityEventRow {
  id: string;
  at: string;
  kind: string;
  actor: string | null;
  actor_name: string | null;
  subject: string | null;
  subject_name: string | null;
  ip: string | null;
  user_agent: string | null;
  detail: Record<string, Json>;
}

export interface EventFilter {
  kinds: readonly string[] | null;
  user: string | null;
  before: string | null;
  limit: number;
}

const ms = (milliseconds: number) => sql`${milliseconds} * interval '1 millisecond'`;

/** Adds one, with the current names of the users concerned. */
export async function insertSecurityEvent(db: Db, event: NewSecurityEvent): Promise<void> {
  await sql`
    insert into watchfloor.security_event
      (kind, actor, actor_name, subject, subject_name, ip, user_agent, detail)
    select ${event.kind}, ${event.actor}::text,
      (select name from watchfloor."user" where id = ${event.actor}::text), ${event.subject}::text,
      coalesce(${event.subjectName ?? null}::text,
        (select name from watchfloor."user" where id = ${event.subject}::text)),
      ${event.ip}::text, ${event.userAgent}::text, ${JSON.stringify(event.detail)}::jsonb`.execute(
    db,
  );
}

/** Whether there was one of the kind from this address, about this user, within the time. */
export async function hasRecentEvent(
  db: Db,
  { kind, subject, ip }: Pick<NewSecurityEvent, "kind" | "subject" | "ip">,
  withinMs: number,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from watchfloor.security_event
    where kind = ${kind} and at > now() - ${ms(withinMs)}
      and subject is not distinct from ${subject}::text and ip is not distinct from ${ip}::text
    limit 1`.execute(db);
  return rows.length > 0;
}

/** The newest first, and the total. */
export async function listSecurityEvents(
  db: Db,
  { kinds, user, before, limit }: EventFilter,
): Promise<{ rows: SecurityEventRow[]; total: number }> {
  const condition = sql`(${kinds}::text[] is null or kind = any(${kinds}::text[]))
    and (${user}::text is null or actor = ${user}::text or subject = ${user}::text)`;
  const [page, count] = await Promise.all([
    sql<SecurityEventRow>`
      select e.id::text, at, kind, actor, actor_name, subject, subject_name, ip, user_agent, detail
      from watchfloor.security_event e
      where ${condition} and (${before}::bigint is null or e.id < ${before}::bigint)
      order by e.id desc limit ${limit}`.execute(db),
    sql<{ n: number }>`
      select count(*)::int as n from watchfloor.security_event where ${condition}`.execute(db),
  ]);
  return { rows: page.rows, total: count.rows[0]?.n ?? 0 };
}

/** Housekeeping: deletes expired events. */
export async function deleteOldSecurityEvents(db: Db, retentionMs: number): Promise<void> {
  await sql`delete from watchfloor.security_event where at < now() - ${ms(retentionMs)}`.execute(
    db,
  );
}
