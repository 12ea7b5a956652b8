import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type pg from "pg";
import { idOfTable, type Table } from "../../../shared/model/model.ts";
import type { PlanStep } from "../../../shared/model/plan-step.ts";
import { columnName } from "../columns.ts";
import type { Database } from "../database.ts";
import { objectName } from "../object-name.ts";
import { BUILDER_LOCK, largeTables } from "./complete-tables.ts";
import { columnDefinition, type Sql } from "./field-ddl.ts";
import { type Change, currentTable, preparedColumn } from "./step-statements.ts";

/** What was built ahead, by its name; and a function to remove it if the plan is not applied. */
export interface Prepared {
  names: ReadonlySet<string>;
  undo(): Promise<void>;
}

interface Preparation {
  name: string;
  statements: Sql[];
  undo: Sql[];
  /** A query that finds a row if there is something to undo. */
  undoIf?: Sql;
}

/** Marks a column that no published model has yet. */
const UNPUBLISHED = "Watchfloor: not published";
/** How long a build waits for the transactions of other programs. */
const BUILD_LOCK_TIMEOUT_MS = 20_000;
/** Everybody who waits for the lock of a table waits behind us: so it is released and retried. */
const LOCK_TIMEOUT_MS = 400;
const ATTEMPTS = 40;
const PAUSE_MS = 150;
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Builds ahead, on tables too large to be locked for long, what the plan then only takes over: the index of a
 * new unique field, concurrently, and the proof that a newly required field is filled everywhere. Meanwhile
 * records are read and edited. Throws what Postgres refuses, such as two equal values; then nothing is left
 * behind.
 */
export async function preparePlan(
  database: Database,
  steps: readonly PlanStep[],
  change: Change,
): Promise<Prepared> {
  const large = await largeTables(database.kysely, change.from);
  const preparations = steps
    .filter(({ table }) => large.has(idOfTable(table)))
    .filter(({ table }) => !change.unmanaged.has(currentTable(table, change.from).name))
    .flatMap((step) => preparationsOf(step, currentTable(step.table, change.from)));
  const names = new Set(preparations.map(({ name }) => name));
  if (preparations.length === 0) return { names, undo: async () => {} };
  const undo = () => onBuilder(database, (run) => undoAll(preparations, run));
  await onBuilder(database, async (run) => {
    await undoAll(preparations, run);
    try {
      for (const { statements } of preparations) for (const one of statements) await run(one);
    } catch (error) {
      await undoAll(preparations, run);
      throw error;
    }
  });
  return { names, undo };
}

/** Returns how many rows a statement returned. */
type Run = (statement: Sql) => Promise<number>;

/** Also removes what a server left that ended in between. */
async function undoAll(preparations: readonly Preparation[], run: Run): Promise<void> {
  for (const { undo, undoIf } of preparations.toReversed()) {
    if (undoIf && (await run(undoIf)) === 0) continue;
    for (const one of undo) await run(one);
  }
}

/** On a dedicated connection, and on one server at a time. */
async function onBuilder(database: Database, work: (run: Run) => Promise<void>): Promise<void> {
  const name = "watchfloor builder";
  const builder = await database.connect({ name, lockTimeoutMs: BUILD_LOCK_TIMEOUT_MS });
  try {
    await builder.query("select pg_advisory_lock($1)", [BUILDER_LOCK]);
    await work((statement) => runPatiently(builder, statement.compile(database.kysely).sql));
  } finally {
    await builder.end();
  }
}

async function runPatiently(builder: pg.Client, text: string): Promise<number> {
  const isConcurrent = text.includes("index concurrently");
  const timeoutMs = isConcurrent ? BUILD_LOCK_TIMEOUT_MS : LOCK_TIMEOUT_MS;
  await builder.query(`set lock_timeout = ${timeoutMs}`);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await builder.query(text)).rowCount ?? 0;
    } catch (error) {
      const isBusy = (error as { code?: string }).code === LOCK_NOT_AVAILABLE;
      if (!isBusy || isConcurrent || attempt >= ATTEMPTS) throw error;
      await sleep(PAUSE_MS);
    }
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
  const on = sql`${sql.id(before.name)} (${sql.id(columnName(field))})`;
  return {
    name,
    statements: [sql`create unique index concurrently ${sql.id(name)} on ${on}`],
    undo: [sql`drop index concurrently if exists ${sql.id(name)}`],
  };
}

function filledCheck(before: Table, { table, field }: FieldStep): Preparation {
  const name = objectName(table, field, "filled");
  const alter = sql`alter table ${sql.id(before.name)}`;
  return {
    name,
    statements: [
      sql`${alter} add constraint ${sql.id(name)}
        check (${sql.id(columnName(field))} is not null) not valid`,
      sql`${alter} validate constraint ${sql.id(name)}`,
    ],
    undoIf: sql`select from pg_catalog.pg_constraint k
      join pg_catalog.pg_class c on c.oid = k.conrelid and c.relname = ${sql.lit(before.name)}
        and c.relnamespace = current_schema()::regnamespace
      where k.conname = ${sql.lit(name)}`,
    undo: [sql`${alter} drop constraint ${sql.id(name)}`],
  };
}

/** A column that another program added under that name is unchanged. */
function unpublishedColumn(before: Table, { table, field }: FieldStep): Preparation {
  const [on, column] = [sql.id(before.name), sql.id(columnName(field))];
  return {
    name: preparedColumn(field, table),
    statements: [
      sql`alter table ${on} add column ${columnDefinition(table, field)}`,
      sql`comment on column ${on}.${column} is ${sql.lit(UNPUBLISHED)}`,
    ],
    undoIf: sql`select from pg_catalog.pg_attribute a
      join pg_catalog.pg_class c on c.oid = a.attrelid and c.relname = ${sql.lit(before.name)}
        and c.relnamespace = current_schema()::regnamespace
      where a.attname = ${sql.lit(columnName(field))} and not a.attisdropped
        and pg_catalog.col_description(a.attrelid, a.attnum) = ${sql.lit(UNPUBLISHED)}`,
    undo: [sql`alter table ${on} drop column ${column}`],
  };
}
