import { type Kysely, sql } from "kysely";

/**
 * Notifies every server at commit of a changed change set, whichever program changed it, and of changed sessions, second
 * factors and API tokens of a user. Progress, leases and last uses are not notified. Channel `watchfloor_people`, see
 * listen-for-access-changes.ts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const notifyAccount = (table: string, events: string, column = "user_id") =>
  `create trigger notify_account after ${events} on watchfloor.${table} for each row
  execute function watchfloor.notify_account('${column}')`;

const statements = [
  `create function watchfloor.notify_change_sets() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
  begin
    perform pg_notify('watchfloor_people', 'changeSets:');
    return null;
  end $$`,

  `create trigger notify_change after insert or delete or update of state, version
  on watchfloor.change_set for each statement execute function watchfloor.notify_change_sets()`,

  `create function watchfloor.notify_account() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
  begin
    perform pg_notify('watchfloor_people',
      'account:' || (coalesce(to_jsonb(new), to_jsonb(old)) ->> tg_argv[0]));
    return null;
  end $$`,

  notifyAccount("session", "insert or delete"),
  notifyAccount("totp", "insert or delete or update of confirmed"),
  notifyAccount("recovery_code", "insert or delete"),
  notifyAccount("passkey", "insert or delete"),
  notifyAccount("api_token", "insert or delete or update of name, role, revoked_at", "created_by"),
];
