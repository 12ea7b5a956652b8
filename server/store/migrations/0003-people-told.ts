import { type Kysely, sql } from "kysely";

/**
 * Every server hears at commit that a session ended or a user changed, whoever did it: another
 * server, or a person with psql. Told by Postgres and not by the bus, so that it can't be lost
 * between the two, and holds with Redis away. Channel `watchfloor_people`, see listen-for-access-changes.ts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create function watchfloor.tell_people() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
  begin
    perform pg_notify('watchfloor_people', tg_argv[0] || ':' || old.id);
    return null;
  end $$`,

  `create trigger tell_change after update on watchfloor."user" for each row
  when ((old.email, old.name, old.colour, old.role, old.attributes, old.status)
    is distinct from (new.email, new.name, new.colour, new.role, new.attributes, new.status))
  execute function watchfloor.tell_people('user')`,

  `create trigger tell_removal after delete on watchfloor."user" for each row
  execute function watchfloor.tell_people('user')`,

  `create trigger tell_end after delete on watchfloor.session for each row
  execute function watchfloor.tell_people('session')`,
];
