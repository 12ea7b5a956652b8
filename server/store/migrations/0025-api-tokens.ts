import { type Kysely, sql } from "kysely";

/**
 * API tokens, stored as SHA-256 only. A revoked token stays as a row, because the change log names it as an author. No
 * reference to its creator for the same reason; without an active creator it is refused.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table watchfloor.api_token (
    id text primary key,
    name text not null,
    hash text not null unique,
    prefix text not null,
    created_by text not null,
    role text,
    rights_version bigint not null default 0,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    last_used timestamptz,
    revoked_at timestamptz
  )`,
  "create index api_token_creator on watchfloor.api_token (created_by) where revoked_at is null",
  `create trigger tell_change after update on watchfloor.api_token for each row
  when ((old.name, old.created_by, old.role, old.expires_at, old.revoked_at)
    is distinct from (new.name, new.created_by, new.role, new.expires_at, new.revoked_at))
  execute function watchfloor.tell_people('token')`,
  `create trigger tell_removal after delete on watchfloor.api_token for each row
  execute function watchfloor.tell_people('token')`,
  `create trigger count_rights before update on watchfloor.api_token for each row
  when ((old.role, old.created_by) is distinct from (new.role, new.created_by))
  execute function watchfloor.count_rights()`,
  "alter table watchfloor.api_token enable always trigger count_rights",
];
