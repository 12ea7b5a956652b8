import { type Kysely, sql } from "kysely";

/**
 * A change is published when its commit is visible. With `synchronous_commit = off` that is before it is durable: if
 * one backend crashes, Postgres starts again within the same run, without the last commits, and assigns their positions
 * a second time. So a transaction that is captured waits for its own flush.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create function watchfloor.commit_durably() returns trigger
  language plpgsql set search_path = pg_catalog as $$
  begin
    if current_setting('synchronous_commit') = 'off' then
      perform set_config('synchronous_commit', 'local', true);
    end if;
    return null;
  end $$`,
  `create trigger commit_durably after insert on watchfloor.marker
  for each statement execute function watchfloor.commit_durably()`,
  "alter table watchfloor.marker enable always trigger commit_durably",
];
