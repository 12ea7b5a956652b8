import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Table } from "../../../shared/model/model.ts";
import { type PlanStep, replacedBy } from "../../../shared/model/plan-step.ts";
import { columnRef, tableRef } from "../identifiers.ts";
import type { Sql } from "./field-ddl.ts";

/**
 * Replaces removed options in records by another option, or empties them. Uses ordinary updates, so that the
 * change log has who lost what, and screens follow.
 */

type Step = PlanStep & { kind: "replaceOptions" };

/** Records that hold one of these options. */
export function holds({ field }: Step, values: readonly string[]): RawBuilder<SqlBool> {
  const column = columnRef(field);
  const listed = texts(values);
  return field.type === "multiSelect"
    ? sql<SqlBool>`${column} && ${listed}`
    : sql<SqlBool>`${column} = any(${listed})`;
}

/** Records that would be empty afterwards. */
export function emptied(step: Step): RawBuilder<SqlBool> {
  const unreplaced = step.gone.filter((value) => replacedBy(step, value) === undefined);
  if (step.field.type !== "multiSelect") return holds(step, unreplaced);
  const column = columnRef(step.field);
  return sql<SqlBool>`${holds(step, unreplaced)} and ${column} <@ ${texts(unreplaced)}`;
}

/** `before` is the table under its name while this runs. */
export function replaceOptions(before: Table, step: Step): Sql {
  const { field, gone } = step;
  const column = columnRef(field);
  const replacements = gone.map((value) => replacedBy(step, value) ?? null);
  const now = (value: Sql) =>
    sql`(${texts(replacements)})[array_position(${texts(gone)}, ${value})]`;
  const isRemoved = (value: Sql) => sql`${value} = any(${texts(gone)})`;
  const element = sql.raw('e.value collate "C"');
  // If two items of a list become one, it takes the place of the first.
  const list = sql`nullif(array(
      select m.value from (
        select case when ${isRemoved(element)} then ${now(element)} else e.value end as value, e.place
        from unnest(${column}) with ordinality as e(value, place)) m
      where m.value is not null group by m.value order by min(m.place)), '{}'::text[])`;
  return sql`update ${tableRef(before)}
    set ${column} = ${field.type === "multiSelect" ? list : now(sql`${column}`)}
    where ${holds(step, gone)}`;
}

function texts(values: readonly (string | null)[]): Sql {
  const items = values.map((value) => (value === null ? sql`null` : sql.lit(value)));
  return items.length ? sql`array[${sql.join(items)}]::text[]` : sql`'{}'::text[]`;
}
