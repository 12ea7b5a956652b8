import { type RawBuilder, type SqlBool, sql } from "kysely";
import { idOfTable, logKeyOf, type Table } from "../../shared/model/model.ts";
import { mayNameAuthors } from "./author.ts";
import { storedDocument, valueExpression } from "./columns.ts";
import type { Db } from "./database.ts";
import { isPresent, recordTriggers } from "./feed-log.ts";
import { entryRef, identifier, idRef } from "./identifiers.ts";
import { removeStamps } from "./stamps.ts";
import { anyOf, execute, rowsWritten } from "./statement.ts";
import { holdWebhooks } from "./webhooks/webhooks.ts";

/*
 * Capture: how the writes of any program come into the change log, where they are numbered at commit (schema/change-log.ts explains the log).
 *
 * The obvious way is to log what our own commands write, where author and values are known. But other programs write to the tables, too, and what they do must be on
 * every screen, in history and in undo. So triggers log, for us as for them, and everything after the log is the same for both. Logical decoding
 * sees as much, but needs `wal_level = logical` and the right of replication, and knows no author.
 *
 * Each table has a function of its own, made of the model: statement triggers with transition tables make one insert into the log however many rows
 * a statement touched. A row of the log has the previous values of the changed fields and the whole new record, as the values that are sent
 * (columns.ts), under keys that outlive a renaming. A new version of the model makes the function anew (`installCapture`).
 *
 * What must not get lost in it:
 *
 * - It is `security definer`, so that a program needs no right on our schema, and names everything in full (`search_path`).
 * - Statement triggers never fire where logical replication applies changes, nor in replica mode: there a row trigger captures.
 * - TRUNCATE touches no rows: it begins another epoch, and every screen reads the table again.
 * - Who disables the triggers, or loads data past them, is found within ten seconds (capture-check.ts), by what Postgres stores of them.
 * - A trigger of another program that writes to the row that fired it does so before our trigger logs that row: Postgres runs the triggers of rows
 *   before those of the statement. The log would say `delete`, then `update`, and every screen would show a row that is gone. So what was
 *   logged at a greater depth within this statement (`watchfloor.nested`) goes behind what is logged here, for records that are stored otherwise
 *   than they are logged here. Not put in order: what a program numbers in the middle, by `set constraints immediate`. And what a trigger of a
 *   table without our triggers has written to a record earlier in the transaction is taken to be within the next statement that rewrites it.
 *
 * The author of a row is, in this order: the entry of its record in `watchfloor.notes` (set by our group
 * commit, which writes records of several authors with one statement), `watchfloor.actor` (any program may
 * name itself), or the database user as `external`. Any role can set any setting, so users and tokens are
 * believed only of a role that may write the log itself.
 */

/**
 * Gives a new table its feed. A removed table that is restored under its id continues with its former feed,
 * and so with its history. The epoch is a new one, because nobody may replay across the removal.
 */
export async function claimFeed(db: Db, table: Table): Promise<void> {
  const id = idOfTable(table);
  const former = db.updateTable("watchfloor.feed").set({ table_name: table.name });
  const found = await rowsWritten(
    former.where("table_id", "=", id).where("table_name", "is", null),
  );
  if (found > 0) return beginEpoch(db, table);
  const feed = db.insertInto("watchfloor.feed").values({ table_name: table.name, table_id: id });
  await feed.onConflict((any) => any.doNothing()).execute();
}

/** Begins an epoch that continues none: nobody replays what came before it. History is preserved. */
async function beginEpoch(db: Db, table: Table): Promise<void> {
  await execute(db)`select watchfloor.break_epoch(id) from watchfloor.feed
    where table_name = ${table.name}`;
}

/**
 * The same where the log goes on, as after a change of the model or an erasure: clients read the tables again, and
 * webhooks and the inbox, which follow the log itself, go on from their positions.
 */
export async function renewEpochs(db: Db, feeds: readonly { id: number }[]): Promise<void> {
  const ids = feeds.map(({ id }) => id);
  await holdWebhooks(db);
  const rows = await db
    .selectFrom("watchfloor.webhook as w")
    .innerJoin("watchfloor.feed as f", "f.table_name", "w.table_name")
    .select("w.id")
    .where("f.id", "=", anyOf(ids, "int"))
    .where(sql.raw<SqlBool>(isPresent("f", "w.epoch", "w.seq")))
    .execute();
  const followed = await db
    .selectFrom("watchfloor.inbox_position as p")
    .innerJoin("watchfloor.feed as f", "f.id", "p.feed")
    .select("f.id")
    .where("f.id", "=", anyOf(ids, "int"))
    .where(sql.raw<SqlBool>(isPresent("f", "p.epoch", "p.seq")))
    .execute();
  await execute(
    db,
  )`select watchfloor.break_epoch(f.id), pg_notify('watchfloor_changed', 'feed:' || f.table_name)
    from watchfloor.feed f where f.id = any(${ids}::int[]) order by f.id`;
  await db
    .updateTable("watchfloor.webhook as w")
    .from("watchfloor.feed as f")
    .set(({ ref }) => ({ epoch: ref("f.epoch") }))
    .whereRef("f.table_name", "=", "w.table_name")
    .where("w.id", "=", anyOf(rows.map(({ id }) => id)))
    .execute();
  const followedIds = followed.map(({ id }) => id);
  await db
    .updateTable("watchfloor.inbox_position as p")
    .from("watchfloor.feed as f")
    .set(({ ref }) => ({ epoch: ref("f.epoch") }))
    .whereRef("f.id", "=", "p.feed")
    .where("f.id", "=", anyOf(followedIds, "int"))
    .execute();
}

/** Removes a removed table's triggers. Its log stays, under its id, until it is too old. */
export async function releaseFeed(db: Db, table: Table): Promise<void> {
  const feed = db.updateTable("watchfloor.feed").where("table_name", "=", table.name);
  const released = await feed.set({ table_name: null }).returning("id").execute();
  for (const { id } of released) {
    for (const name of [`capture_${id}`, `capture_rows_${id}`]) {
      await execute(db)`drop function if exists watchfloor.${identifier(name)}()`;
    }
    await removeStamps(db, id);
  }
}

/**
 * Creates the table's feed and (re)creates its triggers to fit the model. Safe to repeat. The log stores
 * values by keys; the feed maps them to field names.
 */
export async function installCapture(db: Db, table: Table): Promise<void> {
  const feed = await installCaptureFunctions(db, table);
  await installTriggers(db, { name: table.name, feed });
}

/** The functions of its triggers alone, which stay as they are. */
export async function installCaptureFunctions(db: Db, table: Table): Promise<number> {
  const names = namesOf(table);
  const { id: feed } = await db
    .insertInto("watchfloor.feed")
    .values({ table_name: table.name, names })
    .onConflict((same) => same.column("table_name").doUpdateSet({ names }))
    .returning("id")
    .executeTakeFirstOrThrow();
  await installFunction(db, `capture_${feed}`, captureBody(db, table, feed, transitionTables));
  await installFunction(db, `capture_rows_${feed}`, captureBody(db, table, feed, triggerRow));
  return feed;
}

async function installFunction(db: Db, name: string, body: RawBuilder<unknown>) {
  // As a literal: names of customers are in the body, and could end a dollar quote.
  await execute(db)`create or replace function watchfloor.${identifier(name)}() returns trigger
    language plpgsql security definer set search_path = pg_catalog set timezone = 'UTC'
    as ${sql.lit(body.compile(db).sql)}`;
}

/**
 * (Re)creates the triggers of a table whose functions exist. Statement triggers don't fire in sessions whose
 * `session_replication_role` is `replica`, and never where logical replication applies changes. There a row
 * trigger captures instead. Its condition suppresses it elsewhere, also after `enable trigger user`.
 */
export async function installTriggers(
  db: Db,
  { name, feed }: { name: string; feed: number },
): Promise<void> {
  const on = identifier(name);
  const capture = identifier("watchfloor", `capture_${feed}`);
  for (const statement of dropTriggers(name, captureTriggers)) await statement.execute(db);
  for (const [event, referencing] of events) {
    await execute(
      db,
    )`create trigger ${identifier(`watchfloor_${event}`)} after ${sql.raw(event)} on ${on}
      ${sql.raw(referencing)} for each statement execute function ${capture}()`;
  }
  await execute(
    db,
  )`create trigger watchfloor_replica after insert or update or delete on ${on} for each row
    when (pg_catalog.current_setting('session_replication_role') = 'replica')
    execute function ${identifier("watchfloor", `capture_rows_${feed}`)}()`;
  await execute(db)`create trigger watchfloor_truncate after truncate on ${on}
    for each statement execute function watchfloor.new_epoch(${sql.lit(name)})`;
  await execute(db)`alter table ${on} enable replica trigger watchfloor_replica`;
  await execute(db)`alter table ${on} enable always trigger watchfloor_truncate`;
  await recordTriggers(db, feed);
}

/** The statements that remove the triggers of a table that leaves the model but stays in the database. */
export function removeCapture({ name }: Pick<Table, "name">): RawBuilder<unknown>[] {
  return dropTriggers(name, [...captureTriggers, "stamp"]);
}

const captureTriggers = ["insert", "update", "delete", "replica", "truncate"];

const dropTriggers = (table: string, triggers: readonly string[]) =>
  triggers.map(
    (event) =>
      sql`drop trigger if exists ${identifier(`watchfloor_${event}`)} on ${identifier(table)}`,
  );

/** Keys of the log and their field names; null while all are the same, so that reading is cheap. */
function namesOf({ fields }: Table): string | null {
  if (fields.every((field) => logKeyOf(field) === field.name)) return null;
  return JSON.stringify(Object.fromEntries(fields.map((field) => [logKeyOf(field), field.name])));
}

const events = [
  ["insert", "referencing new table as after_rows"],
  ["update", "referencing old table as before_rows new table as after_rows"],
  ["delete", "referencing old table as before_rows"],
] as const;

/** Where a capture function finds the rows before and after the change. */
interface RowSource {
  before: RawBuilder<unknown>;
  after: RawBuilder<unknown>;
}

const transitionTables: RowSource = { before: sql`before_rows`, after: sql`after_rows` };
const triggerRow: RowSource = { before: sql`(select old.*)`, after: sql`(select new.*)` };

function captureBody(db: Db, table: Table, feed: number, from: RowSource): RawBuilder<unknown> {
  const after = storedDocument(table, "n");
  const before = storedDocument(table, "o");
  const key = (alias: string) => sql`${idRef(alias)}::text`;
  const id = idRef();
  const rows = {
    insert: sql`select ${key("n")} as record, 'insert' as kind, null::jsonb as before,
        ${after} as after, ${entryRef("n")} as entry from ${from.after} n`,
    delete: sql`select ${key("o")} as record, 'delete' as kind, ${before} as before,
        null::jsonb as after, ${entryRef("o")} as entry from ${from.before} o`,
    // A changed key is a deleted and an inserted record.
    update: sql`select coalesce(${key("n")}, ${key("o")}) as record,
        case when o.${id} is null then 'insert' when n.${id} is null then 'delete'
          else 'update' end as kind,
        case when o.${id} is null then null when n.${id} is null then ${before}
          else nullif(${changedValues(table)}, '{}') end as before,
        case when n.${id} is null then null else ${after} end as after,
        coalesce(${entryRef("n")}, ${entryRef("o")}) as entry
      from ${from.before} o full join ${from.after} n on n.${id} = o.${id}`,
  };
  return sql`
    declare
      is_trusted boolean := ${sql.raw(mayNameAuthors)};
      notes jsonb := case when is_trusted then nullif(current_setting('watchfloor.notes', true), '')::jsonb end;
      author text := coalesce(nullif(current_setting('watchfloor.actor', true), ''),
                              'external:' || session_user);
      marked text := coalesce(current_setting('watchfloor.marked', true), '');
      nested text := coalesce(current_setting('watchfloor.nested', true), '');
      depth int := pg_trigger_depth();
      levels text[];
      inside bigint;
      rewritten text[];
      since bigint := 0;
      logged bigint;
    begin
      if not is_trusted and author ~ '^(user|token|display|system):' then
        author := 'external:' || author;
      end if;
      -- The setting names our row of marker; any other text counts as none.
      if marked <> '' and not watchfloor.is_pending(marked) then marked := ''; end if;
      if marked = '' then since := nextval('watchfloor.change_ord');
      elsif nested <> '' or depth > 1 then since := currval('watchfloor.change_ord');
      end if;
      if tg_op = 'INSERT' then ${note(feed, rows.insert)};
      elsif tg_op = 'UPDATE' then ${note(feed, rows.update)};
      else ${note(feed, rows.delete)};
      end if;
      get diagnostics logged = row_count;
      if marked = '' and logged > 0 then
        insert into watchfloor.marker (tx, since, feed, n, last_ord)
        values (pg_current_xact_id(), since, ${sql.lit(feed)}, logged, currval('watchfloor.change_ord'))
        returning set_config('watchfloor.marked', ctid::text, true) into marked;
      end if;
      -- By depth, from 2 on: the number before the first statement within the one that still runs. Any other text counts as none.
      if nested <> '' or depth > 1 then
        levels := case when nested ~ '^[0-9]{0,18}(,[0-9]{0,18})*$' and nested <> ''
          then string_to_array(nested, ',', '') else array[null]::text[] end;
        inside := (select min(level::bigint) from unnest(levels[depth:]) level);
        if inside is not null and logged > 0 then ${putNestedLast(db, table, feed)}; end if;
        levels := levels[:depth - 1];
        if depth > 1 then levels[depth - 1] := coalesce(levels[depth - 1], least(inside, since)::text); end if;
        perform set_config('watchfloor.nested', array_to_string(levels, ',', ''), true);
      end if;
      return null;
    end`;
}

/**
 * Moves what statements within this one logged of the same records behind what it logged itself, which is after `since`. A record that is
 * stored as it was logged here was not written by them. The table is named when it runs: its schema may have been renamed. "+ 0"
 * leaves the planner no way but the primary key.
 */
function putNestedLast(db: Db, table: Table, feed: number): RawBuilder<unknown> {
  const text = (part: RawBuilder<unknown>) => sql.lit(part.compile(db).sql);
  const own = sql`tx = pg_current_xact_id() and feed + 0 = ${sql.lit(feed)}`;
  const first = sql`select array_agg(c.record) from watchfloor.change c where ${own} and c.ord > `;
  const differs = sql` and c.after is distinct from (select ${storedDocument(table, "t")} from `;
  const last = sql` t where ${idRef("t")}::text = c.record)`;
  return sql`
    execute ${text(first)} || since || ${text(differs)} || tg_relid::regclass || ${text(last)} into rewritten;
    if rewritten is not null then
      update watchfloor.change c set ord = moved.next
      from (
        select k.ord, nextval('watchfloor.change_ord') as next from (
          select ord from watchfloor.change
          where ${own} and record = any(rewritten) and ord > inside and ord <= since
            and ord > coalesce((select max(last_ord) from watchfloor.numbering where tx = pg_current_xact_id()), 0)
          order by ord offset 0
        ) k
      ) moved
      where c.tx = pg_current_xact_id() and c.ord = moved.ord;
    end if`;
}

/**
 * The previous values of the changed fields of an updated row, as a document. Built field by field: comparing
 * two whole documents cost more than all else that an edit does in the database.
 */
function changedValues(table: Table): RawBuilder<unknown> {
  const parts = table.fields.map((field) => {
    const [before, after] = [valueExpression(field, "o"), valueExpression(field, "n")];
    const changed = sql`jsonb_build_object(${sql.lit(logKeyOf(field))}, ${before})`;
    return sql`case when ${before} is distinct from ${after} then ${changed} else '{}' end`;
  });
  return parts.length ? sql`(${sql.join(parts, sql` || `)})` : sql`'{}'::jsonb`;
}

/**
 * Writes rows to the log; an update that changed nothing is not a change. `offset 0` stops the planner from
 * pulling the rows up, which would build their documents again wherever they are named.
 */
function note(feed: number, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into watchfloor.change
      (feed, record, kind, before, after, entry, actor, mutation, origin, change_set, transition, reason)
    select ${sql.lit(feed)}, r.record, r.kind, r.before, r.after, r.entry,
      coalesce(r.note ->> 'actor', author), r.note ->> 'mutation', r.note ->> 'origin',
      r.note ->> 'changeSet', r.note ->> 'transition', r.note ->> 'reason'
    from (
      select w.*, coalesce(notes -> w.record, notes -> '*') as note from (${rows}) w offset 0
    ) r
    where r.kind <> 'update' or r.before is not null`;
}
