import { sql } from "kysely";
import type { DimHours, DisplayReport } from "../../../shared/protocol/displays.ts";
import type { Db } from "../database.ts";

/** Table watchfloor.display, with its displays' reports. */

export interface DisplayRow {
  id: string;
  name: string;
  boards: string[];
  rotation_seconds: number;
  showing: string | null;
  muted: boolean;
  dim: DimHours | null;
  identify_until: string | null;
  reload_asked_at: string | null;
  has_token: boolean;
  revoked_at: string | null;
  created_at: string;
}

export interface ReportedDisplayRow extends DisplayRow {
  report: DisplayReport | null;
  seen_at: string | null;
  /** Milliseconds by the database's clock; null before the first report. */
  seen_ago: number | null;
}

export type DisplayChanges = Partial<
  Pick<DisplayRow, "name" | "boards" | "rotation_seconds" | "showing" | "muted" | "dim">
>;

const columns = sql.raw(`d.id, d.name, d.boards, d.rotation_seconds, d.showing, d.muted, d.dim,
  d.identify_until, d.reload_asked_at, d.token_hash is not null as has_token, d.revoked_at,
  d.created_at`);
const reported = sql`select ${columns}, r.report, r.seen_at,
    (extract(epoch from now() - r.seen_at) * 1000)::float8 as seen_ago
  from watchfloor.display d left join watchfloor.display_report r on r.display_id = d.id`;

/** By name. */
export async function listDisplays(db: Db): Promise<ReportedDisplayRow[]> {
  const { rows } = await sql<ReportedDisplayRow>`
    ${reported} order by lower(d.name), d.id`.execute(db);
  return rows;
}

/** Null if there is none. */
export async function findDisplay(db: Db, id: string): Promise<ReportedDisplayRow | null> {
  const { rows } = await sql<ReportedDisplayRow>`${reported} where d.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** The display of a credential, unless it was revoked. */
export async function findDisplayByToken(db: Db, hash: string): Promise<DisplayRow | null> {
  const { rows } = await sql<DisplayRow>`select ${columns} from watchfloor.display d
    where d.token_hash = ${hash} and d.revoked_at is null`.execute(db);
  return rows[0] ?? null;
}

/** A display without a credential: its screen is not paired yet. */
export async function insertDisplay(
  db: Db,
  display: Pick<DisplayRow, "id" | "name" | "boards" | "rotation_seconds">,
): Promise<void> {
  const { id, name, boards, rotation_seconds } = display;
  await sql`insert into watchfloor.display (id, name, boards, rotation_seconds)
    values (${id}, ${name}, ${boards}, ${rotation_seconds})`.execute(db);
}

/** False if there is no such display. Absent properties do not change; `null` empties. */
export async function updateDisplay(db: Db, id: string, set: DisplayChanges): Promise<boolean> {
  const dim = set.dim == null ? null : JSON.stringify(set.dim);
  const { numAffectedRows } = await sql`update watchfloor.display set
      name = coalesce(${set.name ?? null}, name),
      boards = coalesce(${set.boards ?? null}::text[], boards),
      rotation_seconds = coalesce(${set.rotation_seconds ?? null}::integer, rotation_seconds),
      showing = case when ${set.showing !== undefined} then ${set.showing ?? null} else showing end,
      muted = coalesce(${set.muted ?? null}::boolean, muted),
      dim = case when ${set.dim !== undefined} then ${dim}::jsonb else dim end
    where id = ${id}`.execute(db);
  return numAffectedRows === 1n;
}

/** With its reports; false if there was none. */
export async function deleteDisplay(db: Db, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with gone as (delete from watchfloor.display_report where display_id = ${id})
    delete from watchfloor.display where id = ${id}`.execute(db);
  return numAffectedRows === 1n;
}

/** Invalidates its credential. */
export async function revokeDisplay(db: Db, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with gone as (delete from watchfloor.display_pairing where display_id = ${id})
    update watchfloor.display set token_hash = null, revoked_at = coalesce(revoked_at, now())
    where id = ${id}`.execute(db);
  return numAffectedRows === 1n;
}

/** For this many milliseconds from now, by the database's clock. */
export async function requestIdentify(db: Db, id: string, ms: number): Promise<boolean> {
  const { numAffectedRows } = await sql`update watchfloor.display
    set identify_until = now() + ${ms} * interval '1 millisecond' where id = ${id}`.execute(db);
  return numAffectedRows === 1n;
}

/** Pages that were loaded before now. */
export async function requestReload(db: Db, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`update watchfloor.display
    set reload_asked_at = now() where id = ${id}`.execute(db);
  return numAffectedRows === 1n;
}

/** Stores a report of the display. An offline display is online again. */
export async function noteReport(db: Db, id: string, report: DisplayReport): Promise<void> {
  await sql`insert into watchfloor.display_report (display_id, report)
    values (${id}, ${JSON.stringify(report)}::jsonb)
    on conflict (display_id) do update
      set report = excluded.report, seen_at = now(), dark_since = null`.execute(db);
}

/**
 * Marks displays that have not been heard for this long; each is marked once, by whichever server sees it
 * first.
 */
export async function markDark(db: Db, afterMs: number): Promise<void> {
  await sql`update watchfloor.display_report r set dark_since = r.seen_at
    from watchfloor.display d
    where r.dark_since is null and r.seen_at < now() - ${afterMs} * interval '1 millisecond'
      and d.id = r.display_id and d.revoked_at is null`.execute(db);
}
