import type { Filter } from "../../shared/filter/filter.ts";
import type { Field, Table } from "../../shared/model/model.ts";
import type { Database } from "./database.ts";
import { columnRef, idRef, tableRef } from "./identifiers.ts";
import { rowsOf } from "./statement.ts";
import { viewCondition } from "./view-sql.ts";

/** The display values of a table's records, by id, of those that `filter` matches. */
export async function readDisplayTexts(
  { kysely }: Database,
  table: Table,
  ids: readonly string[],
  { display, filter }: { display: Field; filter: Filter | null },
): Promise<Map<string, string>> {
  const rows = await rowsOf<{ id: string; text: string | null }>(kysely)`
    select ${idRef("t")} as id, ${columnRef(display, "t")}::text as text
    from ${tableRef(table)} t
    where ${idRef("t")} = any(${ids}::text[]) and ${viewCondition(table, filter)}`;
  return new Map(rows.map(({ id, text }) => [id, text || id]));
}
