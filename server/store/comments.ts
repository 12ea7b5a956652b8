import { sql } from "kysely";
import type { CommentUser } from "../../shared/protocol/comments.ts";
import type { Db } from "./database.ts";

/** Tables watchfloor.comment and watchfloor.comment_read. `n` orders comments; tables are named by their ids. */

export interface CommentRow {
  id: string;
  n: number;
  table_id: string;
  record: string;
  author: string;
  text: string;
  created_at: string;
  edited_at: string | null;
  resolved_at: string | null;
  resolved_by: string | null;
  removed_by: string | null;
  /** The names of author and resolver, if they are users who still exist. */
  author_name: string | null;
  author_colour: string | null;
  resolver_name: string | null;
  mentioned: CommentUser[];
  /** The reader's position in the thread. */
  upto: number | null;
}

interface CommentQuery {
  /** Ids of tables. */
  tables: readonly string[];
  record?: string | undefined;
  by?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** The id of a user who is mentioned. */
  mentioned?: string | undefined;
  before: number | null;
  size: number;
}

const select = (reader: string) => sql`
  select c.id, c.n, c.table_id, c.record, c.author, c.text, c.created_at, c.edited_at,
    c.resolved_at, c.resolved_by, c.removed_by, coalesce(u.name, t.name) as author_name,
    u.colour as author_colour, coalesce(v.name, w.name) as resolver_name, s.upto,
    coalesce((select json_agg(json_build_object('id', m.id, 'name', m.name, 'colour', m.colour))
      from watchfloor."user" m where m.id = any(c.mentions)), '[]'::json) as mentioned
  from watchfloor.comment c
  left join watchfloor."user" u on 'user:' || u.id = c.author
  left join watchfloor.api_token t on 'token:' || t.id = c.author
  left join watchfloor."user" v on 'user:' || v.id = c.resolved_by
  left join watchfloor.api_token w on 'token:' || w.id = c.resolved_by
  left join watchfloor.comment_read s
    on s.user_id = ${reader} and s.table_id = c.table_id and s.record = c.record`;

/** The comments that match, newest first. */
export async function listComments(
  db: Db,
  reader: string,
  { tables, record, by, from, to, mentioned, before, size }: CommentQuery,
): Promise<CommentRow[]> {
  const { rows } = await sql<CommentRow>`
    ${select(reader)} where c.removed_at is null and c.table_id = any(${tables}::text[])
      and (${record ?? null}::text is null or c.record = ${record ?? null})
      and (${by ?? null}::text is null or split_part(c.author, ':', 2) = ${by ?? null})
      and (${from ?? null}::timestamptz is null or c.created_at >= ${from ?? null}::timestamptz)
      and (${to ?? null}::timestamptz is null or c.created_at < ${to ?? null}::timestamptz)
      and (${mentioned ?? null}::text is null or c.mentions @> array[${mentioned ?? null}])
      and (${before}::bigint is null or c.n < ${before}::bigint)
    order by c.n desc limit ${size}`.execute(db);
  return rows;
}

/** How long a removed comment can be restored. */
const retention = sql`interval '30 days'`;

/** One comment; with `removed`, a removed one that can be restored. */
export async function findComment(
  db: Db,
  reader: string,
  id: string,
  removed = false,
): Promise<CommentRow | null> {
  const { rows } = await sql<CommentRow>`
    ${select(reader)} where c.id = ${id} and (c.removed_at is not null) = ${removed}
      and (c.removed_at is null or c.removed_at > now() - ${retention})`.execute(db);
  return rows[0] ?? null;
}

type NewComment = Pick<CommentRow, "id" | "table_id" | "record" | "author" | "text"> & {
  mentions: string[];
};

/** Comments on a record are numbered in the order of their commits, so that none is read before it is seen. */
export async function insertComment(db: Db, comment: NewComment): Promise<void> {
  const { id, table_id, record, author, text, mentions } = comment;
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('watchfloor.comment'),
      hashtext(${`${table_id} ${record}`}))`.execute(tx);
    await sql`
      insert into watchfloor.comment (id, table_id, record, author, text, mentions)
      values (${id}, ${table_id}, ${record}, ${author}, ${text}, ${mentions}::text[])`.execute(tx);
  });
}

/** Changes the text, or marks the comment as resolved or open again by `actor`. */
export async function updateComment(
  db: Db,
  id: string,
  actor: string,
  { text, mentions, resolved }: { text?: string; mentions?: string[]; resolved?: boolean },
): Promise<void> {
  await sql`update watchfloor.comment set changed_at = now(),
      text = coalesce(${text ?? null}, text), mentions = coalesce(${mentions ?? null}::text[], mentions),
      edited_at = case when ${text ?? null}::text is distinct from text and ${text ?? null}::text is not null
        then now() else edited_at end,
      resolved_at = case ${resolved ?? null}::boolean
        when true then coalesce(resolved_at, now()) when false then null else resolved_at end,
      resolved_by = case ${resolved ?? null}::boolean
        when true then coalesce(resolved_by, ${actor}) when false then null else resolved_by end
    where id = ${id} and removed_at is null`.execute(db);
}

/** Removes a comment (`actor`), or restores it (null). */
export async function setRemoved(db: Db, id: string, actor: string | null): Promise<void> {
  await sql`update watchfloor.comment set changed_at = now(), removed_by = ${actor},
      removed_at = case when ${actor}::text is null then null else now() end
    where id = ${id}`.execute(db);
}

/** Erases comments that were removed too long ago to be restored. */
export async function sweepComments(db: Db): Promise<void> {
  await sql`delete from watchfloor.comment where removed_at <= now() - ${retention}`.execute(db);
}

/** Marks a thread as read by a user up to a comment; false if that is no comment of the thread. */
export async function markRead(
  db: Db,
  user: string,
  thread: { table_id: string; record: string; until: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into watchfloor.comment_read (user_id, table_id, record, upto)
    select ${user}, c.table_id, c.record, c.n from watchfloor.comment c
    where c.id = ${thread.until} and c.table_id = ${thread.table_id} and c.record = ${thread.record}
    on conflict (user_id, table_id, record)
    do update set upto = greatest(comment_read.upto, excluded.upto)`.execute(db);
  return numAffectedRows === 1n;
}

/** A thread that changed, if any, and the users whose unread mentions may have changed. */
export interface CommentChange {
  users: string[];
  thread?: { table_id: string; record: string };
}

/** The threads that changed within the last `seconds`. */
export async function recentChanges(db: Db, seconds: number): Promise<CommentChange[]> {
  const { rows } = await sql<{ users: string[]; table_id: string; record: string }>`
    select c.table_id, c.record, coalesce(array_agg(distinct m) filter (where m is not null), '{}') as users
    from watchfloor.comment c left join lateral unnest(c.mentions) m on true
    where c.changed_at > now() - make_interval(secs => ${seconds})
    group by c.table_id, c.record`.execute(db);
  return rows.map(({ users, ...thread }) => ({ users, thread }));
}
