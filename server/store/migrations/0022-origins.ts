import { type Kysely, sql } from "kysely";
import type { Model } from "../../../shared/model/model.ts";
import { installCapture } from "../capture.ts";

/**
 * Each change names its origin and the change set that made it; `batch` was never written. What was logged before
 * has neither. The activity reads the log of all tables in the order of `ord`, which a restored dump keeps, while
 * its transaction numbers begin anew. Its index is on an expression, so that the planner takes it for nothing else.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  const { rows } = await sql<{ document: Model }>`
    select document from watchfloor.model order by version desc limit 1`.execute(db);
  for (const table of rows[0]?.document.tables ?? []) await installCapture(db, table);
}

const statements = [
  "alter table watchfloor.change rename column batch to change_set",
  "alter table watchfloor.change add column origin text",
  "create index change_order on watchfloor.change ((ord + 0))",
  `create index change_change_set on watchfloor.change (change_set, ord)
   where change_set is not null`,
];
