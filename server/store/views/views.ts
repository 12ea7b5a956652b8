import { sql } from "kysely";
import type { Json } from "../../../shared/filter/filter.ts";
import type { Db } from "../database.ts";

/** Table watchfloor.view, as it is stored: another program may have written anything. */
export interface ViewRow {
  id: string;
  table_name: string;
  name: string;
  shared: boolean;
  owner: string | null;
  look: Json;
  updated_at: string;
  updated_by: string | null;
  /** The names of the two users, if they still exist. */
  owner_name: string | null;
  updater: string | null;
}

const selected = sql`
  select v.id, v.table_name, v.name, v.shared, v.owner, v.look, v.updated_at, v.updated_by,
    o.name as owner_name, u.name as updater
  from watchfloor.view v
  left join watchfloor."user" o on o.id = v.owner
  left join watchfloor."user" u on u.id = v.updated_by`;

/** The shared views and those of one user, of one table or of all, ordered by name. */
export async function listViews(db: Db, user: string, table?: string): Promise<ViewRow[]> {
  const { rows } = await sql<ViewRow>`
    ${selected} where v.removed_at is null and (v.shared or v.owner = ${user})
      and (${table ?? null}::text is null or v.table_name = ${table ?? null})
    order by v.shared desc, lower(v.name), v.id`.execute(db);
  return rows;
}

/** How long a removed view can be restored. */
const retention = sql`interval '30 days'`;

/** One view; with `removed`, a removed one that can be restored. */
export async function findView(db: Db, id: string, removed = false): Promise<ViewRow | null> {
  const { rows } = await sql<ViewRow>`
    ${selected} where v.id = ${id} and (v.removed_at is not null) = ${removed}
      and (v.removed_at is null or v.removed_at > now() - ${retention})`.execute(db);
  return rows[0] ?? null;
}

/**
 * Until the transaction ends nobody else changes a view: names, numbers and the model's fields do not change.
 */
export async function holdViews(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('watchfloor.view'))`.execute(tx);
}

/** How many views of a table are shared, and how many personal ones a user has. */
export async function countViews(
  db: Db,
  table: string,
  user: string,
): Promise<{ shared: number; own: number }> {
  const { rows } = await sql<{ shared: number; own: number }>`
    select count(*) filter (where shared and table_name = ${table})::int as shared,
      count(*) filter (where not shared and owner = ${user})::int as own
    from watchfloor.view where removed_at is null`.execute(db);
  return rows[0] ?? { shared: 0, own: 0 };
}

type StoredView = Pick<ViewRow, "id" | "table_name" | "name" | "shared" | "owner" | "look">;

/** False if another view has the name. */
export async function insertView(
  db: Db,
  view: StoredView & { updated_by: string | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into watchfloor.view (id, table_name, name, shared, owner, look, updated_by)
    values (${view.id}, ${view.table_name}, ${view.name}, ${view.shared}, ${view.owner},
      ${JSON.stringify(view.look)}::jsonb, ${view.updated_by})
    on conflict do nothing`.execute(db);
  return numAffectedRows === 1n;
}

/** Writes a view, and restores it if it was removed. False if another one has the name. */
export async function updateView(
  db: Db,
  view: StoredView & { updated_by: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update watchfloor.view v set name = ${view.name}, shared = ${view.shared}, owner = ${view.owner},
      look = ${JSON.stringify(view.look)}::jsonb, updated_at = now(), updated_by = ${view.updated_by},
      removed_at = null
    where id = ${view.id} and not exists (
      select from watchfloor.view o where o.id <> v.id and o.removed_at is null
        and o.table_name = v.table_name and lower(o.name) = lower(${view.name})
        and o.shared = ${view.shared} and (o.shared or o.owner = ${view.owner}))`.execute(db);
  return numAffectedRows === 1n;
}

/** Removes a view; it can be restored for a while. */
export async function removeView(db: Db, id: string): Promise<void> {
  await sql`update watchfloor.view set removed_at = now() where id = ${id}`.execute(db);
}

/** Deletes views that were removed too long ago to be restored. */
export async function sweepViews(db: Db): Promise<void> {
  await sql`delete from watchfloor.view where removed_at <= now() - ${retention}`.execute(db);
}

/** A text that differs whenever a view differs: much cheaper than reading them. */
export async function fingerprintViews(db: Db): Promise<string> {
  const { rows } = await sql<{ print: string }>`
    select coalesce(md5(string_agg(concat_ws(' ', id, xmin), ',' order by id)), '') as print
    from watchfloor.view`.execute(db);
  return rows[0]?.print ?? "";
}
