import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Table } from "../../shared/model/model.ts";
import { columnName, idColumn, storedDocument, valueExpression } from "./columns.ts";

/**
 * Capture by trigger, so that the writes of any program are noted. Statement triggers with
 * transition tables: one insert into the log however many rows a statement touched.
 *
 * The author of a row is, in this order: what `watchfloor.notes` says of its record (set by our group
 * commit, which writes records of several authors with one statement), `watchfloor.actor` (any program
 * may name itself), or the database user as `external`.
 */

/**
 * Makes the table's feed and (re)makes its triggers to fit the model. Safe to repeat. Changes are
 * noted under columns; the feed knows by which names they are told.
 */
export async function installCapture(db: Kysely<unknown>, table: Table): Promise<void> {
  const names = namesOf(table);
  const made = await sql<{ id: number }>`
    insert into watchfloor.feed (table_name, names) values (${table.name}, ${names}::jsonb)
    on conflict (table_name) do update set names = excluded.names returning id
  `.execute(db);
  const feed = made.rows[0]?.id as number;
  const name = `capture_${feed}`;
  // As a literal: names of customers stand in the body, and a quote of dollars could be ended by one.
  const body = sql.lit(captureBody(table, feed).compile(db).sql);
  await sql`create or replace function watchfloor.${sql.id(name)}() returns trigger
    language plpgsql security definer set search_path = pg_catalog set timezone = 'UTC'
    as ${body}`.execute(db);
  for (const [event, referencing] of events) {
    const trigger = sql.id(`watchfloor_${event}`);
    await sql`drop trigger if exists ${trigger} on ${sql.id(table.name)}`.execute(db);
    await sql`create trigger ${trigger} after ${sql.raw(event)} on ${sql.id(table.name)}
      ${sql.raw(referencing)} for each statement
      execute function watchfloor.${sql.id(name)}()`.execute(db);
  }
  await sql`drop trigger if exists watchfloor_truncate on ${sql.id(table.name)}`.execute(db);
  await sql`create trigger watchfloor_truncate after truncate on ${sql.id(table.name)}
    for each statement execute function watchfloor.new_epoch(${sql.lit(table.name)})`.execute(db);
}

/** Columns and what they are called; null while all are called the same, so that reading is cheap. */
function namesOf({ fields }: Table): string | null {
  if (fields.every((field) => columnName(field) === field.name)) return null;
  return JSON.stringify(Object.fromEntries(fields.map((field) => [columnName(field), field.name])));
}

const events = [
  ["insert", "referencing new table as after_rows"],
  ["update", "referencing old table as before_rows new table as after_rows"],
  ["delete", "referencing old table as before_rows"],
] as const;

function captureBody(table: Table, feed: number): RawBuilder<unknown> {
  const after = storedDocument(table, "n");
  const before = storedDocument(table, "o");
  const key = (alias: string) => sql`${sql.id(alias)}.${sql.id(idColumn)}::text`;
  const id = sql.id(idColumn);
  const rows = {
    insert: sql`select ${key("n")} as record, 'insert' as kind, null::jsonb as before,
        ${after} as after from after_rows n`,
    delete: sql`select ${key("o")} as record, 'delete' as kind, ${before} as before,
        null::jsonb as after from before_rows o`,
    // A changed key is a record that went and another that came.
    update: sql`select coalesce(${key("n")}, ${key("o")}) as record,
        case when o.${id} is null then 'insert' when n.${id} is null then 'delete'
          else 'update' end as kind,
        case when o.${id} is null then null when n.${id} is null then ${before}
          else nullif(${changedValues(table)}, '{}') end as before,
        case when n.${id} is null then null else ${after} end as after
      from before_rows o full join after_rows n on n.${id} = o.${id}`,
  };
  return sql`
    declare
      notes jsonb := nullif(current_setting('watchfloor.notes', true), '')::jsonb;
      author text := coalesce(nullif(current_setting('watchfloor.actor', true), ''),
                              'external:' || session_user);
      mark boolean := coalesce(current_setting('watchfloor.marked', true), '') = '';
      since bigint := 0;
    begin
      if mark then since := nextval('watchfloor.change_ord'); end if;
      if tg_op = 'INSERT' then ${note(feed, rows.insert)};
      elsif tg_op = 'UPDATE' then ${note(feed, rows.update)};
      else ${note(feed, rows.delete)};
      end if;
      if mark and found then
        perform set_config('watchfloor.marked', 'yes', true);
        insert into watchfloor.marker (tx, since) values (pg_current_xact_id(), since);
      end if;
      return null;
    end`;
}

/**
 * What the changed fields of an updated row held before, as a document. Put together field by field:
 * comparing two whole documents cost more than all else that an edit does in the database.
 */
function changedValues(table: Table): RawBuilder<unknown> {
  const parts = table.fields.map((field) => {
    const [before, after] = [valueExpression(field, "o"), valueExpression(field, "n")];
    const changed = sql`jsonb_build_object(${sql.lit(columnName(field))}, ${before})`;
    return sql`case when ${before} is distinct from ${after} then ${changed} else '{}' end`;
  });
  return parts.length ? sql`(${sql.join(parts, sql` || `)})` : sql`'{}'::jsonb`;
}

/**
 * Notes rows in the log; an update that changed nothing is not a change. `offset 0` keeps the planner
 * from pulling the rows up, which would build their documents anew wherever they are named.
 */
function note(feed: number, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into watchfloor.change
      (feed, record, kind, before, after, actor, mutation, batch, transition, reason)
    select ${sql.lit(feed)}, r.record, r.kind, r.before, r.after,
      coalesce(r.note ->> 'actor', author), r.note ->> 'mutation', r.note ->> 'batch',
      r.note ->> 'transition', r.note ->> 'reason'
    from (
      select w.*, coalesce(notes -> w.record, notes -> '*') as note from (${rows}) w offset 0
    ) r
    where r.kind <> 'update' or r.before is not null`;
}
