import { sql } from "kysely";
import type { Model } from "../../../shared/model/model.ts";
import { installCapture } from "../capture.ts";
import type { Db } from "../database.ts";

/**
 * Tables that were made before are captured by today's triggers, which cost a fraction: an update's
 * old values are put together from the changed fields alone. What they note is the same.
 */
export async function up(db: Db): Promise<void> {
  const { rows } = await sql<{ document: Model }>`
    select document from watchfloor.model order by version desc limit 1`.execute(db);
  for (const table of rows[0]?.document.tables ?? []) await installCapture(db, table);
}
