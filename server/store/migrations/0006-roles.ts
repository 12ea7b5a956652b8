import { type Kysely, sql } from "kysely";

/**
 * Roles that the customer declares. The built-in ones are no rows: they can't be changed, not even
 * by hand. A change is told to every server at commit, as those of people are (0003).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table watchfloor.role (
    id text primary key check (id not in ('owner', 'admin', 'editor', 'viewer', 'display')),
    name text not null,
    rights jsonb not null default '[]',
    grants jsonb not null default '{}',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `create unique index role_name on watchfloor.role (lower(name))`,

  `create trigger tell_change after update on watchfloor.role for each row
  when ((old.name, old.rights, old.grants) is distinct from (new.name, new.rights, new.grants))
  execute function watchfloor.tell_people('role')`,

  `create trigger tell_removal after delete on watchfloor.role for each row
  execute function watchfloor.tell_people('role')`,
];
