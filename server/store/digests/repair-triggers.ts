import { type RawBuilder, sql } from "kysely";
import type { Database, Db } from "../database.ts";
import { GENERATION } from "../foreign-transactions.ts";
import { execute, rowOf, rowsOf } from "../statement.ts";
import { insertSecurityEvent } from "../users/security-events.ts";

/** Triggers of our own tables that fire in replica sessions, too. */
const always = ["number_changes", "count_rights"];
const NUMBERING = "number_changes";
const LOCK_TIMEOUT_MS = 1_000;

/**
 * The triggers of our own tables that are disabled. Without them changes get no position in their feeds, or changed
 * rights are not noticed.
 */
export function disabledTriggers(db: Db): Promise<{ table: string; trigger: string }[]> {
  return rowsOf<{ table: string; trigger: string }>(db)`
    select c.relname as "table", t.tgname as "trigger" from pg_catalog.pg_trigger t
    join pg_catalog.pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'watchfloor'::regnamespace and not t.tgisinternal
      and (t.tgenabled in ('D', 'R') or t.tgname = any(${always}) and t.tgenabled <> 'A')
    order by 1, 2`;
}

/** A trigger of one of our own tables as messages name it. */
export const triggerName = ({ table, trigger }: { table: string; trigger: string }) =>
  `watchfloor.${table} ${trigger}`;

/**
 * Enables these triggers again. Changes that were not numbered meanwhile are numbered in the order in which they were
 * captured, which is that of the commits of each record. Returns what was disabled.
 */
export async function repairTriggers({ kysely }: Database): Promise<string[]> {
  const disabled = await disabledTriggers(kysely);
  if (disabled.length === 0) return [];
  const names = disabled.map(triggerName);
  await kysely.transaction().execute(async (trx) => {
    await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT_MS}ms'`).execute(trx);
    const isUnnumbered = disabled.some(({ trigger }) => trigger === NUMBERING);
    // The log may be long: only what is committed from here on is searched for while nobody can commit.
    const horizon = await readHorizon(trx);
    const ended = sql`c.tx < ${horizon}::xid8`;
    const found = isUnnumbered ? await findUnnumbered(trx, ended) : [];
    for (const { table, trigger } of disabled) {
      const mode = sql.raw(always.includes(trigger) ? "enable always" : "enable");
      await execute(
        trx,
      )`alter table ${sql.id("watchfloor", table)} ${mode} trigger ${sql.id(trigger)}`;
    }
    // Restored changes have higher numbers, and none of them is recent.
    const recent = sql`c.tx >= ${horizon}::xid8 and c.tx < ${sql.lit(String(GENERATION))}::xid8`;
    if (isUnnumbered) found.push(...(await findUnnumbered(trx, recent)));
    for (const { feed, tx, n, first, last } of found) {
      await execute(trx)`select watchfloor.number_feed(
        ${feed}, ${n}, ${tx}::xid8, ${first}::bigint, ${last}::bigint)`;
    }
    const detail = { table: names.join(", ") };
    await insertSecurityEvent(trx, { kind: "capture_restored", detail });
  });
  return names;
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
