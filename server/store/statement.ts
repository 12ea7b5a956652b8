import { type DeleteResult, type InsertResult, sql, type UpdateResult } from "kysely";
import type { Db } from "./database.ts";

/**
 * Statements on our own tables. Plain ones are the builder's (platform-tables.ts), with the parts below. Where it can't say something
 * (`with`, lists of rows, JSON that is computed), the statement is text: `rowsOf(db)` and its siblings, whose values are parameters.
 */

export const now = sql<string>`now()`;

export const milliseconds = (ms: number) => sql<string>`${ms} * interval '1 millisecond'`;

/** The moment so many milliseconds before now, by the database's clock. */
export const ago = (ms: number) => sql<string>`now() - ${milliseconds(ms)}`;

/** The moment so many milliseconds from now. */
export const after = (ms: number) => sql<string>`now() + ${milliseconds(ms)}`;

/** The time that one sweep takes off the beginning of what is stored, at most. */
export const SWEPT_AT_ONCE = "6 hours";

/**
 * Up to when one sweep deletes what is older than `keepMs`. If the machine's clock is set forward, everything is old at
 * once. So each sweep deletes the oldest six hours at most, of the times `at` in `rows`: an hour with a wrong clock costs
 * a day and a half, and not all.
 */
export const sweptBefore = (keepMs: number, at: string, rows: string) =>
  sql<string>`(select least(${ago(keepMs)}, min(${sql.raw(at)}) + interval '${sql.raw(SWEPT_AT_ONCE)}')
    from ${sql.raw(rows)})`;

/** One of the values. They are one parameter: a list of parameters would be another statement for each of its lengths. */
export const anyOf = <Value extends string | number>(
  values: readonly Value[],
  type: "text" | "int" = "text",
) => sql<Value>`any(${values}::${sql.raw(type)}[])`;

/** How many rows there are. */
export const rowCount = sql<number>`count(*)`.as("count");

/** Orders names whatever their case. */
export const folded = (column: string) => sql<string>`lower(${sql.ref(column)})`;

/** The first row; null if there is none. */
export async function firstOf<Row>(query: {
  executeTakeFirst(): Promise<Row | undefined>;
}): Promise<Row | null> {
  return (await query.executeTakeFirst()) ?? null;
}

type Written = InsertResult | UpdateResult | DeleteResult;

/** Whether there is a row. */
export async function exists(query: {
  executeTakeFirst(): Promise<object | undefined>;
}): Promise<boolean> {
  return (await query.executeTakeFirst()) !== undefined;
}

/** The number that a query selects as `count`. */
export async function countOf(query: {
  executeTakeFirstOrThrow(): Promise<{ count: number }>;
}): Promise<number> {
  return (await query.executeTakeFirstOrThrow()).count;
}

/** How many rows a statement has inserted, updated or deleted. */
export async function rowsWritten(statement: {
  executeTakeFirstOrThrow(): Promise<Written>;
}): Promise<number> {
  const result = await statement.executeTakeFirstOrThrow();
  if ("numUpdatedRows" in result) return Number(result.numUpdatedRows);
  return Number(
    "numDeletedRows" in result ? result.numDeletedRows : result.numInsertedOrUpdatedRows,
  );
}

/** Whether a statement has written a row. */
export async function wrote(statement: Parameters<typeof rowsWritten>[0]): Promise<boolean> {
  return (await rowsWritten(statement)) > 0;
}

/** A statement in SQL, whose values are its parameters, and what comes of it. */
type Statement<Result> = (
  text: TemplateStringsArray,
  ...values: readonly unknown[]
) => Promise<Result>;

/** Runs a statement in SQL: the rows that it returns. */
export function rowsOf<Row>(db: Db): Statement<Row[]> {
  return async (text, ...values) => (await sql<Row>(text, ...values).execute(db)).rows;
}

/** The first row; null if there is none. */
export function rowOf<Row>(db: Db): Statement<Row | null> {
  return async (...statement) => (await rowsOf<Row>(db)(...statement))[0] ?? null;
}

/** The number in the only column of the first row; 0 if there is none. */
export function numberOf(db: Db): Statement<number> {
  return async (...statement) =>
    Object.values((await rowOf<Record<string, number>>(db)(...statement)) ?? {})[0] ?? 0;
}

/** Whether there is a row. */
export function hasRow(db: Db): Statement<boolean> {
  return async (...statement) => (await rowsOf(db)(...statement)).length > 0;
}

/** How many rows it has inserted, updated or deleted. */
export function execute(db: Db): Statement<number> {
  return async (text, ...values) =>
    Number((await sql(text, ...values).execute(db)).numAffectedRows ?? 0);
}

/** Whether it has written exactly one row. */
export function wroteRow(db: Db): Statement<boolean> {
  return async (...statement) => (await execute(db)(...statement)) === 1;
}

/**
 * A transaction that does not wait for the disk. A crash of the machine may lose it, and never one without those after it: whatever is
 * committed later by waiting is on disk only together with it. For steps on the way to such a commit, which are repeated after a crash.
 */
export function transactionOnTheWay<Result>(
  db: Db,
  step: (tx: Db) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (tx) => {
    await sql`set local synchronous_commit = off`.execute(tx);
    return step(tx);
  });
}

type Held =
  | "comment"
  | "log_archive"
  | "model"
  | "triggers"
  | "user.colour"
  | "view"
  | "wallboard"
  | "webhook";

/** Waits until no other transaction holds `what`, or only shares it, and holds it until this one ends. */
export async function hold(tx: Db, what: Held, { isShared = false, of = "" } = {}): Promise<void> {
  const lock = sql.raw(`pg_advisory_xact_lock${isShared ? "_shared" : ""}`);
  const key = sql`hashtext(${`watchfloor.${what}`})`;
  await execute(tx)`select ${lock}(${of === "" ? key : sql`${key}, hashtext(${of})`})`;
}

/** Names the author of what other programs and triggers log in this transaction (capture.ts). */
export async function actAs(tx: Db, actor: string): Promise<void> {
  await execute(tx)`select set_config('watchfloor.actor', ${actor}, true)`;
}
