import { type Kysely, sql } from "kysely";

/**
 * Every server hears at commit that an event of security was written: what is done to people and roles
 * is one, so that the screens of who manages them follow without asking again and again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create function watchfloor.tell_event() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
  begin
    perform pg_notify('watchfloor_people', 'event:');
    return null;
  end $$`,

  `create trigger tell_event after insert on watchfloor.security_event for each statement
  execute function watchfloor.tell_event()`,
];
