import type { Db } from "../database.ts";
import { ago, now, wrote } from "../statement.ts";

/**
 * Table watchfloor.known_device: browsers from which a user has signed in before, by a hash of the browser's
 * token and the user. They grant nothing; they are only not slowed down by strangers' guesses.
 */

const DEVICES_PER_USER_MAX = 20;

/** Whether the user has signed in from the device within the time; counts as a use. */
export function touchKnownDevice(db: Db, id: string, ttlMs: number): Promise<boolean> {
  const device = db.updateTable("watchfloor.known_device").where("id", "=", id);
  return wrote(device.set({ last_used: now }).where("last_used", ">", ago(ttlMs)));
}

/** Adds a device; beyond a limit the longest unused are deleted. */
export async function insertKnownDevice(db: Db, id: string, user: string): Promise<void> {
  await db.insertInto("watchfloor.known_device").values({ id, user_id: user }).execute();
  const ofUser = db.selectFrom("watchfloor.known_device").select("id").where("user_id", "=", user);
  const surplus = ofUser.orderBy("last_used", "desc").offset(DEVICES_PER_USER_MAX);
  await db.deleteFrom("watchfloor.known_device").where("id", "in", surplus).execute();
}

/** A new password makes all of a user's devices unknown again. */
export async function deleteKnownDevices(db: Db, user: string): Promise<void> {
  await db.deleteFrom("watchfloor.known_device").where("user_id", "=", user).execute();
}

/** Housekeeping. */
export async function deleteOldKnownDevices(db: Db, ttlMs: number): Promise<void> {
  await db.deleteFrom("watchfloor.known_device").where("last_used", "<", ago(ttlMs)).execute();
}
