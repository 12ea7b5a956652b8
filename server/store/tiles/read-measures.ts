import { type RawBuilder, sql } from "kysely";
import type { Filter, Json, ValueKind } from "../../../shared/filter/filter.ts";
import { isReference, kindOfType } from "../../../shared/model/field-types.ts";
import type { Field, Table } from "../../../shared/model/model.ts";
import type { GroupUnit, SummaryOp } from "../../../shared/model/view/summary-ops.ts";
import type { Db } from "../database.ts";
import { filterColumns, type LabelSource, labelColumn } from "../filter-columns.ts";
import { idExpression, orderExpressions, sortExpression } from "../filter-sql.ts";
import { identifier, tableRef } from "../identifiers.ts";
import { rowsOf } from "../statement.ts";
import { column, condition, filledExpression, keyExpression, measure } from "./read-groups.ts";

/** Several measures of the matching records in one scan. The filter is bound, checked and includes row rights. */
interface MeasuresRequest {
  filter: Filter | null;
  measures: readonly { op: SummaryOp; field: Field | null }[];
  group: { field: Field; by: GroupUnit | undefined; labels?: LabelSource | undefined } | null;
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
  const measured = sql`
    select ${groups ?? sql`null::text`} as "group",
      ${group && groups ? sql`to_jsonb(${keyOf(group, groups)})` : sql`null::jsonb`} as key,
      jsonb_build_array(${sql.join(values)}) as values
    from ${tableRef(table)} t where ${where} ${groups ? sql`group by ${groups}` : sql``}`;
  const { joins, order } = orderOf(group);
  const rows = await rowsOf<{ epoch: string; seq: number; rows: MeasuresRow[] }>(db)`
    select f.epoch, f.head as seq, coalesce((
      select json_agg(json_build_object('key', g.key, 'values', g.values) order by g.place) from (
        select m.key, m.values, row_number() over (order by ${order}) as place
        from (${measured}) m ${joins} order by place limit ${maxGroups}
      ) g), '[]'::json) as rows
    from watchfloor.feed f where f.table_name = ${table.name}`;
  const [found] = rows;
  if (!found) throw new Error(`Table ${table.name} has no feed.`);
  return found;
}

/** Groups are in the order of their records, the empty one last. */
function orderOf(group: MeasuresRequest["group"]) {
  const shown = { expression: identifier("m", "group"), kind: kindOfGroup(group) };
  const label = group?.labels && labelColumn(group.labels, shown.expression, "l");
  const terms = orderExpressions(group?.field.name ?? "", { ...shown, label });
  return { joins: label?.join ?? sql``, order: sql.join(terms) };
}

function kindOfGroup(group: MeasuresRequest["group"]): ValueKind {
  if (!group) return "text";
  return group.by === undefined ? kindOfType[group.field.type] : "date";
}

/** What the records of a group have in common: the values that an order of them finds equal. */
function groupedBy(table: Table, { group, zone }: MeasuresRequest): RawBuilder<unknown> {
  const { field, by } = group as { field: Field; by: GroupUnit | undefined };
  const at = filterColumns(table, "t")(field.name);
  if (!at) throw new Error(`no column of ${field.name}`);
  if (by === undefined) {
    return isReference(field.type) ? idExpression(at) : sortExpression(field.name, at);
  }
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
