import { sql } from "kysely";
import type { Json } from "../../../shared/filter/filter.ts";
import type { Db } from "../database.ts";
import type { RowOf } from "../platform-tables.ts";
import { ago, firstOf, rowCount } from "../statement.ts";

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

export type SecurityEventRow = Omit<RowOf<"watchfloor.security_event">, "id"> & { id: string };

export interface EventFilter {
  kinds: readonly string[] | null;
  user: string | null;
  before: string | null;
  limit: number;
}

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
  const recent = db.selectFrom("watchfloor.security_event").where("at", ">", ago(withinMs));
  const found = recent
    .where("kind", "=", kind)
    .where("subject", "is not distinct from", subject)
    .where("ip", "is not distinct from", ip);
  return (await firstOf(found.select("id").limit(1))) !== null;
}

/** The newest first, and the total. */
export async function listSecurityEvents(
  db: Db,
  { kinds, user, before, limit }: EventFilter,
): Promise<{ rows: SecurityEventRow[]; total: number }> {
  let events = db.selectFrom("watchfloor.security_event");
  if (kinds) events = events.where("kind", "in", kinds);
  if (user !== null) events = events.where((eb) => eb.or({ actor: user, subject: user }));
  const id = sql<string>`id::text`.as("id");
  const page = before === null ? events : events.where("id", "<", Number(before));
  const [rows, { count: total }] = await Promise.all([
    page
      .selectAll()
      .select(id)
      .orderBy(sql.ref("security_event.id"), "desc")
      .limit(limit)
      .execute(),
    events.select(rowCount).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

/** Housekeeping: deletes expired events. */
export async function deleteOldSecurityEvents(db: Db, retentionMs: number): Promise<void> {
  await db.deleteFrom("watchfloor.security_event").where("at", "<", ago(retentionMs)).execute();
}
