import { sql } from "kysely";
import type { Json } from "../../../shared/filter/filter.ts";
import { userColours } from "../../../shared/model/palette.ts";
import type { Db } from "../database.ts";
import type { RowOf } from "../platform-tables.ts";
import { execute, exists, firstOf, folded, hold, rowOf, wrote } from "../statement.ts";
import { revokeApiTokensOf } from "./api-tokens.ts";

/**
 * Table watchfloor."user". An email is unique whatever its case. Once there was an active owner there always
 * is one, also when two owners remove each other at the same moment.
 */

export const userColumns = [
  ...(["id", "email", "name", "colour", "role", "attributes", "status"] as const),
  ...(["last_seen", "created_at", "role_provider"] as const),
] as const;
export type UserRow = RowOf<"watchfloor.user", (typeof userColumns)[number]>;

export type NewUser = Omit<UserRow, "colour" | "last_seen" | "created_at" | "role_provider"> & {
  passwordHash: string | null;
  role_provider?: string | null;
};

type UserChanges = Partial<
  Pick<UserRow, "name" | "colour" | "role" | "status"> & {
    /** Merged key by key; `null` removes the attribute. */
    attributes: Record<string, Json>;
  }
>;

const users = (db: Db) => db.selectFrom("watchfloor.user").select(userColumns);

/** By name. */
export function listUsers(db: Db): Promise<UserRow[]> {
  return users(db).orderBy(folded("name")).orderBy("id").execute();
}

/** Null if there is no user with this id. */
export function findUser(db: Db, id: string): Promise<UserRow | null> {
  return firstOf(users(db).where("id", "=", id));
}

/**
 * The user, locked until the transaction ends. All owners are locked with them, in one order, so that the
 * last owner can't change meanwhile and there is no deadlock.
 */
export async function lockUser(db: Db, id: string): Promise<UserRow | null> {
  const withOwners = users(db).where((eb) => eb.or({ id, role: "owner" }));
  const rows = await withOwners.orderBy("id").forUpdate().execute();
  return rows.find((row) => row.id === id) ?? null;
}

/** The user of a sign-in, with the hash of the password. */
export function findUserByEmail(
  db: Db,
  email: string,
): Promise<RowOf<"watchfloor.user", keyof UserRow | "password_hash"> | null> {
  const isEmail = sql<boolean>`lower(email) = lower(${email})`;
  return firstOf(users(db).select("password_hash").where(isEmail));
}

/** Whether there is any user. */
export async function anyUser(db: Db): Promise<boolean> {
  return exists(db.selectFrom("watchfloor.user").select("id").limit(1));
}

/** Coprime to the length of the list, so that colours given one after the other are unlike. */
const PALETTE_STEP = 5;

/** The least used colour; of several the first one by steps through the list. */
const leastUsedColour = sql<string>`(
  select shade.name from unnest(${userColours}::text[]) with ordinality as shade (name, place)
  left join watchfloor."user" u on u.colour = shade.name
  group by shade.name, shade.place order by count(u.id), shade.place * ${PALETTE_STEP} % ${userColours.length} limit 1)`;

/** Gives the user the least used colour. In a transaction, concurrent inserts wait for its end and count this user. Null if the email is taken. */
export async function insertUser(
  db: Db,
  { passwordHash, attributes, ...user }: NewUser,
): Promise<UserRow | null> {
  await hold(db, "user.colour");
  const stored = {
    ...user,
    colour: leastUsedColour,
    attributes: JSON.stringify(attributes),
    password_hash: passwordHash,
  };
  const insert = db.insertInto("watchfloor.user").values(stored).returning(userColumns);
  return firstOf(insert.onConflict((conflict) => conflict.doNothing()));
}

/** Null if there is a user already: only the very first user is created this way. */
export async function insertFirstUser(db: Db, user: NewUser): Promise<UserRow | null> {
  return db.transaction().execute(async (tx) => {
    await execute(tx)`lock table watchfloor."user" in share row exclusive mode`;
    return (await anyUser(tx)) ? null : insertUser(tx, user);
  });
}

/** An enabled user who never chose a password, nor signed in by a provider, is invited again. */
export function updateUser(db: Db, id: string, set: UserChanges): Promise<UserRow | null> {
  const entries = Object.entries(set.attributes ?? {});
  const attributes = JSON.stringify(Object.fromEntries(entries));
  const removed = entries.filter(([, value]) => value === null).map(([key]) => key);
  const enabled = sql<UserRow["status"]>`case when password_hash is null and not exists (
      select from watchfloor.linked_account l where l.user_id = "user".id) then 'invited' else 'active' end`;
  const changes = {
    name: set.name,
    colour: set.colour,
    role: set.role,
    status: set.status === "active" ? enabled : set.status,
    attributes: sql<string>`(attributes || ${attributes}::jsonb) - ${removed}::text[]`,
  };
  const user = db.updateTable("watchfloor.user").where("id", "=", id);
  return firstOf(user.set(changes).returning(userColumns));
}

/**
 * With their sessions, factors and links, and their personal views; shared views stay. Their API tokens are revoked.
 * False if there is no user with this id.
 */
export async function deleteUser(db: Db, id: string): Promise<boolean> {
  const views = db.deleteFrom("watchfloor.view").where("owner", "=", id);
  await views.where("shared", "=", false).execute();
  await revokeApiTokensOf(db, id);
  return wrote(db.deleteFrom("watchfloor.user").where("id", "=", id));
}

/** Replaces the given hash, if there is one; false if the user has another by now. */
export function setPassword(
  db: Db,
  id: string,
  passwordHash: string,
  former: string | null = null,
): Promise<boolean> {
  const user = db.updateTable("watchfloor.user").set({ password_hash: passwordHash });
  return wrote(user.where("id", "=", id).where(hasPassword(former)));
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
  const active = tx.selectFrom("watchfloor.user").select("id").where("status", "=", "active");
  const held = active.where("id", "=", id).where(hasPassword(proved)).forNoKeyUpdate();
  return exists(held);
}

const hasPassword = (hash: string | null) =>
  sql<boolean>`(${hash}::text is null or password_hash = ${hash}::text)`;

/** The email as the database compares it: it folds more letters than scripts do. */
export async function foldEmail(db: Db, email: string): Promise<string> {
  const row = await rowOf<{ folded: string }>(db)`
    select lower(${email.trim()}::text) as folded`;
  return row?.folded as string;
}

/** Whether the installation can do without this user: true unless it is the only active owner. Locks owners. */
export async function hasOtherOwner(db: Db, id: string): Promise<boolean> {
  const owners = db
    .selectFrom("watchfloor.user")
    .select("id")
    .where("role", "=", "owner")
    .where("status", "=", "active")
    .where("password_hash", "is not", null);
  const rows = await owners.orderBy("id").forUpdate().execute();
  return rows.some((owner) => owner.id !== id);
}
