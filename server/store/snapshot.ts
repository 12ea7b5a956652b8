import { sql } from "kysely";
import type { Db } from "./database.ts";

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
  await sql`set local enable_parallel_append = off`.execute(snapshot);
  return snapshot;
}
