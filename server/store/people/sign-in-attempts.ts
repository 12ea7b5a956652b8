import { sql } from "kysely";
import type { Db } from "../database.ts";

/**
 * Table watchfloor.sign_in_attempt: the times of recent attempts, by key. An attempt is counted
 * before the password is looked at, and taken back when it was right: guesses made at once on
 * several servers can't slip past each other, because they queue at the row.
 */

const ms = (milliseconds: number) => sql`${milliseconds} * interval '1 millisecond'`;

/** Counts an attempt. Null: go on; a number: refused, and try again after so many milliseconds. */
export async function countAttempt(
  db: Db,
  key: string,
  { limit, windowMs }: { limit: number; windowMs: number },
): Promise<number | null> {
  const { rows } = await sql<{ counted: boolean; wait: number }>`
    insert into watchfloor.sign_in_attempt as a (key, attempts) values (${key}, array[now()])
    on conflict (key) do update set attempts = (
      select case when known < ${limit} then array_append(kept, now()) else kept end
      from (select array_agg(at order by at) as kept, count(at) as known
        from unnest(a.attempts) at where at > now() - ${ms(windowMs)}) recent)
    returning attempts[cardinality(attempts)] = now() as counted,
      ceil(extract(epoch from attempts[1] + ${ms(windowMs)} - now()) * 1000)::float8 as wait
  `.execute(db);
  const row = rows[0];
  return row?.counted ? null : Math.max(row?.wait ?? 0, 1);
}

/** The attempt was right: forget the newest of the key. */
export async function takeBackAttempt(db: Db, key: string): Promise<void> {
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
