import { type RawBuilder, sql } from "kysely";
import type { Field, Recorded, Table } from "../../shared/model/model.ts";
import { mayNameAuthors } from "./author.ts";
import type { Db } from "./database.ts";
import { recordTriggers } from "./feed-log.ts";
import { columnRef, identifier, idRef, quoted, tableRef } from "./identifiers.ts";
import { execute } from "./statement.ts";

/**
 * Stamps: when and by whom a record was created and last changed, set by a trigger, so that the writes of any
 * program are stamped. Tables without such fields have no trigger and pay nothing.
 * The author is that of the change log (author.ts), if it is a user; others are null here, and named in the
 * history. A program may set when and by whom an imported record was created; who changed it is then null.
 */

/** (Re)creates the table's trigger to fit the model, or removes it. Safe to repeat. */
export async function installStamps(db: Db, table: Table): Promise<void> {
  const name = tableRef(table);
  const own = db.selectFrom("watchfloor.feed").select("id").where("table_name", "=", table.name);
  const { id: feed } = await own.executeTakeFirstOrThrow();
  await execute(db)`drop trigger if exists watchfloor_stamp on ${name}`;
  if (!table.fields.some(({ recorded }) => recorded)) return recordTriggers(db, feed);
  const stamp = identifier("watchfloor", `stamp_${feed}`);
  const body = sql.lit(stampBody(table).compile(db).sql);
  await execute(db)`create or replace function ${stamp}() returns trigger
    language plpgsql security definer set search_path = pg_catalog as ${body}`;
  await execute(db)`create trigger watchfloor_stamp before insert or update on ${name}
    for each row execute function ${stamp}()`;
  await recordTriggers(db, feed);
}

/** Removes the objects of a removed table's stamps. */
export async function removeStamps(db: Db, feed: number): Promise<void> {
  await execute(db)`drop function if exists watchfloor.${identifier(`stamp_${feed}`)}()`;
}

function stampBody(table: Table): RawBuilder<unknown> {
  const { made, changed, others } = columnsOf(table);
  const row = (alias: string) =>
    sql`row(${sql.join(others.map((field) => columnRef(field, alias)))})`;
  const preserve = [...made, ...changed].map((field) => set(field, columnRef(field, "old")));
  const isSame = others.length ? sql`${row("new")} is not distinct from ${row("old")}` : sql`true`;
  return sql`
    declare
      -- Evaluated only for a role that may name authors (capture.ts).
      known text := case when ${sql.raw(mayNameAuthors)} then coalesce(nullif(current_setting('watchfloor.by', true), ''),
        nullif(current_setting('watchfloor.notes', true), '')::jsonb -> ${idRef("new")} ->> 'actor',
        nullif(current_setting('watchfloor.notes', true), '')::jsonb -> '*' ->> 'actor',
        nullif(current_setting('watchfloor.actor', true), '')) end;
      author text := case when known like 'user:%' then substr(known, 6) end;
    begin
      if tg_op = 'UPDATE' then
        ${sql.join(preserve, sql` `)}
        -- A write that changes nothing is no change here either.
        if ${idRef("new")} = ${idRef("old")} and ${isSame} then return new; end if;
      else
        ${made.length ? sql.join(made.map(begin), sql` `) : sql`null;`}
      end if;
      ${changed.length ? sql.join(changed.map(mark), sql` `) : sql`null;`}
      return new;
    end`;
}

/** Computed columns are not evaluated yet when the trigger runs, and follow the others anyway. */
function columnsOf({ fields }: Table) {
  const is = (...kinds: Recorded[]) =>
    fields.filter(({ recorded }) => recorded !== undefined && kinds.includes(recorded));
  return {
    made: is("createdAt", "createdBy"),
    changed: is("updatedAt", "updatedBy"),
    others: fields.filter(
      (field) => field.recorded === undefined && field.expression === undefined,
    ),
  };
}

const set = (field: Field, value: RawBuilder<unknown>) =>
  sql`${columnRef(field, "new")} := ${value};`;
const stampValueOf = ({ recorded }: Field) =>
  recorded?.endsWith("At") ? sql`statement_timestamp()` : sql`author`;
const begin = (field: Field) =>
  set(field, sql`coalesce(${columnRef(field, "new")}, ${stampValueOf(field)})`);
const mark = (field: Field) => set(field, stampValueOf(field));

/**
 * Fills a newly recorded field for existing records, as far back as the change log reaches. It is not a
 * change of theirs: neither captured nor stamped.
 */
export function stampFromLog(table: Table, field: Field): RawBuilder<unknown>[] {
  if (field.recorded === undefined) return [];
  const name = tableRef(table);
  const column = columnRef(field);
  const isMade = field.recorded.startsWith("created");
  const value = field.recorded.endsWith("At")
    ? sql`c.at`
    : sql`case when c.actor like 'user:%' then substr(c.actor, 6) end`;
  const update = sql`update ${name} t set ${column} = ${value} from (
        select distinct on (record) record, at, actor from watchfloor.change
        where feed = (select id from watchfloor.feed where table_name = ${sql.lit(table.name)})
          ${isMade ? sql`and kind = 'insert'` : sql``}
        order by record, ord ${isMade ? sql`` : sql`desc`}) c
      where c.record = ${idRef("t")} and t.${column} is null`;
  return withoutTriggers(table, update);
}

/** A statement while which no trigger of a table fires. Afterwards those of other programs fire as they did before. */
export function withoutTriggers(
  { name }: Table,
  statement: RawBuilder<unknown>,
): RawBuilder<unknown>[] {
  const relation = sql`${sql.lit(quoted(name))}::regclass`;
  return [
    sql`select set_config('watchfloor.triggers', jsonb_build_object('table', ${relation}::text, 'modes',
        coalesce(jsonb_object_agg(tgname, tgenabled), '{}'))::text, true)
      from pg_catalog.pg_trigger where tgrelid = ${relation} and not tgisinternal`,
    sql`alter table ${identifier(name)} disable trigger user`,
    statement,
    sql.raw(resumeTriggers),
  ];
}

const resumeTriggers = `do $$
  declare
    paused jsonb := current_setting('watchfloor.triggers')::jsonb;
    one record;
  begin
    for one in select key as name, value as mode from jsonb_each_text(paused -> 'modes') loop
      execute format('alter table %s %s trigger %I', paused ->> 'table', case one.mode
        when 'A' then 'enable always' when 'R' then 'enable replica' when 'D' then 'disable'
        else 'enable' end, one.name);
    end loop;
  end $$`;
