import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Filter } from "../../shared/filter/filter.ts";
import { isOrdered } from "../../shared/filter/ordering.ts";
import { ENTRY_FIELD, ID_FIELD } from "../../shared/filter/value-kinds.ts";
import { kindOfType } from "../../shared/model/field-types.ts";
import type { Field, Table } from "../../shared/model/model.ts";
import { comparedColumn } from "./columns.ts";
import { type ColumnOf, filterSql, sortExpression } from "./filter-sql.ts";
import { entryRef, identifier, idRef, tableRef } from "./identifiers.ts";

/**
 * The columns that filters and orders may name on row `alias` of a table: all fields, or the visible ones
 * only. The number of the order of entry is named by the server alone: `checkFilter` and `checkSort` know no such field.
 */
export function filterColumns(table: Table, alias: string, visible?: readonly string[]): ColumnOf {
  const columns = new Map(
    table.fields
      .filter((field) => !visible || visible.includes(field.name))
      .map((field) => [field.name, field]),
  );
  return (name) => {
    if (name === ID_FIELD) {
      return { expression: sql`(${idRef(alias)}::text collate "C")`, kind: "text" };
    }
    if (name === ENTRY_FIELD) return { expression: entryRef(alias), kind: "integer" };
    const field = columns.get(name);
    if (!field) return undefined;
    const expression = comparedColumn(field, alias);
    return { expression, kind: kindOfType[field.type], hasSortIndex: field.indexed === true };
  };
}

/** Where the labels of a link or user field are, as far as their reader may see them. */
export type LabelSource =
  | { kind: "users" }
  | { kind: "records"; table: Table; display: Field; filter: Filter | null };

/** By field. A field without a source is ordered by its own values. */
export type LabelSources = Readonly<Record<string, LabelSource>>;

/**
 * The columns of an order on row `alias` of a table. `orderOf`: the order by hand of that view takes the place of the order of entry. A link is ordered by the label of its record. Where the reader may not see that, the
 * row's place reveals no more of it than the id, which they see: such links are ordered by their ids, after those with labels.
 */
export function orderColumns(
  table: Table,
  alias: string,
  {
    labels = {},
    orderOf,
  }: { labels?: LabelSources | undefined; orderOf?: string | undefined } = {},
): ColumnOf {
  const columnOf = filterColumns(table, alias);
  return (name) => {
    if (name === ENTRY_FIELD && orderOf !== undefined) return rankColumn(alias, orderOf);
    const column = columnOf(name);
    const source = Object.hasOwn(labels, name) ? labels[name] : undefined;
    if (!column || !source) return column;
    const place = table.fields.findIndex((field) => field.name === name);
    return { ...column, label: labelColumn(source, column.expression, `l${place}`) };
  };
}

/** The place of row `alias` in the order by hand of a view: its rank, or else its number of entry (views/record-ranks.ts). */
export function rankColumn(alias: string, view: string) {
  const rank = identifier("rank", "rank");
  return {
    expression: sql`coalesce(${rank}, ${entryRef(alias)})`,
    kind: "decimal" as const,
    join: sql`left join ${identifier("watchfloor", "record_rank")} ${identifier("rank")}
      on ${identifier("rank", "view")} = ${view} and ${identifier("rank", "record")} = ${idRef(alias)}`,
  };
}

/** The record that `link` names is row `row` of the join. */
export function labelColumn(source: LabelSource, link: RawBuilder<unknown>, row: string) {
  const labels = labelRows(source, row);
  if (!labels) return undefined;
  const { from, id, isVisible, label } = labels;
  // The link may be one of an expression with the collation of orders.
  const join = sql`left join ${from} on ${id} = (${link} collate "C") and ${isVisible}`;
  return { join, expression: label };
}

/** The records that have the labels as rows `row`, and of them the ids and labels. Undefined if they can't be ordered by those. */
export function labelRows(source: LabelSource, row: string) {
  const alias = identifier(row);
  if (source.kind === "users") {
    const name = { expression: identifier(row, "name"), kind: "text" as const };
    return {
      from: sql`${identifier("watchfloor", "user")} ${alias}`,
      id: identifier(row, "id"),
      isVisible: sql<SqlBool>`true`,
      label: sortExpression("name", name),
    };
  }
  const { table, display, filter } = source;
  const kind = kindOfType[display.type];
  if (!isOrdered(kind)) return undefined;
  return {
    from: sql`${tableRef(table)} ${alias}`,
    id: idRef(row),
    isVisible: filter ? filterSql(filter, filterColumns(table, row)) : sql<SqlBool>`true`,
    label: sortExpression(display.name, { expression: comparedColumn(display, row), kind }),
  };
}
