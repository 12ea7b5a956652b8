import { sql } from "kysely";
import type { Json } from "../../../shared/filter/filter.ts";
import type { Database, Db } from "../database.ts";
import { listenChannel } from "../listen-channel.ts";

/** Table watchfloor.wallboard, as it is stored: another program may have written anything. */
export interface WallboardRow {
  id: string;
  draft: Json;
  version: number;
  published: Json;
  published_version: number | null;
  scopes: Json;
  published_at: string | null;
  published_by: string | null;
  updated_at: string;
  updated_by: string | null;
  /** The names of the two users, if they still exist. */
  publisher: string | null;
  updater: string | null;
}

const selected = sql`
  select w.id, w.draft, w.version, w.published, w.published_version, w.scopes, w.published_at,
    w.published_by, w.updated_at, w.updated_by, p.name as publisher, u.name as updater
  from watchfloor.wallboard w
  left join watchfloor."user" p on p.id = w.published_by
  left join watchfloor."user" u on u.id = w.updated_by`;

export async function listWallboards(db: Db): Promise<WallboardRow[]> {
  const { rows } = await sql<WallboardRow>`
    ${selected} where w.removed_at is null order by lower(w.draft ->> 'name'), w.id`.execute(db);
  return rows;
}

/** Those with these ids, also removed ones: a removed board can be restored. */
export async function findWallboards(db: Db, ids: readonly string[]): Promise<WallboardRow[]> {
  const { rows } = await sql<WallboardRow>`
    ${selected} where w.id = any(${[...ids]}::text[])`.execute(db);
  return rows;
}

/** The board, locked for a change: two changes run one after the other. */
export async function lockWallboard(db: Db, id: string): Promise<WallboardRow | null> {
  const { rows } = await sql<WallboardRow>`
    ${selected} where w.id = ${id} and w.removed_at is null for no key update of w`.execute(db);
  return rows[0] ?? null;
}

export async function countWallboards(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from watchfloor.wallboard where removed_at is null`.execute(db);
  return rows[0]?.n ?? 0;
}

export async function insertWallboard(
  db: Db,
  board: { id: string; draft: Json; by: string },
): Promise<void> {
  await sql`insert into watchfloor.wallboard (id, draft, updated_by)
    values (${board.id}, ${JSON.stringify(board.draft)}::jsonb, ${board.by})`.execute(db);
}

export async function updateDraft(
  db: Db,
  { id, draft, by }: { id: string; draft: Json; by: string },
): Promise<void> {
  await sql`update watchfloor.wallboard set draft = ${JSON.stringify(draft)}::jsonb,
    version = version + 1, updated_at = now(), updated_by = ${by} where id = ${id}`.execute(db);
}

/** The current draft becomes the published version with the commit. */
export async function publishDraft(
  db: Db,
  { id, scopes, by }: { id: string; scopes: Json; by: string },
): Promise<void> {
  await sql`update watchfloor.wallboard set published = draft, published_version = version,
    scopes = ${JSON.stringify(scopes)}::jsonb, published_at = now(), published_by = ${by}
    where id = ${id}`.execute(db);
}

/** Removes a board, and deletes those removed long ago. False if there is none. */
export async function removeWallboard(db: Db, id: string): Promise<boolean> {
  await sql`delete from watchfloor.wallboard
    where removed_at < now() - interval '30 days'`.execute(db);
  const { numAffectedRows } = await sql`update watchfloor.wallboard set removed_at = now()
    where id = ${id} and removed_at is null`.execute(db);
  return numAffectedRows === 1n;
}

/** Restores a removed board. False if there is none. */
export async function restoreWallboard(db: Db, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`update watchfloor.wallboard set removed_at = null
    where id = ${id} and removed_at is not null`.execute(db);
  return numAffectedRows === 1n;
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

export async function listAcknowledgements(db: Db): Promise<Acknowledgement[]> {
  const { rows } = await sql<Acknowledgement>`
    select a.wallboard, a.tile, a.row_key, a.word, coalesce(u.name, '') as by, a.at
    from watchfloor.tile_acknowledgement a left join watchfloor."user" u on u.id = a.by`.execute(
    db,
  );
  return rows;
}

/** Stores an acknowledgement and at most `most` of its tile. False if there is no such board. */
export async function insertAcknowledgement(
  db: Db,
  { wallboard, tile, row_key, word, by }: Omit<Acknowledgement, "at">,
  most: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into watchfloor.tile_acknowledgement (wallboard, tile, row_key, word, by)
    select id, ${tile}, ${row_key}, ${word}, ${by} from watchfloor.wallboard
    where id = ${wallboard} and removed_at is null
    on conflict (wallboard, tile, row_key, word) do update set by = excluded.by, at = now()`.execute(
    db,
  );
  await sql`
    delete from watchfloor.tile_acknowledgement where wallboard = ${wallboard} and tile = ${tile}
    and (row_key, word) in (
      select row_key, word from watchfloor.tile_acknowledgement
      where wallboard = ${wallboard} and tile = ${tile} order by at desc, row_key offset ${most}
    )`.execute(db);
  return numAffectedRows === 1n;
}

/**
 * A text that differs whenever a board, an acknowledgement, or the name of a user in them differs: much
 * cheaper than reading all of it.
 */
export async function fingerprintWallboards(db: Db): Promise<string> {
  const { rows } = await sql<{ print: string }>`
    select md5(concat_ws('|',
      (select string_agg(concat_ws(' ', w.id, w.xmin, p.name, '/', u.name), ',' order by w.id)
        from watchfloor.wallboard w
        left join watchfloor."user" p on p.id = w.published_by
        left join watchfloor."user" u on u.id = w.updated_by
        where w.removed_at is null),
      (select string_agg(concat_ws(' ', a.ctid, a.xmin, u.name), ',' order by a.ctid)
        from watchfloor.tile_acknowledgement a left join watchfloor."user" u on u.id = a.by)
    )) as print`.execute(db);
  return rows[0]?.print ?? "";
}

/** Calls `changed` whenever a board or an acknowledgement may have changed. Returns a function that stops. */
export function listenForWallboards(database: Database, changed: () => void): () => void {
  return listenChannel(database, "watchfloor_wallboards", {
    onListening: changed,
    onMessage: changed,
  });
}
