import { sql } from "kysely";
import type { Db } from "../database.ts";
import { firstOf, rowOf } from "../statement.ts";
import type { WrittenBackup } from "./write-backup.ts";

/** The last scheduled backup: of all servers, the one that claims the next writes it. */

export interface ScheduledBackup {
  /** Seconds since 1970; null if none has succeeded. */
  succeededAt: number | null;
  seconds: number | null;
  bytes: number | null;
  failed: boolean;
}

/**
 * Claims the next backup if it is to be made now: the last one is older than `intervalMs`, or failed or was given up
 * longer than `retryMs` ago; else null. An attempt at least that far in the future was recorded before the clock was set
 * back, and does not delay the next one. Before the set-up there is nothing to back up; its last step is the first user.
 */
export async function claimBackup(
  db: Db,
  intervalMs: number,
  retryMs: number,
): Promise<string | null> {
  const claimed = await rowOf<{ claim: string }>(db)`
    insert into watchfloor.scheduled_backup as b (attempted_at)
    select now() where exists (select from watchfloor."user")
    on conflict (sole) do update set attempted_at = now(), ended_at = null
    where abs(extract(epoch from now() - b.attempted_at)) * 1000 >= case
      when b.ended_at is not null and b.error is null then ${intervalMs}::bigint else ${retryMs}::bigint end
    returning attempted_at::text as claim`;
  return claimed?.claim ?? null;
}

/** Nothing is recorded of a backup that another server has claimed anew. */
export async function recordSuccess(
  db: Db,
  claim: string,
  file: string,
  { bytes }: WrittenBackup,
): Promise<void> {
  const seconds = sql<number>`extract(epoch from clock_timestamp() - attempted_at)`;
  await claimed(db, claim)
    .set(({ ref }) => ({ succeeded_at: ref("attempted_at"), seconds, bytes, file }))
    .set({ ended_at: clock, error: null })
    .execute();
}

export async function recordFailure(db: Db, claim: string, error: string): Promise<void> {
  await claimed(db, claim).set({ ended_at: clock, error }).execute();
}

const clock = sql<string>`clock_timestamp()`;
const claimed = (db: Db, claim: string) =>
  db.updateTable("watchfloor.scheduled_backup").where("attempted_at", "=", claim);

/** Null before the first attempt. */
export function readScheduledBackup(db: Db): Promise<ScheduledBackup | null> {
  const succeededAt = sql<number | null>`extract(epoch from succeeded_at)::float8`;
  const failed = sql<boolean>`error is not null`.as("failed");
  const backup = db.selectFrom("watchfloor.scheduled_backup").select(["seconds", "bytes"]);
  return firstOf(backup.select([succeededAt.as("succeededAt"), failed]));
}
