import { sql } from "kysely";
import type { Json } from "../../../shared/filter/filter.ts";
import type { Db } from "../database.ts";
import { revokeApiTokensOf } from "./api-tokens.ts";

/**
 * Table watchfloor."user". An email is unique whatever its case. Once there was an active owner there always
 * is one, also when two owners remove each other at the same moment.
 */

type UserStatus = "invited" | "active" | "disabled";

export interface UserRow {
  id: string;
  email: string;
  name: string;
  colour: string;
  role: string;
  attributes: Record<string, Json>;
  status: UserStatus;
  last_seen: string | null;
  created_at: string;
}

export interface NewUser {
  id: string;
  email: string;
  name: string;
  colour: string;
  role: string;
  attributes: Record<string, Json>;
  status: UserStatus;
  passwordHash: string | null;
}

export type UserChanges = Partial<
  Pick<UserRow, "name" | "colour" | "role" | "status"> & {
    /** Merged key by key; `null` removes the attribute. */
    attributes: Record<string, Json>;
  }
>;

const columns = sql.raw("id, email, name, colour, role, attributes, status, last_seen, created_at");

/** By name. */
export async function listUsers(db: Db): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select ${columns} from watchfloor."user" order by lower(name), id`.execute(db);
  return rows;
}

/** Null if there is no user with this id. */
export async function findUser(db: Db, id: string): Promise<UserRow | null> {
  const { rows } = await sql<UserRow>`
    select ${columns} from watchfloor."user" where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/**
 * The user, locked until the transaction ends. All owners are locked with them, in one order, so that the
 * last owner can't change meanwhile and there is no deadlock.
 */
export async function lockUser(db: Db, id: string): Promise<UserRow | null> {
  const { rows } = await sql<UserRow>`
    select ${columns} from watchfloor."user" where id = ${id} or role = 'owner'
    order by id for update`.execute(db);
  return rows.find((row) => row.id === id) ?? null;
}

/** By id: a text that differs whenever anything about a user differs, except when they were last here. */
export async function fingerprintUsers(db: Db): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; print: string }>`
    select id, md5((email, name, colour, role, attributes, status)::text) as print
    from watchfloor."user"`.execute(db);
  return new Map(rows.map(({ id, print }) => [id, print]));
}

/** The user of a sign-in, with the hash of the password. */
export async function findUserByEmail(
  db: Db,
  email: string,
): Promise<(UserRow & { password_hash: string | null }) | null> {
  const { rows } = await sql<UserRow & { password_hash: string | null }>`
    select ${columns}, password_hash from watchfloor."user"
    where lower(email) = lower(${email})`.execute(db);
  return rows[0] ?? null;
}

/** Whether there is any user. */
export async function anyUser(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from watchfloor."user" limit 1`.execute(db);
  return rows.length > 0;
}

/** Null if the email is taken. */
export async function insertUser(db: Db, user: NewUser): Promise<UserRow | null> {
  const { rows } = await sql<UserRow>`
    insert into watchfloor."user"
      (id, email, name, colour, role, attributes, status, password_hash)
    values (${user.id}, ${user.email}, ${user.name}, ${user.colour}, ${user.role},
      ${JSON.stringify(user.attributes)}::jsonb, ${user.status}, ${user.passwordHash})
    on conflict do nothing returning ${columns}`.execute(db);
  return rows[0] ?? null;
}

/** Null if there is a user already: only the very first user is created this way. */
export async function insertFirstUser(db: Db, user: NewUser): Promise<UserRow | null> {
  return db.transaction().execute(async (tx) => {
    await sql`lock table watchfloor."user" in share row exclusive mode`.execute(tx);
    return (await anyUser(tx)) ? null : insertUser(tx, user);
  });
}

/** An enabled user who never chose a password is invited again. */
export async function updateUser(db: Db, id: string, set: UserChanges): Promise<UserRow | null> {
  const entries = Object.entries(set.attributes ?? {});
  const attributes = JSON.stringify(Object.fromEntries(entries));
  const removed = entries.filter(([, value]) => value === null).map(([key]) => key);
  const { rows } = await sql<UserRow>`
    update watchfloor."user" set
      name = coalesce(${set.name ?? null}, name),
      colour = coalesce(${set.colour ?? null}, colour),
      role = coalesce(${set.role ?? null}, role),
      status = case when ${set.status ?? null} = 'active' and password_hash is null then 'invited'
        else coalesce(${set.status ?? null}, status) end,
      attributes = (attributes || ${attributes}::jsonb) - ${removed}::text[]
    where id = ${id} returning ${columns}`.execute(db);
  return rows[0] ?? null;
}

/**
 * With their sessions, factors and links, and their personal views; shared views stay. Their API tokens are revoked.
 * False if there is no user with this id.
 */
export async function deleteUser(db: Db, id: string): Promise<boolean> {
  await sql`delete from watchfloor.view where owner = ${id} and not shared`.execute(db);
  await revokeApiTokensOf(db, id);
  const { numAffectedRows } = await sql`
    delete from watchfloor."user" where id = ${id}`.execute(db);
  return numAffectedRows === 1n;
}

/** Replaces the given hash, if there is one; false if the user has another by now. */
export async function setPassword(
  db: Db,
  id: string,
  passwordHash: string,
  former: string | null = null,
): Promise<boolean> {
  const { numAffectedRows } = await sql`update watchfloor."user"
    set password_hash = ${passwordHash}
    where id = ${id} and ${hasPassword(former)}`.execute(db);
  return numAffectedRows === 1n;
}

/**
 * Whether the user is active, and has the proved password if one is given. Locked until the transaction ends:
 * a change of password, role or status waits, or is visible here. Everything that writes proofs of a user
 * takes this lock first, so that there is no deadlock.
 */
export async function holdActive(
  tx: Db,
  id: string,
  proved: string | null = null,
): Promise<boolean> {
  const { rows } = await sql`select 1 from watchfloor."user"
    where id = ${id} and status = 'active' and ${hasPassword(proved)}
    for no key update`.execute(tx);
  return rows.length === 1;
}

const hasPassword = (hash: string | null) =>
  sql`(${hash}::text is null or password_hash = ${hash}::text)`;

/** The email as the database compares it: it folds more letters than scripts do. */
export async function foldEmail(db: Db, email: string): Promise<string> {
  const { rows } = await sql<{ folded: string }>`
    select lower(${email.trim()}::text) as folded`.execute(db);
  return rows[0]?.folded as string;
}

/** Whether the installation can do without this user: true unless it is the only active owner. Locks owners. */
export async function hasOtherOwner(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from watchfloor."user"
    where role = 'owner' and status = 'active' and password_hash is not null
    order by id for update`.execute(db);
  return rows.some((owner) => owner.id !== id);
}
