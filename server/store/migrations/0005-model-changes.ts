import { type Kysely, sql } from "kysely";

/**
 * What changing the model needs: the names by which a feed's columns are told, and casts that answer
 * null where a value does not fit instead of failing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Null while every column is called as it is: then nothing has to be told otherwise.
  "alter table watchfloor.feed add column names jsonb",

  `create function watchfloor.named(document jsonb, names jsonb) returns jsonb
  language sql immutable as $$
    select case when document is null then null else coalesce(
      (select jsonb_object_agg(names ->> e.key, e.value) from jsonb_each(document) e where names ? e.key),
      '{}'::jsonb) end
  $$`,

  `create function watchfloor.try_cast(value text, kind text) returns text
  language plpgsql stable set timezone = 'UTC' set datestyle = 'ISO' as $$
  begin
    case kind
      when 'date' then return value::date::text;
      when 'timestamptz' then return value::timestamptz::text;
      when 'jsonb' then return value::jsonb::text;
    end case;
  exception when data_exception then return null;
  end $$`,
];
