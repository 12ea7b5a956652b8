import type { Database } from "./database.ts";
import { firstOf } from "./statement.ts";

/** What all servers of one installation share, and no other has. */
interface Installation {
  id: string;
  /** Authenticates messages between servers, and signs the start of sessions' replays; 256 bits. */
  busKey: Buffer;
}

export async function readInstallation({ kysely }: Database): Promise<Installation> {
  const row = await firstOf(kysely.selectFrom("watchfloor.installation").select(["id", "bus_key"]));
  if (!row) throw new Error("The installation has no id.");
  return { id: row.id, busKey: Buffer.from(row.bus_key, "hex") };
}

/** Proves that a change goes through, all the way to the disk. Throws otherwise. It changes no value, and waits for no edit. */
export async function proveWrite({ kysely }: Database): Promise<void> {
  const installation = kysely.updateTable("watchfloor.installation");
  await installation.set(({ ref }) => ({ id: ref("id") })).execute();
}
