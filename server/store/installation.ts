import type { Database } from "./database.ts";
import { pollEvery } from "./poll-every.ts";
import { rowOf } from "./statement.ts";

/** What all servers of one installation share, and no other has. */
interface Installation {
  id: string;
  /** Encrypts messages between servers, and signs the start of sessions' replays; 256 bits. */
  busKey: Buffer;
}

export async function readInstallation({ kysely }: Database): Promise<Installation> {
  const row = await rowOf<{ id: string; bus_key: string }>(kysely)`
    select id, bus_key from watchfloor.installation`;
  if (!row) throw new Error("The installation has no id.");
  return { id: row.id, busKey: Buffer.from(row.bus_key, "hex") };
}

/** Proves that a change goes through, all the way to the disk. Throws otherwise. It changes no value, and waits for no edit. */
export async function proveWrite({ pool }: Database): Promise<void> {
  await pool.query("update watchfloor.installation set id = id");
}

const CLOCK_CHECK_MS = 60_000;

/**
 * Milliseconds by the database's clock, the same on all servers. It is read again from time to time, so that
 * a server whose own clock is wrong, adjusted or drifting stays in step.
 */
export async function followClock(database: Database): Promise<{ now(): number; stop(): void }> {
  let ahead = await measure(database);
  const stop = pollEvery(CLOCK_CHECK_MS, async () => {
    // away: the last measurement is still the best estimate
    ahead = await measure(database);
  });
  return { now: () => performance.now() + ahead, stop };
}

/** The offset of the database's clock from this process' monotonic one, to half a round trip. */
async function measure({ kysely }: Database): Promise<number> {
  const began = performance.now();
  const row = await rowOf<{ now: number }>(kysely)`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`;
  return Number(row?.now) - (began + performance.now()) / 2;
}
