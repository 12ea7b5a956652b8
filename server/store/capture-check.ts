import { type RawBuilder, sql } from "kysely";
import { findTable } from "../../shared/model/model.ts";
import { installTriggers, renewEpochs } from "./capture.ts";
import type { Database, Db } from "./database.ts";
import { GENERATION } from "./foreign-transactions.ts";
import { identifier } from "./identifiers.ts";
import { holdModel } from "./models.ts";
import { installStamps } from "./stamps.ts";
import { execute, hold, rowOf, rowsOf } from "./statement.ts";
import { insertSecurityEvent } from "./users/security-events.ts";

/**
 * Whether changes could bypass the log, which is written by triggers.
 *
 * Whoever may alter a table can switch them off, write, and switch them on again, as `pg_restore --disable-triggers` does. The rows of
 * `pg_trigger` show it: a trigger that was created again has another `oid`, and one that was switched off and on another `xmin`, the
 * transaction that wrote its row last. So each feed stores a fingerprint of the rows of its table's triggers, which is written in the transaction
 * that creates them (capture.ts, stamps.ts), and one server compares it every ten seconds. A difference says that changes may be missing in the log, not
 * which: the table begins another epoch, so that every client and tile reads it again, and a security event names the table.
 *
 * Switching a trigger on waits for all who write to the table. So once the row shows it, what was written meanwhile is committed, and a
 * reader that learns of the epoch sees it.
 *
 * Freezing preserves `xmin`, and so do a standby, a copy of the files and `vacuum full`. A dump that was loaded and `pg_upgrade` create the triggers
 * anew: an epoch too many, which costs one reading of each table. What is not found: capture functions that were replaced, and files that were
 * altered below Postgres.
 */

/** How long writers of a table may delay us, and wait for us. */
const LOCK_TIMEOUT_MS = 1_000;

/** Triggers of a table by the modes in which they may fire: see installTriggers. */
const modes: Record<string, string[]> = {
  watchfloor_insert: ["O", "A"],
  watchfloor_update: ["O", "A"],
  watchfloor_delete: ["O", "A"],
  watchfloor_replica: ["R"],
  watchfloor_truncate: ["A"],
  watchfloor_stamp: ["O", "A"],
};

/** Triggers of our own tables that fire in replica sessions, too. */
const always = ["number_changes", "count_rights"];

/** The tables of the published model that have recorded fields. */
const stampedTables = sql`
  select t.value ->> 'name' from (
    select document from watchfloor.model order by version desc limit 1) m
  cross join jsonb_array_elements(m.document -> 'tables') t
  where jsonb_path_exists(t.value, '$.fields[*].recorded ? (@ != null)')`;

const captured = sql`watchfloor.feed f join pg_catalog.pg_class c on c.relname = f.table_name
  and c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace`;

/** Whether a trigger of table `c` is missing or disabled: one that captures, or the one that stamps recorded fields. */
const isOff = sql`exists (
  select from jsonb_each(${sql.lit(JSON.stringify(modes))}::jsonb) wanted
  where (wanted.key <> 'watchfloor_stamp' or f.table_name in (${stampedTables})) and not exists (
    select from pg_catalog.pg_trigger t
    where t.tgrelid = c.oid and t.tgname = wanted.key and wanted.value ? t.tgenabled::text))`;

/** The tables whose changes are not captured now. */
export async function tablesWithoutCapture(db: Db): Promise<string[]> {
  const rows = await rowsOf<{ table: string }>(db)`
    select f.table_name as "table" from ${captured} where ${isOff} order by 1`;
  return rows.map(({ table }) => table);
}

/** The triggers of our own tables that are disabled: changes get no position in their feeds, or changed rights are not noticed. */
export async function disabledTriggers(db: Db): Promise<string[]> {
  const rows = await readDisabled(db);
  return rows.map(triggerName);
}

function readDisabled(db: Db): Promise<{ table: string; trigger: string }[]> {
  return rowsOf<{ table: string; trigger: string }>(db)`
    select c.relname as "table", t.tgname as "trigger" from pg_catalog.pg_trigger t
    join pg_catalog.pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'watchfloor'::regnamespace and not t.tgisinternal
      and (t.tgenabled in ('D', 'R') or t.tgname = any(${always}) and t.tgenabled <> 'A')
    order by 1, 2`;
}

const triggerName = ({ table, trigger }: { table: string; trigger: string }) =>
  `watchfloor.${table} ${trigger}`;

/** How many tables have triggers that are off: those of the model, and our own. */
export async function countTablesOff(db: Db): Promise<number> {
  const [own, tables] = await Promise.all([readDisabled(db), tablesWithoutCapture(db)]);
  return tables.length + new Set(own.map(({ table }) => table)).size;
}

/** A table whose changes may have bypassed the log. */
export interface Interruption {
  feed: number;
  table: string;
  /** The fingerprint of its triggers as it was found. */
  found: string;
  /** One of them is missing or disabled now. */
  isOff: boolean;
}

/** All such tables, or those of `among`. The first time that a database is compared, its triggers are taken as they are. */
export async function findInterruptions(
  db: Db,
  among: readonly string[] | null = null,
): Promise<Interruption[]> {
  const rows = await rowsOf<Interruption & { isFirst: boolean }>(db)`
    select * from (
      select f.id as feed, f.table_name as "table", watchfloor.triggers_of(c.oid)::text as found,
        f.triggers is null as "isFirst", ${isOff} as "isOff", f.triggers
      from ${captured} where ${among}::text[] is null or f.table_name = any(${among}::text[])
    ) f
    where f."isOff" or f.triggers::text is distinct from f.found
    order by f.feed`;
  for (const { feed, found } of rows.filter((row) => row.isFirst && !row.isOff)) {
    const unknown = db.updateTable("watchfloor.feed").where("triggers", "is", null);
    await unknown.where("id", "=", feed).set({ triggers: found }).execute();
  }
  return rows.filter((row) => row.isOff || !row.isFirst);
}

/** `renewInterrupted` in a transaction of its own, in which nobody waits for long. */
export async function endInterruption({ kysely }: Database, found: Interruption): Promise<void> {
  await kysely.transaction().execute(async (tx) => {
    await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT_MS}ms'`).execute(tx);
    await renewInterrupted(tx, found);
  });
}

/**
 * Begins another epoch of the table, in which every client and tile reads it again. Triggers that are off are installed again. Another
 * server may do the same at the same time: then it is an epoch too many.
 */
export async function renewInterrupted(tx: Db, interruption: Interruption): Promise<void> {
  const { feed, table, found } = interruption;
  if (interruption.isOff) {
    const published = findTable(await holdModel(tx), table);
    await installTriggers(tx, { name: table, feed });
    if (published) await installStamps(tx, published);
  }
  await renewEpochs(tx, [{ id: feed }]);
  if (!interruption.isOff) {
    const own = tx.updateTable("watchfloor.feed").where("id", "=", feed);
    await own.set({ triggers: found }).execute();
  }
  const kind = interruption.isOff ? "capture_restored" : "capture_bypassed";
  await insertSecurityEvent(tx, { kind, detail: { table } });
}

/**
 * The same for our own tables. Triggers that are disabled are enabled again, and changes that were not numbered meanwhile are numbered in the order in
 * which they were captured, which is that of the commits of each record: nothing is missing then. Returns what was found: the triggers that
 * were disabled, or the schema where they were for a time.
 */
export async function endOwnInterruption({ kysely }: Database): Promise<string[]> {
  const { stored, found } = await readOwn(kysely);
  if (stored === found && (await readDisabled(kysely)).length === 0) return [];
  return await kysely.transaction().execute(async (tx) => {
    await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT_MS}ms'`).execute(tx);
    await hold(tx, "triggers");
    const own = await readOwn(tx);
    const disabled = await readDisabled(tx);
    const isTouched = own.stored !== null && own.stored !== own.found;
    const names = disabled.length > 0 ? disabled.map(triggerName) : isTouched ? ["watchfloor"] : [];
    if (names.length > 0) {
      await enableAndNumber(tx, disabled);
      const kind = disabled.length > 0 ? "capture_restored" : "capture_bypassed";
      await insertSecurityEvent(tx, { kind, detail: { table: names.join(", ") } });
    }
    const { found: triggers } = await readOwn(tx);
    await tx.updateTable("watchfloor.installation").set({ triggers }).execute();
    return names;
  });
}

async function readOwn(db: Db): Promise<{ stored: string | null; found: string }> {
  const row = await rowOf<{ stored: string | null; found: string }>(db)`
    select i.triggers::text as stored, (
      select pg_catalog.md5(string_agg(watchfloor.triggers_of(own.id)::text, ' ' order by own.name))::uuid::text
      from (select distinct c.oid as id, c.relname as name from pg_catalog.pg_trigger t
        join pg_catalog.pg_class c on c.oid = t.tgrelid join pg_catalog.pg_proc p on p.oid = t.tgfoid
        where c.relnamespace = 'watchfloor'::regnamespace and p.pronamespace = c.relnamespace) own) as found
    from watchfloor.installation i`;
  return row ?? { stored: null, found: "" };
}

async function enableAndNumber(
  tx: Db,
  disabled: readonly { table: string; trigger: string }[],
): Promise<void> {
  // The log may be long: only what is committed from here on is searched for while nobody can commit.
  const horizon = await readHorizon(tx);
  const unnumbered = await findUnnumbered(tx, sql`c.tx < ${horizon}::xid8`);
  for (const { table, trigger } of disabled) {
    const mode = sql.raw(always.includes(trigger) ? "enable always" : "enable");
    await execute(tx)`alter table ${identifier("watchfloor", table)}
      ${mode} trigger ${identifier(trigger)}`;
  }
  // Restored changes have higher numbers, and none of them is recent.
  const recent = sql`c.tx >= ${horizon}::xid8 and c.tx < ${sql.lit(String(GENERATION))}::xid8`;
  unnumbered.push(...(await findUnnumbered(tx, recent)));
  for (const { feed, tx: of, n, first, last } of unnumbered) {
    await execute(tx)`select watchfloor.number_feed(
      ${feed}, ${n}, ${of}::xid8, ${first}::bigint, ${last}::bigint)`;
  }
}

/** All transactions before this one have ended. */
async function readHorizon(db: Db): Promise<string> {
  const row = await rowOf<{ horizon: string }>(db)`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon`;
  return row?.horizon ?? "0";
}

/** What a transaction captured of a feed, and no numbering covers. */
interface Unnumbered {
  feed: number;
  tx: string;
  n: number;
  first: string;
  last: string;
}

function findUnnumbered(db: Db, where: RawBuilder<unknown>): Promise<Unnumbered[]> {
  return rowsOf<Unnumbered>(db)`
    select c.feed, c.tx::text as tx, count(*) as n, min(c.ord)::text as first, max(c.ord)::text as last
    from watchfloor.change c
    where ${where} and not exists (select from watchfloor.numbering n
      where n.tx = c.tx and n.feed = c.feed and c.ord between n.first_ord and n.last_ord)
    group by c.feed, c.tx order by min(c.ord)`;
}
