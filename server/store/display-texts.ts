import { sql } from "kysely";
import type { Filter } from "../../shared/filter/filter.ts";
import type { Field, Table } from "../../shared/model/model.ts";
import { columnName, idColumn } from "./columns.ts";
import type { Database } from "./database.ts";
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
    select t.${sql.id(idColumn)} as id, t.${sql.id(columnName(display))}::text as text
    from ${sql.id(table.name)} t
    where t.${sql.id(idColumn)} = any(${ids}::text[]) and ${viewCondition(table, filter)}`;
  return new Map(rows.map(({ id, text }) => [id, text ?? id]));
}
