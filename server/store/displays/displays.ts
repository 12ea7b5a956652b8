import { sql } from "kysely";
import type { Subject } from "../../../shared/policy/scope.ts";
import type { DisplayReport } from "../../../shared/protocol/displays.ts";
import type { Db } from "../database.ts";
import type { RowOf } from "../platform-tables.ts";
import { ago, firstOf, folded, milliseconds, now, wrote } from "../statement.ts";
import type { RoleRow } from "../users/roles.ts";
import { deletePairingsOf } from "./pairings.ts";

/** Table watchfloor.display, with its displays' reports. */

export interface DisplayRow extends Omit<RowOf<"watchfloor.display">, "token_hash"> {
  has_token: boolean;
  /** Null if there is no such user any more. */
  owner_name: string | null;
  owner_active: boolean;
  /** The declared role; null for a built-in one, or none. */
  declared: RoleRow | null;
}

export interface ReportedDisplayRow extends DisplayRow {
  report: DisplayReport | null;
  seen_at: string | null;
  /** Milliseconds by the database's clock; null before the first report. */
  seen_ago: number | null;
}

type DisplayChanges = Partial<
  Pick<DisplayRow, "name" | "boards" | "rotation_seconds" | "showing" | "muted" | "dim" | "zone">
>;

const displays = (db: Db) =>
  db
    .selectFrom("watchfloor.display as d")
    .leftJoin("watchfloor.user as u", "u.id", "d.owner")
    .leftJoin("watchfloor.role as o", "o.id", "d.role")
    .select([
      "d.id",
      "d.name",
      "d.boards",
      "d.rotation_seconds",
      "d.showing",
      "d.muted",
      "d.dim",
      "d.zone",
    ])
    .select(["d.identify_until", "d.reload_asked_at", "d.revoked_at", "d.created_at"])
    .select(["d.owner", "d.role", "d.attributes", "u.name as owner_name"])
    .select(sql<boolean>`coalesce(u.status = 'active', false)`.as("owner_active"))
    .select(
      sql<RoleRow | null>`case when o.id is not null then jsonb_build_object(
        'id', o.id, 'name', o.name, 'rights', o.rights, 'grants', o.grants) end`.as("declared"),
    )
    .select(sql<boolean>`d.token_hash is not null`.as("has_token"));

const reported = (db: Db) =>
  displays(db)
    .leftJoin("watchfloor.display_report as r", "r.display_id", "d.id")
    .select(["r.report", "r.seen_at"])
    .select(
      sql<number | null>`(extract(epoch from now() - r.seen_at) * 1000)::float8`.as("seen_ago"),
    );

/** By name. */
export function listDisplays(db: Db): Promise<ReportedDisplayRow[]> {
  return reported(db).orderBy(folded("d.name")).orderBy("d.id").execute();
}

/** Null if there is none. */
export function findDisplay(db: Db, id: string): Promise<ReportedDisplayRow | null> {
  return firstOf(reported(db).where("d.id", "=", id));
}

/** The display of a credential, unless it was revoked. */
export function findDisplayByToken(db: Db, hash: string): Promise<DisplayRow | null> {
  const display = displays(db).where("d.token_hash", "=", hash);
  return firstOf(display.where("d.revoked_at", "is", null));
}

/** A display without a credential: its screen is not paired yet. */
export async function insertDisplay(
  db: Db,
  display: Pick<DisplayRow, "id" | "name" | "boards" | "rotation_seconds">,
): Promise<void> {
  await db.insertInto("watchfloor.display").values(display).execute();
}

/** From now on a display shows what these rights allow; false if there is no such display. */
export function setDisplayOwner(
  db: Db,
  id: string,
  { id: owner, role, attributes }: Subject,
): Promise<boolean> {
  const set = { owner, role: role.id, attributes: JSON.stringify(attributes) };
  return wrote(update(db, id).set(set));
}

const update = (db: Db, id: string) => db.updateTable("watchfloor.display").where("id", "=", id);

/** False if there is no such display. Absent properties do not change; `null` empties. */
export function updateDisplay(db: Db, id: string, changes: DisplayChanges): Promise<boolean> {
  const { dim, ...set } = changes;
  const dimText = dim === undefined ? {} : { dim: dim && JSON.stringify(dim) };
  // an update without changes would be no statement
  return wrote(update(db, id).set({ id, ...set, ...dimText }));
}

/** With its reports; false if there was none. */
export async function deleteDisplay(db: Db, id: string): Promise<boolean> {
  const isDeleted = await wrote(db.deleteFrom("watchfloor.display").where("id", "=", id));
  await db.deleteFrom("watchfloor.display_report").where("display_id", "=", id).execute();
  return isDeleted;
}

/** Invalidates its credential. The display is locked before its pairings, as by whoever pairs it. */
export async function revokeDisplay(db: Db, id: string): Promise<boolean> {
  const revoked_at = sql<string>`coalesce(revoked_at, now())`;
  const isRevoked = await wrote(update(db, id).set({ token_hash: null, revoked_at }));
  await deletePairingsOf(db, id);
  return isRevoked;
}

/** For this many milliseconds from now, by the database's clock. */
export function requestIdentify(db: Db, id: string, ms: number): Promise<boolean> {
  return wrote(update(db, id).set({ identify_until: sql`now() + ${milliseconds(ms)}` }));
}

/** Pages that were loaded before now. */
export function requestReload(db: Db, id: string): Promise<boolean> {
  return wrote(update(db, id).set({ reload_asked_at: now }));
}

/** Stores a report of the display. An offline display is online again. */
export async function noteReport(db: Db, id: string, report: DisplayReport): Promise<void> {
  const stored = { report: JSON.stringify(report), seen_at: now, dark_since: null };
  const insert = db.insertInto("watchfloor.display_report").values({ display_id: id, ...stored });
  await insert.onConflict((same) => same.column("display_id").doUpdateSet(stored)).execute();
}

/**
 * Marks displays that have not been heard for this long; each is marked once, by whichever server sees it
 * first.
 */
export async function markDark(db: Db, afterMs: number): Promise<void> {
  await db
    .updateTable("watchfloor.display_report as r")
    .from("watchfloor.display as d")
    .set(({ ref }) => ({ dark_since: ref("r.seen_at") }))
    .whereRef("d.id", "=", "r.display_id")
    .where("d.revoked_at", "is", null)
    .where("r.dark_since", "is", null)
    .where("r.seen_at", "<", ago(afterMs))
    .execute();
}
