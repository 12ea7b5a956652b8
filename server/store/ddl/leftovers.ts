import { sql } from "kysely";
import type { Model } from "../../../shared/model/model.ts";
import type { Db } from "../database.ts";
import { identifier } from "../identifiers.ts";
import { objectName } from "../object-name.ts";
import { rowsOf } from "../statement.ts";
import type { Sql } from "./field-ddl.ts";

/** Marks a column that no published model has yet. */
export const UNPUBLISHED = "Watchfloor: not published";

interface Leftover {
  kind: "column" | "filled" | "key";
  table: string;
  name: string;
}

/**
 * The statements that remove what was built ahead for a model that was never published (prepare-plan.ts), because its
 * server ended in between. Publishing drops a proof, gives an index its constraint and takes the comment off a column.
 * Call it with the builder's lock, so that nothing of a plan that is still being prepared is among them.
 */
export async function leftoversIn(db: Db, { tables }: Pick<Model, "tables">): Promise<Sql[]> {
  const fields = tables.flatMap((table) => table.fields.map((field) => ({ table, field })));
  // Nothing is built ahead for what the published model has: what has its name then is somebody else's.
  const namesOf = (kind: "filled" | "key", property: "required" | "unique") =>
    fields
      .filter(({ field }) => !field[property])
      .map(({ table, field }) => objectName(table, field, kind));
  const rows = await rowsOf<Leftover>(db)`
    with tables as (
      select oid, relname as "table" from pg_catalog.pg_class
      where relname = any(${tables.map(({ name }) => name)}::text[]) and relnamespace = current_schema()::regnamespace
    )
    select 'column' as kind, t."table", a.attname as name
    from tables t join pg_catalog.pg_attribute a on a.attrelid = t.oid and not a.attisdropped
    join pg_catalog.pg_description d on d.objoid = t.oid and d.objsubid = a.attnum
      and d.classoid = 'pg_catalog.pg_class'::regclass and d.description = ${UNPUBLISHED}
    union all
    select 'filled', t."table", k.conname from tables t
    join pg_catalog.pg_constraint k on k.conrelid = t.oid and k.contype = 'c'
    where k.conname = any(${namesOf("filled", "required")}::text[])
    union all
    select 'key', t."table", c.relname from tables t
    join pg_catalog.pg_index i on i.indrelid = t.oid
    join pg_catalog.pg_class c on c.oid = i.indexrelid
    where c.relname = any(${namesOf("key", "unique")}::text[])
      and not exists (select from pg_catalog.pg_constraint k where k.conindid = i.indexrelid)`;
  return rows.map(removalOf);
}

function removalOf({ kind, table, name }: Leftover): Sql {
  const [on, object] = [identifier(table), identifier(name)];
  if (kind === "column") return sql`alter table ${on} drop column if exists ${object}`;
  if (kind === "key") return sql`drop index concurrently if exists ${object}`;
  return sql`alter table ${on} drop constraint if exists ${object}`;
}
