import { type RawBuilder, type SqlBool, sql } from "kysely";
import { fieldsOf } from "../../shared/filter/bind-filter.ts";
import { compareBy } from "../../shared/filter/compare.ts";
import type { Filter, Json, SortKey } from "../../shared/filter/filter.ts";
import { compileFilter } from "../../shared/filter/matches.ts";
import { literalOf } from "../../shared/filter/operand.ts";
import type { TextOrder } from "../../shared/filter/text-order.ts";
import { kindOfType } from "../../shared/model/field-types.ts";
import { type Field, fieldKinds, findField, type Table } from "../../shared/model/model.ts";
import type { Database, Db } from "./database.ts";
import { filterColumns, type LabelSources, labelColumn } from "./filter-columns.ts";
import { filterSql, orderExpressions, sortExpression } from "./filter-sql.ts";
import { identifier, quoted, tableRef } from "./identifiers.ts";
import { objectName } from "./object-name.ts";
import type { PageRequest } from "./pages.ts";
import { equalTo, type Place, type ViewPart } from "./seek.ts";
import { rowsOf } from "./statement.ts";

/** Smaller tables are sorted as a whole just as fast. */
const LARGE_TABLE_ROWS = 20_000;
/** With more groups, an order is read as a whole. */
const GROUPS_MAX = 32;

type Ordered = Pick<PageRequest, "filter" | "sort" | "labels">;

/**
 * Whether an order begins with a field of few values whose values an index lists, and the table is large. The index may
 * still be built, and tables of other programs have none of ours.
 */
export async function isReadByGroups(
  { kysely }: Pick<Database, "kysely">,
  table: Table,
  sort: readonly SortKey[],
  minRows = LARGE_TABLE_ROWS,
): Promise<boolean> {
  const [first] = sort;
  const field = first && findField(table, first.field);
  if (!field) return false;
  const isListed = field.type === "link" || (field.indexed && isOrderedByOthers(field, sort));
  const kind = kindOfType[field.type];
  if (!isListed || (kind !== "text" && kind !== "boolean")) return false;
  const index = objectName(table, field, field.indexed ? "index" : "links");
  const rows = await rowsOf<{ rows: number }>(kysely)`
    select c.reltuples as rows from pg_class c
    join pg_index i on i.indrelid = c.oid and i.indisvalid
    join pg_class x on x.oid = i.indexrelid and x.relname = ${index}
    where c.oid = ${quoted(table.name)}::regclass
      and (${!field.indexed} or i.indcollation[0] in (0, 'watchfloor.text_order'::regcollation))`;
  return (rows[0]?.rows ?? -1) >= minRows;
}

/** An index of the field alone has the order of its values, and not that of the names of users. */
const isOrderedByOthers = ({ type }: Field, sort: readonly SortKey[]) =>
  sort.length > 1 || type === "person";

/** The values of the groups of a view in their order, the empty one last or, descending, first. */
export interface ShownGroups {
  values: readonly Json[];
  /** Whether the filter leaves others out. */
  areSome: boolean;
}

/** Null if the field by which the view is ordered first has many values, or none that may match. */
export async function readShownGroups(
  kysely: Db,
  table: Table,
  { filter, sort, labels }: Ordered,
): Promise<ShownGroups | null> {
  const [first] = sort;
  if (!first) return null;
  const keys = await keysOf(kysely, table, first.field, labels);
  if (keys.length > GROUPS_MAX) return null;
  const all = [...keys, null];
  // Postgres can't know that a group has no match, and would search all records for one.
  const values = all.filter((key) => mayMatch(table, filter, first.field, key));
  if (values.length === 0) return null;
  return {
    values: first.descending ? values.toReversed() : values,
    areSome: values.length < all.length,
  };
}

/**
 * The matching records up to `max`. A condition that leaves groups out is replaced by one that names the others: by the
 * former, Postgres reads all entries of a large group that is left out.
 */
export function matchesInGroups(
  table: Table,
  field: string,
  { values, areSome }: ShownGroups,
  where: RawBuilder<SqlBool>,
  max: number,
): RawBuilder<unknown> {
  const from = sql`select t.* from ${tableRef(table)} t where ${where}`;
  if (!areSome) return sql`${from} limit ${max}`;
  const named = values.filter((value) => value !== null).map(literalOf);
  const filters: Filter[] = [];
  if (named.length > 0) filters.push({ field, op: "in", value: named });
  if (values.includes(null)) filters.push({ field, op: "isEmpty" });
  const columns = filterColumns(table, "t");
  const parts = filters.map((part) => sql`${from} and ${filterSql(part, columns)}`);
  return sql`${sql.join(parts, sql` union all `)} limit ${max}`;
}

/** The groups as parts of the view, from a place on if one is given. */
export function partsOfGroups(
  table: Table,
  sort: readonly SortKey[],
  { values }: ShownGroups,
  from?: { place: Place; texts: TextOrder },
): ViewPart[] {
  const [first, ...rest] = sort;
  if (!first) return [];
  const { field } = first;
  const isLater = (value: Json) => {
    if (!from) return true;
    const compare = compareBy([first], fieldKinds(table), from.texts);
    return (
      compare({ id: "", values: { [field]: value } }, { id: "", values: from.place.values }) > 0
    );
  };
  return values.filter(isLater).map((value) => ({ filter: equalTo(field, value), sort: rest }));
}

/** False if a condition on this field alone rules the value out, as it does for hidden groups. */
function mayMatch(table: Table, filter: Filter | null, field: string, value: Json): boolean {
  const parts = filter === null ? [] : "and" in filter ? filter.and : [filter];
  const kind = kindOfType[findField(table, field)?.type ?? "text"];
  return parts
    .filter((part) => [...fieldsOf(part)].every((name) => name === field))
    .every((part) => compileFilter(part, { [field]: kind })("", { [field]: value }));
}

/** The values of a field in their order, without the empty one; one more than are of use. Each is found by its index. */
async function keysOf(
  kysely: Db,
  table: Table,
  field: string,
  labels: LabelSources = {},
): Promise<Json[]> {
  const column = filterColumns(table, "t")(field);
  if (!column) return [];
  const key = column.hasSortIndex ? sortExpression(field, column) : column.expression;
  const from = sql`${tableRef(table)} t`;
  const shown = { expression: identifier("k", "key"), kind: column.kind };
  const source = Object.hasOwn(labels, field) ? labels[field] : undefined;
  const label = source && labelColumn(source, shown.expression, "l");
  const order = sql.join(orderExpressions(field, { ...shown, label }));
  const rows = await rowsOf<{ key: Json }>(kysely)`
    with recursive keys as (
      (select ${key} as key from ${from} where ${key} is not null order by ${key} limit 1)
      union all
      select (select ${key} from ${from} where ${key} > k.key order by ${key} limit 1)
      from keys k where k.key is not null
    )
    select k.key from (select key from keys where key is not null limit ${GROUPS_MAX + 1}) k
    ${label?.join ?? sql``}
    order by ${order}
  `;
  return rows.map((row) => row.key).filter((one) => one !== "");
}
