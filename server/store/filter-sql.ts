import { type RawBuilder, type SqlBool, sql } from "kysely";
import { fieldsOf } from "../../shared/filter/bind-filter.ts";
import type { FieldKinds, Filter, SortKey, ValueKind } from "../../shared/filter/filter.ts";
import { isOrdered } from "../../shared/filter/ordering.ts";
import { type Plan, planFilter } from "../../shared/filter/plan-filter.ts";
import { ENTRY_FIELD, ID_FIELD } from "../../shared/filter/value-kinds.ts";
import { testSql } from "./filter-test-sql.ts";
import { textOrder } from "./text-order.ts";

/**
 * The SQL interpreter of the filter language. It runs the same plan as the one in memory
 * (shared/filter/matches.ts); the property test beside this file checks that both match the same records.
 * Values travel as parameters only. Column expressions come from the caller, built from the model with
 * `sql.id`, and must be of these types: text, bigint or numeric, boolean, date, timestamptz, text[], jsonb
 * (cast an enum, uuid or citext column to text, a float column to numeric).
 */

/** The column of a field. */
interface FilterColumn {
  expression: RawBuilder<unknown>;
  kind: ValueKind;
  /** Its index is for orders, on `sortExpression`, and so comparisons for equality, which is the same in both, use that as well. */
  hasSortIndex?: boolean;
  /** Adds to a row of the table what the expression needs of another one. */
  join?: RawBuilder<unknown>;
  /** For orders, of a link: what its records are ordered by. */
  label?: LabelColumn | undefined;
}

/** The label of a linked record: null where there is none that the reader may see. */
interface LabelColumn {
  /** Adds the linked record to a row of the table. */
  join: RawBuilder<unknown>;
  /** As `sortExpression`. */
  expression: RawBuilder<unknown>;
}

/** The column of a field, or undefined if there is none for this reader. `id` is always compared as text. */
export type ColumnOf = (field: string) => FilterColumn | undefined;

/**
 * A condition for `where`: true for matching records; false *or null* for the others, so that indexes serve
 * plain comparisons. If null would matter, use `filterResultSql`.
 */
export function filterSql(filter: Filter, columnOf: ColumnOf): RawBuilder<SqlBool> {
  return planSql(planFilter(filter, kindsOf(fieldsOf(filter), columnOf)), columnOf);
}

/** The same as a plain boolean, never null: for select lists, checks and `not`. */
export function filterResultSql(filter: Filter, columnOf: ColumnOf): RawBuilder<SqlBool> {
  return sql<SqlBool>`((${filterSql(filter, columnOf)}) is true)`;
}

/**
 * The order of a view, with ties by the order of entry, if the table has its numbers, then by the id: final, where that of `compareBy`
 * (shared/filter/compare.ts) is provisional. Of columns with labels it names those, which `orderJoins` adds; then the ids, first those of
 * records without a label.
 */
export function orderBySql(sort: readonly SortKey[], columnOf: ColumnOf): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [];
  for (const { field, descending } of sort) {
    const column = columnOf(field);
    if (!column || !isOrdered(column.kind)) continue;
    const direction = descending ? sql`desc` : sql`asc`;
    parts.push(...orderExpressions(field, column).map((one) => sql`${one} ${direction}`));
  }
  const entry = columnOf(ENTRY_FIELD);
  if (entry) parts.push(sql`${entry.expression} asc`);
  const id = columnOf(ID_FIELD);
  if (!id) throw new RangeError("every table needs a column for the record's id");
  parts.push(sql`${sortExpression(ID_FIELD, id)} asc`);
  return sql.join(parts);
}

/** What the rows of a table are joined with for an order. */
export function orderJoins(sort: readonly SortKey[], columnOf: ColumnOf): RawBuilder<unknown> {
  const fields = [...new Set([...sort.map(({ field }) => field), ENTRY_FIELD])];
  const columns = fields.map(columnOf);
  return sql.join(
    columns.flatMap((column) => column?.label?.join ?? column?.join ?? []),
    sql` `,
  );
}

/** What an order by a field compares. */
export function orderExpressions(field: string, column: FilterColumn): RawBuilder<unknown>[] {
  if (!column.label) return [sortExpression(field, column)];
  return [column.label.expression, idExpression(column)];
}

/** The sort expression of a column. An index for an order must be on this expression, with the number of entry after it. */
export function sortExpression(field: string, column: FilterColumn): RawBuilder<unknown> {
  if (column.kind !== "text") return column.expression;
  if (field === ID_FIELD) return sql`((${column.expression}) collate "C")`;
  return sql`(nullif(${column.expression}, '') collate ${textOrder})`;
}

/** The expression of a link or user by its id, which is compared by code points. */
export function idExpression({ expression }: FilterColumn): RawBuilder<unknown> {
  return sql`(nullif(${expression}, '') collate "C")`;
}

function kindsOf(fields: Iterable<string>, columnOf: ColumnOf): FieldKinds {
  const kinds: Record<string, ValueKind> = Object.create(null);
  for (const field of fields) {
    const column = columnOf(field);
    if (column) kinds[field] = column.kind;
  }
  return kinds;
}

function planSql(plan: Plan, columnOf: ColumnOf): RawBuilder<SqlBool> {
  switch (plan.type) {
    case "none":
      return sql<SqlBool>`false`;
    case "all":
      return sql<SqlBool>`true`;
    case "and":
      return joinSql(plan.parts, sql` and `, columnOf);
    case "or":
      return joinSql(plan.parts, sql` or `, columnOf);
    case "test": {
      const { op } = plan.test;
      const isEquality = op === "among" || op === "empty";
      const test = testSql(plan.test, (field) => expressionOf(field, columnOf, isEquality));
      return plan.negated ? sql<SqlBool>`((${test}) is not true)` : test;
    }
  }
}

function joinSql(
  parts: readonly Plan[],
  separator: RawBuilder<unknown>,
  columnOf: ColumnOf,
): RawBuilder<SqlBool> {
  const conditions = parts.map((part) => planSql(part, columnOf));
  return sql<SqlBool>`(${sql.join(conditions, separator)})`;
}

function expressionOf(field: string, columnOf: ColumnOf, isEquality: boolean): RawBuilder<unknown> {
  const column = columnOf(field);
  if (!column) throw new RangeError(`no column for field ${field}`);
  return column.hasSortIndex && isEquality ? sortExpression(field, column) : column.expression;
}
