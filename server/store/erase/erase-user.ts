import { sql } from "kysely";
import { renewEpochs } from "../capture.ts";
import type { Db } from "../database.ts";
import { identifier } from "../identifiers.ts";
import { execute, rowsOf, rowsWritten } from "../statement.ts";
import { findPolicy } from "../users/identity-providers.ts";
import { insertSecurityEvent } from "../users/security-events.ts";
import { findUserByEmail, hasOtherOwner, lockUser } from "../users/users.ts";
import { EraseError } from "./erase-error.ts";
import { type Counts, type Erasure, scrubCopies } from "./scrub-stored.ts";
import { ERASED, Scrubber } from "./scrubber.ts";

/**
 * Erases who a user is: the account keeps its id, so that history still says that one user made these
 * changes, but not who. Their comments are emptied. Records about somebody are erased by their fields
 * (erase-values.ts).
 */
export async function eraseUser(tx: Db, email: string): Promise<Erasure> {
  const found = await findUserByEmail(tx, email);
  const user = found && (await lockUser(tx, found.id));
  if (!user) throw new EraseError(`There is no user with the address ${email}.`);
  if (user.role === "owner" && !(await hasOtherOwner(tx, user.id))) {
    throw new EraseError("This is the only active owner. Add another one first.");
  }
  const policy = (await findPolicy(tx)) as { breakGlass?: unknown } | null;
  if (policy?.breakGlass === user.id) {
    throw new EraseError("This is the break-glass owner. Choose another one under Sign-in first.");
  }
  const counts: Counts = { users: 1, ...(await deleteOwn(tx, user.id)) };
  await execute(
    tx,
  )`update watchfloor."user" set email = ${`erased-${user.id}@invalid`}, name = ${ERASED},
      attributes = '{}', status = 'disabled', password_hash = null, last_seen = null
    where id = ${user.id}`;
  await execute(
    tx,
  )`update watchfloor.api_token set name = ${ERASED}, revoked_at = coalesce(revoked_at, now())
    where created_by = ${user.id}`;
  const comments = await execute(
    tx,
  )`update watchfloor.comment set text = ${ERASED}, mentions = '{}',
      changed_at = now()
    where author = ${`user:${user.id}`}
      or author in (select 'token:' || id from (${tokensOf(user.id)}) t)`;
  const events = await eraseEvents(tx, user.id);
  const scrubber = new Scrubber([user.email, user.name]);
  const copies = await scrubCopies(tx, scrubber);
  await forgetAuthor(tx, user.id);
  await insertSecurityEvent(tx, { kind: "user_erased", subject: user.id });
  const add = (name: string, more: number) => {
    counts[name] = (counts[name] ?? 0) + more;
  };
  for (const [name, count] of Object.entries(copies)) add(name, count);
  add("comments", comments);
  add("security events", events);
  return { counts, hasShort: scrubber.hasShort };
}

/** The user's API tokens, which comment and are named in security events too. */
const tokensOf = (id: string) => sql`select id from watchfloor.api_token where created_by = ${id}`;

/** Sessions, factors, links, read marks and whatever else is a user's own, and their personal views. */
async function deleteOwn(tx: Db, id: string): Promise<Counts> {
  const rows = await rowsOf<{ name: string }>(tx)`select table_name as name
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'watchfloor' and column_name = 'user_id' and table_type = 'BASE TABLE'
    order by 1`;
  const counts: Counts = {};
  for (const { name } of rows) {
    const gone = await execute(
      tx,
    )`delete from ${identifier("watchfloor", name)} where user_id = ${id}`;
    if (gone > 0) counts[name.replaceAll("_", " ")] = gone;
  }
  const personal = tx.deleteFrom("watchfloor.view").where("shared", "=", false);
  const views = await rowsWritten(personal.where("owner", "=", id));
  return { ...counts, "personal views": views };
}

/** What happened and when stays; who it was, and from where, does not. */
function eraseEvents(tx: Db, id: string): Promise<number> {
  return execute(tx)`update watchfloor.security_event set
      actor_name = case when actor = ${id} then ${ERASED} else actor_name end,
      subject_name = case when subject = ${id} or subject in (${tokensOf(id)}) then ${ERASED}
        else subject_name end,
      ip = case when actor = ${id} or actor is null then null else ip end,
      user_agent = case when actor = ${id} or actor is null then null else user_agent end
    where actor = ${id} or subject = ${id} or subject in (${tokensOf(id)})`;
}

/**
 * Servers hold recent changes together with the names of their authors, of whom the user's tokens are some: they read those
 * feeds anew.
 */
async function forgetAuthor(tx: Db, id: string): Promise<void> {
  const feeds = await rowsOf<{ id: number }>(tx)`
    with author as (
      select ${`user:${id}`} as name union all select 'token:' || t.id from (${tokensOf(id)}) t)
    select f.id from watchfloor.feed f where f.table_name is not null and exists (
      select from watchfloor.change c
      where c.feed = f.id and c.actor in (select name from author))`;
  await renewEpochs(tx, feeds);
}
