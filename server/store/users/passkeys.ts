import { sql } from "kysely";
import type { Db } from "../database.ts";

/**
 * Tables watchfloor.passkey and watchfloor.passkey_challenge. Keys are public ones; a challenge is valid
 * once.
 */

export interface PasskeyRow {
  id: string;
  user_id: string;
  name: string;
  /** The host that it was made for: it is valid on no other. */
  site: string;
  public_key: string;
  counter: number;
  transports: string[];
  created_at: string;
  last_used: string | null;
}

const columns = sql.raw(
  "id, user_id, name, site, public_key, counter::float8 as counter, transports, created_at, last_used",
);
const ms = (milliseconds: number) => sql`${milliseconds} * interval '1 millisecond'`;

/** Of a user, the oldest first. */
export async function listPasskeys(db: Db, user: string): Promise<PasskeyRow[]> {
  const { rows } = await sql<PasskeyRow>`
    select ${columns} from watchfloor.passkey where user_id = ${user} order by created_at`.execute(
    db,
  );
  return rows;
}

/** Whichever user has it. */
export async function findPasskey(db: Db, id: string): Promise<PasskeyRow | null> {
  const { rows } = await sql<PasskeyRow>`
    select ${columns} from watchfloor.passkey where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Null if the passkey is known already. */
export async function insertPasskey(
  db: Db,
  key: Omit<PasskeyRow, "created_at" | "last_used">,
): Promise<PasskeyRow | null> {
  const { rows } = await sql<PasskeyRow>`
    insert into watchfloor.passkey (id, user_id, name, site, public_key, counter, transports)
    values (${key.id}, ${key.user_id}, ${key.name}, ${key.site}, ${key.public_key}, ${key.counter},
      ${JSON.stringify(key.transports)}::jsonb)
    on conflict do nothing returning ${columns}`.execute(db);
  return rows[0] ?? null;
}

/** Records a use; false if the key is gone, or its counter has advanced meanwhile: a copy of it. */
export async function notePasskeyUse(db: Db, id: string, counter: number): Promise<boolean> {
  const { rows } = await sql`
    update watchfloor.passkey set counter = ${counter}, last_used = now()
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))
    returning id`.execute(db);
  return rows.length === 1;
}

/** The name that it had; null if the user has no such passkey. */
export async function deletePasskey(db: Db, user: string, id: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`delete from watchfloor.passkey
    where user_id = ${user} and id = ${id} returning name`.execute(db);
  return rows[0]?.name ?? null;
}

/** All of a user; returns how many. */
export async function deletePasskeysOf(db: Db, user: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from watchfloor.passkey where user_id = ${user}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** `user` is null for a challenge of a sign-in, before the user is known. */
export async function insertChallenge(db: Db, id: string, user: string | null): Promise<void> {
  await sql`insert into watchfloor.passkey_challenge (id, user_id)
    values (${id}, ${user})`.execute(db);
}

/** Uses up the challenge; false if it was used, has expired, was another's or never existed. */
export async function claimChallenge(
  db: Db,
  id: string,
  { user, maxAgeMs }: { user: string | null; maxAgeMs: number },
): Promise<boolean> {
  const { rows } = await sql`delete from watchfloor.passkey_challenge
    where id = ${id} and user_id is not distinct from ${user}
      and created_at > now() - ${ms(maxAgeMs)} returning id`.execute(db);
  return rows.length === 1;
}

/** Housekeeping: expired challenges are refused anyhow. */
export async function deleteOldChallenges(db: Db, maxAgeMs: number): Promise<void> {
  await sql`delete from watchfloor.passkey_challenge
    where created_at < now() - ${ms(maxAgeMs)}`.execute(db);
}
