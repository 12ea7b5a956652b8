import { type DeleteResult, type InsertResult, sql, type UpdateResult } from "kysely";

/** Parts of statements on our own tables. */

export const now = sql<string>`now()`;

export const milliseconds = (ms: number) => sql<string>`${ms} * interval '1 millisecond'`;

/** The moment so many milliseconds before now, by the database's clock. */
export const ago = (ms: number) => sql<string>`now() - ${milliseconds(ms)}`;

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
