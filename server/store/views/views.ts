import type { Db } from "../database.ts";
import type { RowOf } from "../platform-tables.ts";
import {
  ago,
  execute,
  firstOf,
  folded,
  hold,
  now,
  rowOf,
  sweptBefore,
  wrote,
  wroteRow,
} from "../statement.ts";

/** Table watchfloor.view, as it is stored: another program may have written anything. */
export interface ViewRow extends Omit<RowOf<"watchfloor.view">, "created_at" | "removed_at"> {
  /** The names of the two users, if they still exist. */
  owner_name: string | null;
  updater: string | null;
}

const views = (db: Db) =>
  db
    .selectFrom("watchfloor.view as v")
    .leftJoin("watchfloor.user as o", "o.id", "v.owner")
    .leftJoin("watchfloor.user as u", "u.id", "v.updated_by")
    .select(["v.id", "v.table_name", "v.name", "v.shared", "v.owner", "v.look", "v.updated_at"])
    .select("v.order_version")
    .select(["v.updated_by", "o.name as owner_name", "u.name as updater"]);

/** The shared views and those of one user, of one table or of all, ordered by name. */
export function listViews(db: Db, user: string, table?: string): Promise<ViewRow[]> {
  const present = views(db).where("v.removed_at", "is", null);
  const own = present.where((eb) => eb.or([eb("v.shared", "=", true), eb("v.owner", "=", user)]));
  const ordered = own.orderBy("v.shared", "desc").orderBy(folded("v.name")).orderBy("v.id");
  return (table === undefined ? ordered : ordered.where("v.table_name", "=", table)).execute();
}

/** All views, those of every user included. */
export function listAllViews(db: Db): Promise<ViewRow[]> {
  return views(db).where("v.removed_at", "is", null).orderBy("v.id").execute();
}

/** How long a removed view can be restored. */
const RETENTION_MS = 30 * 86_400_000;
/** Personal views of one user that can be; older ones are deleted. */
const REMOVED_PER_OWNER = 100;

/** One view; with `removed`, a removed one that can be restored. */
export function findView(db: Db, id: string, removed = false): Promise<ViewRow | null> {
  const view = views(db).where("v.id", "=", id);
  return firstOf(
    removed
      ? view.where("v.removed_at", ">", ago(RETENTION_MS))
      : view.where("v.removed_at", "is", null),
  );
}

/**
 * Until the transaction ends nobody else changes a view: names, numbers and the model's fields do not change.
 */
export async function holdViews(tx: Db): Promise<void> {
  await hold(tx, "view");
}

/** How many views of a table are shared, and how many personal ones a user has. */
export async function countViews(
  db: Db,
  table: string,
  user: string,
): Promise<{ shared: number; own: number }> {
  const row = await rowOf<{ shared: number; own: number }>(db)`
    select count(*) filter (where shared and table_name = ${table})::int as shared,
      count(*) filter (where not shared and owner = ${user})::int as own
    from watchfloor.view where removed_at is null`;
  return row ?? { shared: 0, own: 0 };
}

type StoredView = Pick<ViewRow, "id" | "table_name" | "name" | "shared" | "owner" | "look">;

/** False if another view has the name. */
export function insertView(
  db: Db,
  view: StoredView & { updated_by: string | null },
): Promise<boolean> {
  const stored = { ...view, look: JSON.stringify(view.look) };
  const insert = db.insertInto("watchfloor.view").values(stored);
  return wrote(insert.onConflict((conflict) => conflict.doNothing()));
}

/** Writes a view, and restores it if it was removed. False if another one has the name. */
export function updateView(db: Db, view: StoredView & { updated_by: string }): Promise<boolean> {
  return wroteRow(db)`
    update watchfloor.view v set name = ${view.name}, shared = ${view.shared}, owner = ${view.owner},
      look = ${JSON.stringify(view.look)}::jsonb, updated_at = now(), updated_by = ${view.updated_by},
      removed_at = null
    where id = ${view.id} and not exists (
      select from watchfloor.view o where o.id <> v.id and o.removed_at is null
        and o.table_name = v.table_name and lower(o.name) = lower(${view.name})
        and o.shared = ${view.shared} and (o.shared or o.owner = ${view.owner}))`;
}

/** Removes a view; it can be restored for a while. */
export async function markViewRemoved(db: Db, id: string): Promise<void> {
  const view = db.updateTable("watchfloor.view").where("id", "=", id);
  await view.set({ removed_at: now }).execute();
  await execute(db)`delete from watchfloor.view where id in (select o.id from watchfloor.view o
    where not o.shared and o.removed_at is not null
      and o.owner = (select owner from watchfloor.view where id = ${id})
    order by o.removed_at desc, o.id offset ${REMOVED_PER_OWNER})`;
}

/** Deletes views that were removed too long ago to be restored. */
export async function sweepViews(db: Db): Promise<void> {
  const before = sweptBefore(RETENTION_MS, "removed_at", "watchfloor.view");
  await db.deleteFrom("watchfloor.view").where("removed_at", "<=", before).execute();
}
