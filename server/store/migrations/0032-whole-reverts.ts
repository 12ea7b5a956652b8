import { type Kysely, sql } from "kysely";

/** Whether the ops of a revert take back all changes of the set that it reverts. Of older drafts that is unknown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statement =
    "alter table watchfloor.change_set add column reverts_all boolean not null default false";
  await sql.raw(statement).execute(db);
}
