import { type RawBuilder, sql } from "kysely";
import type { Table } from "../../../shared/model/model.ts";
import type { Db } from "../database.ts";
import { tableRef } from "../identifiers.ts";
import { rowsOf } from "../statement.ts";
import {
  column,
  condition,
  filledExpression,
  type GroupRow,
  isSummable,
  keyExpression,
  type MeasureRequest,
  measure,
} from "./read-groups.ts";

/** Several groups as one. */
export interface OtherGroups {
  groups: number;
  joined: GroupRow;
}

type Row = GroupRow & { rank: number; groups: number };

/**
 * The largest groups by their measure, and all others combined. One scan of the table, whatever the number of
 * groups; ties are broken by the key, so that two readings agree.
 */
export async function readLargestGroups(
  db: Db,
  table: Table,
  request: MeasureRequest,
  count: number,
): Promise<{ rows: GroupRow[]; others: OtherGroups | null }> {
  const { group, field } = request;
  if (!group) throw new Error("largest groups of no field");
  const groups = filledExpression(group);
  const rows = await rowsOf<Row>(db)`
    with by_group as (
      select to_jsonb(${keyExpression(group, groups)}) as key, count(*) as n,
        ${field ? sql`count(${filledExpression(field)})` : sql`0`} as filled,
        ${isSummable(field) ? sql`sum(${column(field)})` : sql`null::numeric`} as sum,
        to_jsonb(${measure(request)}) as value, ${sizeOf(request)} as size
      from ${tableRef(table)} t where ${condition(table, request)} group by ${groups}
    ), ranked as (
      select *, least(row_number() over (order by size desc nulls last, key), ${count + 1}) as rank
      from by_group
    )
    select case when rank > ${count} then null else (array_agg(key))[1] end as key, null::int as bucket,
      sum(n)::float8 as n, sum(filled)::float8 as filled, sum(sum)::text as sum,
      case when rank > ${count} then null else (array_agg(value))[1] end as value,
      rank::float8 as rank, count(*)::float8 as groups
    from ranked group by rank order by rank`;
  const stored = rows.map(({ rank: _rank, groups: _groups, ...joined }) => joined);
  const restRow = rows.find(({ rank }) => rank > count);
  const joined = restRow && stored.at(-1);
  return {
    rows: stored.slice(0, count),
    others: restRow && joined ? { groups: restRow.groups, joined } : null,
  };
}

/** What groups are ordered by. */
function sizeOf(request: MeasureRequest): RawBuilder<unknown> {
  const { op, field } = request;
  if (op === "count" || !field) return sql`count(*)`;
  if (op === "sum" || op === "avg") return sql`${sql.raw(op)}(${column(field)})`;
  if (op === "distinct") return sql`count(distinct ${filledExpression(field)})`;
  return sql`${measure(request)}`;
}
