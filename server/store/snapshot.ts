import type { Db } from "./database.ts";
import { execute } from "./statement.ts";

/**
 * A transaction that reads as of one moment. The subqueries of a `union all` are answered in their order: the parts of a
 * page follow each other (seek.ts).
 */
export async function openSnapshot(kysely: Db) {
  const snapshot = await kysely
    .startTransaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute();
  await execute(snapshot)`set local enable_parallel_append = off`;
  return snapshot;
}
