import { sql } from "kysely";
import type { Db } from "../database.ts";

/**
 * Table watchfloor.known_device: browsers from which a user has signed in before, by a hash of the browser's
 * token and the user. They grant nothing; they are only not slowed down by strangers' guesses.
 */

const DEVICES_PER_USER_MAX = 20;

/** Whether the user has signed in from the device within the time; counts as a use. */
export async function touchKnownDevice(db: Db, id: string, ttlMs: number): Promise<boolean> {
  const { rows } = await sql`update watchfloor.known_device set last_used = now()
    where id = ${id} and last_used > now() - ${ttlMs} * interval '1 millisecond'
    returning id`.execute(db);
  return rows.length === 1;
}

/** Adds a device; beyond a limit the longest unused are deleted. */
export async function insertKnownDevice(db: Db, id: string, user: string): Promise<void> {
  await sql`insert into watchfloor.known_device (id, user_id) values (${id}, ${user})`.execute(db);
  await sql`delete from watchfloor.known_device where id in (
    select id from watchfloor.known_device where user_id = ${user}
    order by last_used desc offset ${DEVICES_PER_USER_MAX})`.execute(db);
}

/** A new password makes all of a user's devices unknown again. */
export async function deleteKnownDevices(db: Db, user: string): Promise<void> {
  await sql`delete from watchfloor.known_device where user_id = ${user}`.execute(db);
}

/** Housekeeping. */
export async function deleteOldKnownDevices(db: Db, ttlMs: number): Promise<void> {
  await sql`delete from watchfloor.known_device
    where last_used < now() - ${ttlMs} * interval '1 millisecond'`.execute(db);
}
