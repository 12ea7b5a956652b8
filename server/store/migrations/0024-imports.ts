import { type Kysely, sql } from "kysely";

/** Files as the source of a change set's ops, and the rows of them that were left out. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "alter table watchfloor.change_set add column import jsonb",
  // Of a row: its line, and a hash of the value by which it names its record.
  "alter table watchfloor.change_set_op add column key text, add column line int",
  `create unique index change_set_op_key on watchfloor.change_set_op (change_set, key)
   where key is not null`,
  // Finds the next batch of a large set without reading those before it.
  `create index change_set_op_untried on watchfloor.change_set_op (change_set, n)
   where status is null`,
  `create table watchfloor.change_set_reject (
    change_set text not null references watchfloor.change_set on delete cascade,
    line int not null,
    cells jsonb not null,
    errors jsonb not null,
    primary key (change_set, line)
  )`,
];
