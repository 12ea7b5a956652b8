import { type RawBuilder, sql } from "kysely";
import type { Filter, Json } from "../../../shared/filter/filter.ts";
import { kindOfType } from "../../../shared/model/field-types.ts";
import type { Field, Table } from "../../../shared/model/model.ts";
import type { GroupUnit, SummaryOp } from "../../../shared/model/view/summary-ops.ts";
import type { Db } from "../database.ts";
import { filterColumns } from "../filter-columns.ts";
import { sortExpression } from "../filter-sql.ts";
import { tableRef } from "../identifiers.ts";
import { rowsOf } from "../statement.ts";
import { column, condition, filledExpression, keyExpression, measure } from "./read-groups.ts";

/** Several measures of the matching records in one scan. The filter is bound, checked and includes row rights. */
interface MeasuresRequest {
  filter: Filter | null;
  measures: readonly { op: SummaryOp; field: Field | null }[];
  group: { field: Field; by: GroupUnit | undefined } | null;
  /** The zone of the days of times. */
  zone: string;
  maxGroups: number;
}

/** The measures of one group: counts as numbers, sums as exact text, averages as their sum and the number of values. */
interface MeasuresRow {
  key: Json;
  values: Json[];
}

/** Groups in the order of their values, the empty one last, and the position that they show. */
export async function readMeasures(
  db: Db,
  table: Table,
  request: MeasuresRequest,
): Promise<{ epoch: string; seq: number; rows: MeasuresRow[] }> {
  const { filter, measures, group, maxGroups } = request;
  const where = condition(table, { filter, time: null });
  const groups = group && groupedBy(table, request);
  const values = measures.map(({ op, field }) => sql`to_jsonb(${measuredValue(op, field)})`);
  const rows = await rowsOf<{ epoch: string; seq: number; rows: MeasuresRow[] }>(db)`
    select f.epoch, f.head as seq, coalesce((
      select json_agg(json_build_object('key', g.key, 'values', g.values)) from (
        select ${group && groups ? sql`to_jsonb(${keyOf(group, groups)})` : sql`null::jsonb`} as key,
          jsonb_build_array(${sql.join(values)}) as values
        from ${tableRef(table)} t where ${where}
        ${groups ? sql`group by ${groups} order by ${groups} nulls last` : sql``}
        limit ${maxGroups}
      ) g), '[]'::json) as rows
    from watchfloor.feed f where f.table_name = ${table.name}`;
  const [found] = rows;
  if (!found) throw new Error(`Table ${table.name} has no feed.`);
  return found;
}

/** The same expression as the order of the rows, so that groups are in the order of their records. */
function groupedBy(table: Table, { group, zone }: MeasuresRequest): RawBuilder<unknown> {
  const { field, by } = group as { field: Field; by: GroupUnit | undefined };
  const at = filterColumns(table, "t")(field.name);
  if (!at) throw new Error(`no column of ${field.name}`);
  if (by === undefined) return sortExpression(field.name, at);
  const isTime = kindOfType[field.type] === "timestamp";
  const day = isTime ? sql`(${column(field)} at time zone ${sql.lit(zone)})` : column(field);
  return by === "day" ? sql`(${day})::date` : sql`date_trunc('month', ${day})::date`;
}

function keyOf(
  { field, by }: { field: Field; by: GroupUnit | undefined },
  groups: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return by === undefined ? keyExpression(field, groups) : groups;
}

function measuredValue(op: SummaryOp, field: Field | null): RawBuilder<unknown> {
  if (op === "count" || !field) return sql`count(*)::float8`;
  const filled =
    kindOfType[field.type] === "list"
      ? sql`nullif(cardinality(${column(field)}), 0)`
      : filledExpression(field);
  switch (op) {
    case "filled":
      return sql`count(${filled})::float8`;
    case "empty":
      return sql`(count(*) - count(${filled}))::float8`;
    case "checked":
      return sql`(count(*) filter (where ${column(field)}))::float8`;
    case "sum":
      return sql`sum(${column(field)})::text`;
    case "avg":
      return sql`jsonb_build_array(sum(${column(field)})::text, count(${column(field)})::float8)`;
    case "median":
      return measure({ op: "percentile", field, percentile: 50 });
    default:
      return measure({ op, field, percentile: 0 });
  }
}
