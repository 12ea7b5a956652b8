import { type RawBuilder, sql } from "kysely";
import type { Db } from "../database.ts";

/**
 * Table watchfloor.sign_in_attempt: the times of recent attempts, by key. An attempt is counted
 * before the password is looked at, and taken back when it was right: guesses made at once on
 * several servers can't slip past each other, because they queue at the row.
 */

const ms = (milliseconds: number) => sql`${milliseconds} * interval '1 millisecond'`;

/** From how many failures within the window on an attempt has to wait, and for how long. */
export interface AttemptBound {
  limit: number;
  windowMs: number;
  /** The wait after `limit` failures; the window unless told. Each further one doubles it, up to `maxWaitMs`. */
  firstWaitMs?: number;
  maxWaitMs?: number;
}

/** More doublings than any wait needs, and fewer than a number can hold. */
const DOUBLINGS_MAX = 30;

/** Counts an attempt. Null: go on; a number: refused, and try again after so many milliseconds. */
export async function countAttempt(
  db: Db,
  key: string,
  { limit, windowMs, firstWaitMs = windowMs, maxWaitMs = windowMs }: AttemptBound,
): Promise<number | null> {
  const wait = (
    known: RawBuilder<unknown>,
  ) => sql`least(${maxWaitMs}::float8, ${firstWaitMs}::float8
    * power(2, greatest(0, least(${known} - ${limit}, ${DOUBLINGS_MAX})))) * interval '1 millisecond'`;
  const { rows } = await sql<{ counted: boolean; wait: number }>`
    insert into watchfloor.sign_in_attempt as a (key, attempts) values (${key}, array[now()])
    on conflict (key) do update set attempts = (
      select case when known < ${limit} or last + ${wait(sql`known`)} <= now()
        then array_append(kept, now()) else kept end
      from (select array_agg(at order by at) as kept, count(at) as known, max(at) as last
        from unnest(a.attempts) at where at > now() - ${ms(windowMs)}) recent)
    returning attempts[cardinality(attempts)] = now() as counted,
      ceil(extract(epoch from least(
        attempts[greatest(cardinality(attempts) - ${limit} + 1, 1)] + ${ms(windowMs)},
        attempts[cardinality(attempts)] + ${wait(sql`cardinality(attempts)`)}
      ) - now()) * 1000)::float8 as wait
  `.execute(db);
  const row = rows[0];
  return row?.counted ? null : Math.max(row?.wait ?? 0, 1);
}

/** The attempt was right: forget the newest of the key. */
export async function uncountAttempt(db: Db, key: string): Promise<void> {
  await sql`update watchfloor.sign_in_attempt
    set attempts = attempts[1:cardinality(attempts) - 1] where key = ${key}`.execute(db);
}

/** The attempts of the key count no more. */
export async function forgetAttempts(db: Db, key: string): Promise<void> {
  await sql`delete from watchfloor.sign_in_attempt where key = ${key}`.execute(db);
}

/** Housekeeping: keys whose attempts are all too old to count. */
export async function deleteOldAttempts(db: Db, windowMs: number): Promise<void> {
  await sql`delete from watchfloor.sign_in_attempt
    where coalesce(attempts[cardinality(attempts)], '-infinity') < now() - ${ms(windowMs)}
  `.execute(db);
}
