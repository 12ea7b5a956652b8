import type { Table } from "../../../shared/model/model.ts";
import { storedDocument } from "../columns.ts";
import type { Database } from "../database.ts";
import { idRef, tableRef } from "../identifiers.ts";
import { rowsOf } from "../statement.ts";

/** The records that differ from their last image in the log, of all or of some. */
export async function recordsUnlikeLog(
  { kysely }: Pick<Database, "kysely">,
  table: Table,
  among: readonly string[] | null = null,
): Promise<string[]> {
  const id = idRef();
  const rows = await rowsOf<{ record: string }>(kysely)`
    select coalesce(t.${id}, l.record) as record
    from (select t.${id}, ${storedDocument(table, "t")} as document from ${tableRef(table)} t) t
    full join (
      select distinct on (c.record) c.record, c.kind, c.after from watchfloor.change c
      join watchfloor.feed f on f.id = c.feed and f.table_name = ${table.name}
      order by c.record, c.ord desc
    ) l on l.record = t.${id}
    where (${among}::text[] is null or coalesce(t.${id}, l.record) = any(${among}::text[]))
      and case when t.${id} is null then l.kind <> 'delete' else l.after is distinct from t.document end
    order by 1`;
  return rows.map(({ record }) => record);
}
