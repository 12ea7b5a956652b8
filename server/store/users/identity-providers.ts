import { sql } from "kysely";
import type { ErrorBody } from "../../../shared/protocol/errors.ts";
import type { Db } from "../database.ts";
import type { RowOf } from "../platform-tables.ts";
import { ago, exists, firstOf, now, rowsOf, wrote } from "../statement.ts";

/**
 * Tables watchfloor.identity_provider, linked_account, provider_visit and logout_token: the providers of company accounts, which
 * accounts belong to which user, the browsers on their way to a provider and back, and the orders of providers that were obeyed.
 */

export type ProviderRow = RowOf<"watchfloor.identity_provider"> & {
  /** How many users have linked an account of it. */
  users: number;
};
export type NewProvider = Omit<ProviderRow, "created_at" | "users">;
export type VisitRow = RowOf<"watchfloor.provider_visit">;

const providers = (db: Db) =>
  db
    .selectFrom("watchfloor.identity_provider as p")
    .selectAll("p")
    .select(
      sql<number>`(select count(distinct l.user_id)::int from watchfloor.linked_account l
        where l.issuer = p.issuer)`.as("users"),
    );

/** By name. */
export function listProviders(db: Db): Promise<ProviderRow[]> {
  return providers(db).orderBy(sql`lower(p.name)`).orderBy("p.id").execute();
}

export function findProvider(db: Db, id: string): Promise<ProviderRow | null> {
  return firstOf(providers(db).where("p.id", "=", id));
}

/** The same, locked until the transaction ends. */
export function lockProvider(tx: Db, id: string): Promise<ProviderRow | null> {
  return firstOf(providers(tx).where("p.id", "=", id).forUpdate("p"));
}

/** False if the id is taken. */
export function insertProvider(db: Db, row: NewProvider): Promise<boolean> {
  const stored = { ...row, options: JSON.stringify(row.options) };
  const insert = db.insertInto("watchfloor.identity_provider").values(stored);
  return wrote(insert.onConflict((conflict) => conflict.doNothing()));
}

export function updateProvider(
  db: Db,
  id: string,
  { options, ...set }: Partial<Omit<NewProvider, "id">>,
): Promise<boolean> {
  const changes = { ...set, ...(options && { options: JSON.stringify(options) }) };
  const row = db.updateTable("watchfloor.identity_provider").where("id", "=", id);
  return wrote(row.set(changes));
}

/** With the notes on whose groups decide a role: from now on it is changed by hand. */
export async function deleteProvider(db: Db, id: string): Promise<boolean> {
  await releaseRoles(db, id);
  return wrote(db.deleteFrom("watchfloor.identity_provider").where("id", "=", id));
}

/** The provider's groups decide no role any more. */
export async function releaseRoles(db: Db, provider: string): Promise<void> {
  const users = db.updateTable("watchfloor.user").set({ role_provider: null });
  await users.where("role_provider", "=", provider).execute();
}

/** What the groups of a provider have made of a user. */
export async function setGroupRole(
  tx: Db,
  user: string,
  role: string,
  provider: string | null,
): Promise<void> {
  const row = tx.updateTable("watchfloor.user").where("id", "=", user);
  await row.set({ role, role_provider: provider }).execute();
}

/** The user who has linked this account of a provider; null if nobody has. */
export async function findLinkedUser(
  db: Db,
  account: { issuer: string; subject: string },
): Promise<string | null> {
  const link = db.selectFrom("watchfloor.linked_account").select("user_id");
  const { issuer, subject } = account;
  return (
    (await firstOf(link.where("issuer", "=", issuer).where("subject", "=", subject)))?.user_id ??
    null
  );
}

/** False if a user has linked it already. */
export function insertLinkedAccount(
  db: Db,
  account: { issuer: string; subject: string; user_id: string; provider: string },
): Promise<boolean> {
  const insert = db.insertInto("watchfloor.linked_account").values(account);
  return wrote(insert.onConflict((conflict) => conflict.doNothing()));
}

/**
 * Gives a user the email that their account has now: not one who has a password or another account, and none that another user has. False:
 * they keep theirs.
 */
export function followEmail(tx: Db, user: string, email: string): Promise<boolean> {
  const row = tx.updateTable("watchfloor.user").set({ email }).where("id", "=", user);
  const others = tx
    .selectFrom("watchfloor.user as other")
    .where("other.id", "<>", user)
    .where(sql<boolean>`lower(other.email) = lower(${email})`);
  const links = tx.selectFrom("watchfloor.linked_account").where("user_id", "=", user);
  const mayFollow = row.where("password_hash", "is", null).where("email", "<>", email);
  return wrote(
    mayFollow.where(({ not, exists, eb }) =>
      eb.and([
        not(exists(others.select("other.id"))),
        eb(
          links.select(({ fn }) => fn.countAll<number>().as("count")),
          "=",
          1,
        ),
      ]),
    ),
  );
}

/** Records a sign-in by it. */
export async function noteLinkedUse(
  db: Db,
  { issuer, subject, provider }: { issuer: string; subject: string; provider: string },
): Promise<void> {
  const link = db.updateTable("watchfloor.linked_account").set({ last_used: now, provider });
  await link.where("issuer", "=", issuer).where("subject", "=", subject).execute();
}

/** An invited user who signs in by a provider is active from now on; false if they are not invited any more. */
export function activateInvited(tx: Db, user: string): Promise<boolean> {
  const row = tx.updateTable("watchfloor.user").set({ status: "active" });
  return wrote(row.where("id", "=", user).where("status", "=", "invited"));
}

/** The accounts that a user has linked, the oldest first. `id` names one without revealing it. */
export function listLinkedAccounts(db: Db, user: string) {
  return db
    .selectFrom("watchfloor.linked_account as l")
    .leftJoin("watchfloor.identity_provider as p", "p.id", "l.provider")
    .select([linkId, "l.provider", "p.name", "l.created_at", "l.last_used"])
    .where("l.user_id", "=", user)
    .orderBy("l.created_at")
    .execute();
}

const linkId =
  sql<string>`left(encode(sha256(convert_to(l.issuer || ' ' || l.subject, 'UTF8')), 'hex'), 16)`.as(
    "id",
  );

/** The provider of the unlinked account; null if the user has no such one. */
export async function deleteLinkedAccount(db: Db, user: string, id: string) {
  const [gone] = await rowsOf<{ provider: string }>(db)`
    delete from watchfloor.linked_account l where l.user_id = ${user}
      and left(encode(sha256(convert_to(l.issuer || ' ' || l.subject, 'UTF8')), 'hex'), 16) = ${id}
    returning l.provider`;
  return gone?.provider ?? null;
}

export async function insertVisit(
  db: Db,
  visit: Omit<VisitRow, "created_at" | "used_at" | "problem">,
): Promise<void> {
  await db
    .deleteFrom("watchfloor.provider_visit")
    .where("browser", "=", visit.browser)
    .where("used_at", "is not", null)
    .execute();
  await db.insertInto("watchfloor.provider_visit").values(visit).execute();
}

/** Uses up a visit of this browser at this provider; null if it was used, has expired or never was. */
export function claimVisit(
  db: Db,
  {
    id,
    browser,
    provider,
    maxAgeMs,
  }: { id: string; browser: string; provider: string; maxAgeMs: number },
): Promise<VisitRow | null> {
  const visit = db.updateTable("watchfloor.provider_visit").set({ used_at: now });
  const unused = visit.where("id", "=", id).where("used_at", "is", null);
  const mine = unused.where("browser", "=", browser).where("provider", "=", provider);
  return firstOf(mine.where("created_at", ">", ago(maxAgeMs)).returningAll());
}

/** Why a visit was refused, for the page that its browser comes back to. */
export async function noteProblem(db: Db, visit: string, problem: ErrorBody): Promise<void> {
  const row = db.updateTable("watchfloor.provider_visit").set({
    problem: JSON.stringify(problem),
    used_at: sql<string>`coalesce(used_at, now())`,
  });
  await row.where("id", "=", visit).execute();
}

/** Why the last visit of a browser was refused, and what it was for. */
export async function findProblem(
  db: Db,
  browser: string,
  maxAgeMs: number,
): Promise<{ problem: ErrorBody | null; purpose: string } | null> {
  const visits = db.selectFrom("watchfloor.provider_visit").select(["problem", "purpose"]);
  const mine = visits.where("browser", "=", browser).where("problem", "is not", null);
  const last = mine.where("used_at", ">", ago(maxAgeMs)).orderBy("used_at", "desc").limit(1);
  return (await firstOf(last)) ?? null;
}

/** Obeys an order to sign out once; false if it was obeyed before. */
export function claimLogoutToken(db: Db, id: string): Promise<boolean> {
  const insert = db.insertInto("watchfloor.logout_token").values({ id });
  return wrote(insert.onConflict((conflict) => conflict.doNothing()));
}

/** Housekeeping: expired visits are refused anyhow, and so are logout tokens of that age. */
export async function deleteOldVisits(db: Db, maxAgeMs: number): Promise<void> {
  await db
    .deleteFrom("watchfloor.provider_visit")
    .where("created_at", "<", ago(maxAgeMs))
    .execute();
  const tokens = db.deleteFrom("watchfloor.logout_token");
  await tokens.where("created_at", "<", ago(LOGOUT_TOKEN_KEEP_MS)).execute();
}

/** Longer than a logout token is valid. */
const LOGOUT_TOKEN_KEEP_MS = 86_400_000;
const POLICY = "sign_in_policy";

/** The stored policy of sign-ins; null if none was ever set. */
export async function findPolicy(db: Db): Promise<unknown> {
  const row = db.selectFrom("watchfloor.platform").select("value").where("key", "=", POLICY);
  return (await firstOf(row))?.value ?? null;
}

export async function storePolicy(db: Db, policy: object): Promise<void> {
  const value = JSON.stringify(policy);
  const insert = db.insertInto("watchfloor.platform").values({ key: POLICY, value });
  await insert.onConflict((conflict) => conflict.column("key").doUpdateSet({ value })).execute();
}

/** Of these roles, the active users with a password and no second factor. */
export async function usersWithoutFactor(db: Db, roles: readonly string[]): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(db)`
    select u.id from watchfloor."user" u
    where u.status = 'active' and u.password_hash is not null and u.role = any(${roles}::text[])
      and not exists (select from watchfloor.totp t where t.user_id = u.id and t.confirmed)
      and not exists (select from watchfloor.passkey k where k.user_id = u.id)`;
  return rows.map(({ id }) => id);
}

/** Whether a user has a password: an active one without it signs in by a provider only. */
export function hasPassword(db: Db, user: string): Promise<boolean> {
  const row = db.selectFrom("watchfloor.user").select("id").where("id", "=", user);
  return exists(row.where("password_hash", "is not", null));
}
