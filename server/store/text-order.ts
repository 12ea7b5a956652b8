import { sql } from "kysely";
import { DEFAULT_LANGUAGE, type TextOrder } from "../../shared/filter/text-order.ts";
import type { Database, Db } from "./database.ts";
import { identifier } from "./identifiers.ts";
import { execute, rowsOf } from "./statement.ts";

/**
 * The collation of every order of texts: the installation's language, numbers by their value, and the bytes where that finds no
 * difference. Its name is always the same, so that statements are made without asking, and it means one language and one version
 * of ICU. Indexes are sorted by the version with which they were built, and an index that is sorted otherwise than Postgres compares
 * loses records. So where the language or the version has changed, the collation is renamed and another one created under the name:
 * statements name that from then on, for which Postgres uses none of the old indexes, and `completeTables` builds them anew.
 *
 * A Postgres without ICU has code points under the name.
 */
export const textOrder = identifier("watchfloor", "text_order");

/** For a restored database and tools, which know no setting. */
const BY_CODE_POINTS = "code points";

interface Current {
  oid: number;
  language: string | null;
  isOfThisVersion: boolean;
}

/**
 * Sees to it that the collation is that of a language, and of the version of ICU that Postgres has; of its present language if none is
 * given. Returns the order by which Postgres sorts now. Safe to call on several servers at once.
 */
export function ensureTextOrder(
  { kysely }: Pick<Database, "kysely">,
  language?: string,
): Promise<TextOrder> {
  return kysely.transaction().execute((trx) => ensureTextOrderIn(trx, language));
}

/** The same within a transaction. */
export async function ensureTextOrderIn(trx: Db, language?: string): Promise<TextOrder> {
  await execute(trx)`select pg_advisory_xact_lock(${TEXT_ORDER_LOCK})`;
  const current = await readCurrent(trx);
  const wanted = (await hasIcu(trx)) ? wantedLanguage(language, current) : BY_CODE_POINTS;
  if (current?.language !== wanted || !current.isOfThisVersion) await replace(trx, current, wanted);
  return wanted === BY_CODE_POINTS ? null : wanted;
}

function wantedLanguage(language: string | undefined, current: Current | undefined): string {
  const known = current?.language === BY_CODE_POINTS ? null : current?.language;
  return language ?? known ?? DEFAULT_LANGUAGE;
}

/** Different from the locks in advisory-lock.ts and of the builder. */
const TEXT_ORDER_LOCK = 7_244_805;

async function readCurrent(db: Db): Promise<Current | undefined> {
  const [current] = await rowsOf<Current>(db)`
    select oid::bigint as oid, pg_catalog.obj_description(oid, 'pg_collation') as language,
      collversion is not distinct from pg_catalog.pg_collation_actual_version(oid) as "isOfThisVersion"
    from pg_catalog.pg_collation
    where collnamespace = 'watchfloor'::regnamespace and collname = 'text_order'`;
  return current;
}

/** initdb has made a collation for each language that ICU knows. */
async function hasIcu(db: Db): Promise<boolean> {
  const rows = await rowsOf(db)`select from pg_catalog.pg_collation
    where collprovider = 'i' and collnamespace = 'pg_catalog'::regnamespace limit 1`;
  return rows.length > 0;
}

async function replace(db: Db, former: Current | undefined, language: string): Promise<void> {
  if (former) {
    const name = identifier(`text_order_${former.oid}`);
    await execute(db)`alter collation ${textOrder} rename to ${name}`;
  }
  const definition =
    language === BY_CODE_POINTS
      ? sql`from pg_catalog."C"`
      : sql`(provider = icu, locale = ${sql.lit(localeOf(language))}, deterministic = true)`;
  await execute(db)`create collation ${textOrder} ${definition}`;
  await execute(db)`comment on collation ${textOrder} is ${sql.lit(language)}`;
}

function localeOf(language: string): string {
  return `${language}${language.includes("-u-") ? "" : "-u"}-kn-true`;
}

/** Drops former collations that no index uses any more; one that anything else uses stays. */
export async function dropFormerTextOrders(db: Db): Promise<void> {
  const rows = await rowsOf<{ name: string }>(db)`
    select collname as name from pg_catalog.pg_collation c
    where collnamespace = 'watchfloor'::regnamespace and collname ~ '^text_order_[0-9]+$'
      and not exists (select from pg_catalog.pg_depend d
        where d.refclassid = 'pg_catalog.pg_collation'::regclass and d.refobjid = c.oid)`;
  for (const { name } of rows) {
    await execute(db)`drop collation if exists ${identifier("watchfloor", name)}`;
  }
}
