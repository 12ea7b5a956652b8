import { sql } from "kysely";
import type { Json } from "../../../shared/filter/filter.ts";
import type { Db } from "../database.ts";
import type { RowOf } from "../platform-tables.ts";
import {
  anyOf,
  countOf,
  execute,
  firstOf,
  hold,
  now,
  rowCount,
  sweptBefore,
  wrote,
  wroteRow,
} from "../statement.ts";

/** Table watchfloor.wallboard, as it is stored: another program may have written anything. */
export interface WallboardRow
  extends Omit<RowOf<"watchfloor.wallboard">, "created_at" | "removed_at"> {
  /** The names of the two users, if they still exist. */
  publisher: string | null;
  updater: string | null;
}

const wallboards = (db: Db) =>
  db
    .selectFrom("watchfloor.wallboard as w")
    .leftJoin("watchfloor.user as p", "p.id", "w.published_by")
    .leftJoin("watchfloor.user as u", "u.id", "w.updated_by")
    .select(["w.id", "w.draft", "w.version", "w.published", "w.published_version", "w.scopes"])
    .select(["w.published_at", "w.published_by", "w.updated_at", "w.updated_by"])
    .select(["p.name as publisher", "u.name as updater"]);

export function listWallboards(db: Db): Promise<WallboardRow[]> {
  const byName = wallboards(db).orderBy(sql`lower(w.draft ->> 'name')`).orderBy("w.id");
  return byName.where("w.removed_at", "is", null).execute();
}

export function findWallboard(db: Db, id: string): Promise<WallboardRow | null> {
  return firstOf(presentWallboard(db, id));
}

const presentWallboard = (db: Db, id: string) =>
  wallboards(db).where("w.id", "=", id).where("w.removed_at", "is", null);

/** Those with these ids, also removed ones: a removed wallboard can be restored. */
export async function findWallboards(db: Db, ids: readonly string[]): Promise<WallboardRow[]> {
  return ids.length === 0 ? [] : wallboards(db).where("w.id", "=", anyOf(ids)).execute();
}

/** The wallboard, locked for a change: two changes run one after the other. */
export function lockWallboard(db: Db, id: string): Promise<WallboardRow | null> {
  return firstOf(presentWallboard(db, id).forNoKeyUpdate("w"));
}

/** Until the transaction ends nobody else adds, changes or publishes a wallboard: their number and the model do not change. */
export async function holdWallboards(tx: Db): Promise<void> {
  await hold(tx, "wallboard");
}

export async function countWallboards(db: Db): Promise<number> {
  const present = db.selectFrom("watchfloor.wallboard").where("removed_at", "is", null);
  return countOf(present.select(rowCount));
}

export async function insertWallboard(
  db: Db,
  { id, draft, by }: { id: string; draft: Json; by: string },
): Promise<void> {
  const wallboard = { id, draft: JSON.stringify(draft), updated_by: by };
  await db.insertInto("watchfloor.wallboard").values(wallboard).execute();
}

const update = (db: Db, id: string) => db.updateTable("watchfloor.wallboard").where("id", "=", id);

export async function updateDraft(
  db: Db,
  { id, draft, by }: { id: string; draft: Json; by: string },
): Promise<void> {
  const changes = { draft: JSON.stringify(draft), version: sql<number>`version + 1` };
  await update(db, id)
    .set({ ...changes, updated_at: now, updated_by: by })
    .execute();
}

/** The current draft becomes the published version with the commit. */
export async function publishDraft(
  db: Db,
  { id, scopes, by }: { id: string; scopes: Json; by: string },
): Promise<void> {
  const draft = {
    published: sql<string>`draft`,
    published_version: sql<number>`version`,
  };
  const published = { published_at: now, published_by: by, scopes: JSON.stringify(scopes) };
  await update(db, id)
    .set({ ...draft, ...published })
    .execute();
}

/** How long a removed wallboard can be restored, at least. */
const RETENTION_MS = 30 * 86_400_000;

/** Removes a wallboard, and deletes those removed long ago. False if there is none. */
export async function markWallboardRemoved(db: Db, id: string): Promise<boolean> {
  const before = sweptBefore(RETENTION_MS, "removed_at", "watchfloor.wallboard");
  await db.deleteFrom("watchfloor.wallboard").where("removed_at", "<", before).execute();
  return wrote(update(db, id).where("removed_at", "is", null).set({ removed_at: now }));
}

/** Restores a removed wallboard. False if there is none. */
export function markWallboardRestored(db: Db, id: string): Promise<boolean> {
  return wrote(update(db, id).where("removed_at", "is not", null).set({ removed_at: null }));
}

/** An acknowledged alert of a tile (or of one of its rows, by the key as JSON text). */
export interface Acknowledgement {
  wallboard: string;
  tile: string;
  row_key: string;
  word: string;
  by: string;
  at: string;
}

export function listAcknowledgements(db: Db): Promise<Acknowledgement[]> {
  return db
    .selectFrom("watchfloor.tile_acknowledgement as a")
    .leftJoin("watchfloor.user as u", "u.id", "a.by")
    .select(["a.wallboard", "a.tile", "a.row_key", "a.word", "a.at"])
    .select(sql<string>`coalesce(u.name, '')`.as("by"))
    .execute();
}

/** Stores an acknowledgement and at most `most` of its tile. False if there is no such wallboard. */
export async function insertAcknowledgement(
  db: Db,
  { wallboard, tile, row_key, word, by }: Omit<Acknowledgement, "at">,
  most: number,
): Promise<boolean> {
  const isWritten = await wroteRow(db)`
    insert into watchfloor.tile_acknowledgement (wallboard, tile, row_key, word, by)
    select id, ${tile}, ${row_key}, ${word}, ${by} from watchfloor.wallboard
    where id = ${wallboard} and removed_at is null
    on conflict (wallboard, tile, row_key, word) do update set by = excluded.by, at = now()`;
  await execute(db)`
    delete from watchfloor.tile_acknowledgement where wallboard = ${wallboard} and tile = ${tile}
    and (row_key, word) in (
      select row_key, word from watchfloor.tile_acknowledgement
      where wallboard = ${wallboard} and tile = ${tile} order by at desc, row_key offset ${most}
    )`;
  return isWritten;
}
