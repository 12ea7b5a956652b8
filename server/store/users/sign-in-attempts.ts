import { type RawBuilder, sql } from "kysely";
import type { Db } from "../database.ts";
import { ago, milliseconds, rowsOf } from "../statement.ts";

/**
 * Table watchfloor.sign_in_attempt: the times of recent attempts, by key. An attempt is counted before the
 * password is checked, and removed if it was right: simultaneous guesses on several servers can't pass each
 * other, because they queue at the row.
 */

/** From how many failures within the window an attempt has to wait, and for how long. */
export interface AttemptBound {
  limit: number;
  windowMs: number;
  /** The wait after `limit` failures; by default the window. Each further one doubles it, up to `maxWaitMs`. */
  firstWaitMs?: number;
  maxWaitMs?: number;
}

/** More doublings than any wait needs, and fewer than a number can hold. */
const DOUBLINGS_MAX = 30;

/** Counts an attempt. Null: continue; a number: refused, retry after so many milliseconds. */
export async function countAttempt(
  db: Db,
  key: string,
  { limit, windowMs, firstWaitMs = windowMs, maxWaitMs = windowMs }: AttemptBound,
): Promise<number | null> {
  const wait = (
    known: RawBuilder<unknown>,
  ) => sql`least(${maxWaitMs}::float8, ${firstWaitMs}::float8
    * power(2, greatest(0, least(${known} - ${limit}, ${DOUBLINGS_MAX})))) * interval '1 millisecond'`;
  const rows = await rowsOf<{ counted: boolean; wait: number }>(db)`
    insert into watchfloor.sign_in_attempt as a (key, attempts) values (${key}, array[now()])
    on conflict (key) do update set attempts = (
      select case when known < ${limit} or last + ${wait(sql`known`)} <= now()
        then array_append(retained, now()) else retained end
      from (select array_agg(at order by at) as retained, count(at) as known, max(at) as last
        from unnest(a.attempts) at where at > now() - ${milliseconds(windowMs)}) recent)
    returning attempts[cardinality(attempts)] = now() as counted,
      ceil(extract(epoch from least(
        attempts[greatest(cardinality(attempts) - ${limit} + 1, 1)] + ${milliseconds(windowMs)},
        attempts[cardinality(attempts)] + ${wait(sql`cardinality(attempts)`)}
      ) - now()) * 1000)::float8 as wait
  `;
  const row = rows[0];
  return row?.counted ? null : Math.max(row?.wait ?? 0, 1);
}

/** The attempt was right: delete the newest of the key. */
export async function uncountAttempt(db: Db, key: string): Promise<void> {
  const attempts = sql<string[]>`attempts[1:cardinality(attempts) - 1]`;
  await db
    .updateTable("watchfloor.sign_in_attempt")
    .set({ attempts })
    .where("key", "=", key)
    .execute();
}

/** Deletes the attempts of the key. */
export async function forgetAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom("watchfloor.sign_in_attempt").where("key", "=", key).execute();
}

/** Housekeeping: keys whose attempts have all expired. */
export async function deleteOldAttempts(db: Db, windowMs: number): Promise<void> {
  const last = sql<string>`coalesce(attempts[cardinality(attempts)], '-infinity')`;
  await db.deleteFrom("watchfloor.sign_in_attempt").where(last, "<", ago(windowMs)).execute();
}
