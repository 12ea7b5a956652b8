import { sql } from "kysely";
import { renewEpochs } from "../capture.ts";
import type { Db } from "../database.ts";
import { insertSecurityEvent } from "../users/security-events.ts";
import { findUserByEmail, hasOtherOwner, lockUser } from "../users/users.ts";
import { EraseError } from "./erase-error.ts";
import { type Counts, scrubCopies } from "./scrub-stored.ts";
import { ERASED, Scrubber } from "./scrubber.ts";

/**
 * Erases who a user is: the account keeps its id, so that history still says that one user made these
 * changes, but not who. Their comments are emptied. Records about somebody are erased by their fields
 * (erase-values.ts).
 */
export async function eraseUser(tx: Db, email: string): Promise<Counts> {
  const found = await findUserByEmail(tx, email);
  const user = found && (await lockUser(tx, found.id));
  if (!user) throw new EraseError(`There is no user with the address ${email}.`);
  if (user.role === "owner" && !(await hasOtherOwner(tx, user.id))) {
    throw new EraseError("This is the only active owner. Add another one first.");
  }
  const counts: Counts = { users: 1, ...(await deleteOwn(tx, user.id)) };
  await sql`update watchfloor."user" set email = ${`erased-${user.id}@invalid`}, name = ${ERASED},
      attributes = '{}', status = 'disabled', password_hash = null, last_seen = null
    where id = ${user.id}`.execute(tx);
  await sql`update watchfloor.api_token set name = ${ERASED}, revoked_at = coalesce(revoked_at, now())
    where created_by = ${user.id}`.execute(tx);
  const comments = await sql`update watchfloor.comment set text = ${ERASED}, mentions = '{}',
      changed_at = now()
    where author = ${`user:${user.id}`}
      or author in (select 'token:' || id from (${tokensOf(user.id)}) t)`.execute(tx);
  const events = await eraseEvents(tx, user.id);
  const copies = await scrubCopies(tx, new Scrubber([user.email, user.name]));
  await forgetAuthor(tx, user.id);
  await insertSecurityEvent(tx, {
    kind: "user_erased",
    actor: null,
    subject: user.id,
    ip: null,
    userAgent: null,
    detail: {},
  });
  const add = (name: string, more: bigint | number | undefined) => {
    counts[name] = (counts[name] ?? 0) + Number(more ?? 0);
  };
  for (const [name, count] of Object.entries(copies)) add(name, count);
  add("comments", comments.numAffectedRows);
  add("security events", events);
  return counts;
}

/** The user's API tokens, which comment and are named in security events too. */
const tokensOf = (id: string) => sql`select id from watchfloor.api_token where created_by = ${id}`;

/** Sessions, factors, links, read marks and whatever else is a user's own, and their personal views. */
async function deleteOwn(tx: Db, id: string): Promise<Counts> {
  const { rows } = await sql<{ name: string }>`select table_name as name
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'watchfloor' and column_name = 'user_id' and table_type = 'BASE TABLE'
    order by 1`.execute(tx);
  const counts: Counts = {};
  for (const { name } of rows) {
    const gone = await sql`delete from ${sql.id("watchfloor", name)} where user_id = ${id}`.execute(
      tx,
    );
    if (gone.numAffectedRows) counts[name.replaceAll("_", " ")] = Number(gone.numAffectedRows);
  }
  const views = await sql`delete from watchfloor.view where owner = ${id} and not shared`.execute(
    tx,
  );
  return { ...counts, "personal views": Number(views.numAffectedRows ?? 0) };
}

/** What happened and when stays; who it was, and from where, does not. */
async function eraseEvents(tx: Db, id: string): Promise<number> {
  const { numAffectedRows } = await sql`update watchfloor.security_event set
      actor_name = case when actor = ${id} then ${ERASED} else actor_name end,
      subject_name = case when subject = ${id} or subject in (${tokensOf(id)}) then ${ERASED}
        else subject_name end,
      ip = case when actor = ${id} or actor is null then null else ip end,
      user_agent = case when actor = ${id} or actor is null then null else user_agent end
    where actor = ${id} or subject = ${id} or subject in (${tokensOf(id)})`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/**
 * Servers hold recent changes together with the names of their authors, of whom the user's tokens are some: they read those
 * feeds anew.
 */
async function forgetAuthor(tx: Db, id: string): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    with author as (
      select ${`user:${id}`} as name union all select 'token:' || t.id from (${tokensOf(id)}) t)
    select f.id from watchfloor.feed f where f.table_name is not null and exists (
      select from watchfloor.change c
      where c.feed = f.id and c.actor in (select name from author))`.execute(tx);
  await renewEpochs(
    tx,
    rows.map((feed) => feed.id),
  );
}
