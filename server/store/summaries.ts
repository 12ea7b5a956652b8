import { type RawBuilder, sql } from "kysely";
import type { Filter, Json } from "../../shared/filter/filter.ts";
import { type Field, kindOfType, type Table } from "../../shared/model/model.ts";
import { aggregate } from "./aggregates.ts";
import { columnName, idColumn, valueExpression } from "./columns.ts";
import type { Database } from "./database.ts";
import { filterColumns } from "./filter-columns.ts";
import { filterSql } from "./filter-sql.ts";

const summaryOps = ["count", "sum", "avg", "min", "max"] as const;
type SummaryOp = (typeof summaryOps)[number];

/** What to compute over the matching records: the filter is bound, checked and includes row rights. */
export interface SummaryRequest {
  filter: Filter | null;
  group: Field | null;
  op: SummaryOp;
  /** The summed or compared field; null for a count. */
  field: Field | null;
  maxGroups: number;
}

const MAX_SAFE = "9007199254740991";
const AVERAGE_DIGITS = 6;

/** One row per value of the group field, empty last; a single row without one. */
export async function readSummary(
  { kysely }: Database,
  table: Table,
  request: SummaryRequest,
): Promise<{ key: Json; value: Json }[]> {
  const { filter, group, maxGroups } = request;
  const where = filter ? filterSql(filter, filterColumns(table, "t")) : sql`true`;
  const groups = group ? groupExpression(group) : null;
  const { rows } = await sql<{ key: Json; value: Json }>`
    select ${groups ? sql`to_jsonb(${keyExpression(group, groups)})` : sql`null::jsonb`} as key,
      to_jsonb(${measure(request)}) as value
    from ${sql.id(table.name)} t where ${where}
    ${groups ? sql`group by ${groups} order by ${groups} nulls last` : sql``}
    limit ${maxGroups}`.execute(kysely);
  return rows;
}

/** The display values of a table's records, by id, of those that `filter` matches. */
export async function readDisplayTexts(
  { kysely }: Database,
  table: Table,
  ids: readonly string[],
  { display, filter }: { display: Field; filter: Filter | null },
): Promise<Map<string, string>> {
  const where = filter ? filterSql(filter, filterColumns(table, "t")) : sql`true`;
  const { rows } = await sql<{ id: string; text: string | null }>`
    select t.${sql.id(idColumn)} as id, ${column(display)}::text as text
    from ${sql.id(table.name)} t
    where t.${sql.id(idColumn)} = any(${ids}::text[]) and ${where}`.execute(kysely);
  return new Map(rows.map(({ id, text }) => [id, text ?? id]));
}

const column = (field: Field) => sql`t.${sql.id(columnName(field))}`;

/** Empty text and null are one group. */
function groupExpression(field: Field): RawBuilder<unknown> {
  return kindOfType[field.type] === "text"
    ? sql`nullif(${column(field)}::text, '')`
    : column(field);
}

function keyExpression(field: Field | null, groups: RawBuilder<unknown>): RawBuilder<unknown> {
  return field && kindOfType[field.type] !== "text" ? valueExpression(field, "t") : groups;
}

/** In wire form: exact decimals and integers beyond 2^53 as text. */
function measure({ op, field }: SummaryRequest): RawBuilder<unknown> {
  if (op === "count" || !field) return sql`count(*)`;
  const value = aggregate(op, column(field));
  const kind = kindOfType[field.type];
  if (kind === "integer" && op !== "avg") {
    return sql`case when ${value} between -${sql.raw(MAX_SAFE)} and ${sql.raw(MAX_SAFE)}
      then to_jsonb(${value}) else to_jsonb(${value}::text) end`;
  }
  if (op === "avg") return sql`trim_scale(round(${value}, ${sql.lit(AVERAGE_DIGITS)}))::text`;
  return kind === "decimal" ? sql`${value}::text` : value;
}
