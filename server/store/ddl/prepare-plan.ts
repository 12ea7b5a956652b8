import { sql } from "kysely";
import { idOfTable, type Table } from "../../../shared/model/model.ts";
import type { PlanStep } from "../../../shared/model/plan-step.ts";
import type { Database } from "../database.ts";
import { columnName, columnRef, identifier, tableRef } from "../identifiers.ts";
import { publishedVersion } from "../models.ts";
import { objectName } from "../object-name.ts";
import type { Applied } from "./apply-plan.ts";
import { onBuilder } from "./builder-lock.ts";
import { largeTables } from "./complete-tables.ts";
import { columnDefinition, type Sql } from "./field-ddl.ts";
import { leftoversIn, UNPUBLISHED } from "./leftovers.ts";
import { LOCK_NOT_AVAILABLE, runPatiently } from "./run-patiently.ts";
import { type Change, currentTable, preparedColumn } from "./step-statements.ts";

interface Preparation {
  name: string;
  statements: Sql[];
  undo: Sql[];
  /** A query that finds a row if there is something to undo. */
  undoIf?: Sql;
}

/**
 * Publishes a plan by `apply`. On tables too large to be locked for long, what the plan then only takes over is built
 * ahead: the index of a new unique field, concurrently, and the proof that a newly required field is filled everywhere.
 * Meanwhile records are read and edited. Until `apply` has ended no other server builds. If it refuses, or throws as
 * Postgres refuses, such as two equal values, nothing is left behind.
 */
export async function withPreparedPlan(
  database: Database,
  steps: readonly PlanStep[],
  change: Change,
  apply: (prepared: ReadonlySet<string>) => Promise<Applied>,
): Promise<Applied> {
  const { from, unmanaged } = change;
  const large = await largeTables(database.kysely, from);
  const planned = new Set(steps.map(({ table }) => idOfTable(table)));
  const isPlanned = (table: Table) => planned.has(idOfTable(table)) && !unmanaged.has(table.name);
  const managed = { tables: from.tables.filter(isPlanned) };
  const preparations = steps
    .filter(({ table }) => large.has(idOfTable(table)))
    .filter(({ table }) => !unmanaged.has(currentTable(table, from).name))
    .flatMap((step) => preparationsOf(step, currentTable(step.table, from)));
  const isPlain = preparations.length === 0;
  if (isPlain && (await leftoversIn(database.kysely, managed)).length === 0)
    return apply(new Set());
  const result = await onBuilder(database, async (builder) => {
    if ((await publishedVersion(database.kysely)) !== from.version) return "moved";
    const run: Run = (statement) => runPatiently(database, builder, statement);
    for (const one of await leftoversIn(database.kysely, managed)) await run(one);
    let applied: Applied | null = null;
    try {
      for (const { statements } of preparations) for (const one of statements) await run(one);
      applied = await apply(new Set(preparations.map(({ name }) => name)));
      return applied;
    } finally {
      if (applied !== "applied") await undoAll(preparations, run);
    }
  });
  if (result === null)
    throw Object.assign(new Error("another build"), { code: LOCK_NOT_AVAILABLE });
  return result;
}

/** Returns how many rows a statement returned. */
type Run = (statement: Sql) => Promise<number>;

async function undoAll(preparations: readonly Preparation[], run: Run): Promise<void> {
  for (const { undo, undoIf } of preparations.toReversed()) {
    if (undoIf && (await run(undoIf)) === 0) continue;
    for (const one of undo) await run(one);
  }
}

/** `before` is the table under its name while this runs. */
function preparationsOf(step: PlanStep, before: Table): Preparation[] {
  if (step.kind === "constrainField") {
    const { field, from } = step;
    return [
      ...(field.unique && !from.unique ? [uniqueIndex(before, step)] : []),
      ...(field.required && !from.required ? [filledCheck(before, step)] : []),
    ];
  }
  if (step.kind !== "addField" || !step.field.unique) return [];
  if (step.field.automatic || step.field.expression !== undefined) return [];
  return [unpublishedColumn(before, step), uniqueIndex(before, step)];
}

type FieldStep = PlanStep & { kind: "constrainField" | "addField" };

function uniqueIndex(before: Table, { table, field }: FieldStep): Preparation {
  const name = objectName(table, field, "key");
  const on = sql`${tableRef(before)} (${columnRef(field)})`;
  return {
    name,
    statements: [sql`create unique index concurrently ${identifier(name)} on ${on}`],
    undo: [sql`drop index concurrently if exists ${identifier(name)}`],
  };
}

function filledCheck(before: Table, { table, field }: FieldStep): Preparation {
  const name = objectName(table, field, "filled");
  const alter = sql`alter table ${tableRef(before)}`;
  return {
    name,
    statements: [
      sql`${alter} add constraint ${identifier(name)}
        check (${columnRef(field)} is not null) not valid`,
      sql`${alter} validate constraint ${identifier(name)}`,
    ],
    undoIf: sql`select from pg_catalog.pg_constraint k
      join pg_catalog.pg_class c on c.oid = k.conrelid and c.relname = ${sql.lit(before.name)}
        and c.relnamespace = current_schema()::regnamespace
      where k.conname = ${sql.lit(name)}`,
    undo: [sql`${alter} drop constraint ${identifier(name)}`],
  };
}

/** A column that another program added under that name is unchanged. */
function unpublishedColumn(before: Table, { table, field }: FieldStep): Preparation {
  const [on, column] = [tableRef(before), columnRef(field)];
  return {
    name: preparedColumn(field, table),
    statements: [
      // One statement for the driver and so one transaction: there is no such column without its comment.
      sql`alter table ${on} add column ${columnDefinition(table, field)};
        comment on column ${on}.${column} is ${sql.lit(UNPUBLISHED)}`,
    ],
    undoIf: sql`select from pg_catalog.pg_attribute a
      join pg_catalog.pg_class c on c.oid = a.attrelid and c.relname = ${sql.lit(before.name)}
        and c.relnamespace = current_schema()::regnamespace
      where a.attname = ${sql.lit(columnName(field))} and not a.attisdropped
        and pg_catalog.col_description(a.attrelid, a.attnum) = ${sql.lit(UNPUBLISHED)}`,
    undo: [sql`alter table ${on} drop column ${column}`],
  };
}
