import { sql } from "kysely";
import type { Values } from "../../shared/model/model.ts";
import type { CommentFilter, CommentUser } from "../../shared/protocol/comments.ts";
import type { Db } from "./database.ts";
import { notifyUsers } from "./inbox.ts";
import { ago, exists, firstOf, hold, now, rowOf, rowsOf, sweptBefore, wrote } from "./statement.ts";

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

interface CommentQuery extends Pick<CommentFilter, "record" | "by" | "from" | "to"> {
  /** Ids of tables. */
  tables: readonly string[];
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
export function listComments(
  db: Db,
  reader: string,
  { tables, record, by, from, to, mentioned, before, size }: CommentQuery,
): Promise<CommentRow[]> {
  return rowsOf<CommentRow>(db)`
    ${select(reader)} where c.removed_at is null and c.table_id = any(${tables}::text[])
      and (${record ?? null}::text is null or c.record = ${record ?? null})
      and (${by ?? null}::text is null or split_part(c.author, ':', 2) = ${by ?? null})
      and (${from ?? null}::timestamptz is null or c.created_at >= ${from ?? null}::timestamptz)
      and (${to ?? null}::timestamptz is null or c.created_at < ${to ?? null}::timestamptz)
      and (${mentioned ?? null}::text is null or c.mentions @> array[${mentioned ?? null}])
      and (${before}::bigint is null or c.n < ${before}::bigint)
    order by c.n desc limit ${size}`;
}

/** A record that was created when its thread already had comments, on a deleted record of the same id. */
export interface Recreation {
  record: string;
  /** The last of those comments. */
  upto: number;
  /** The record as it was deleted; null if the log does not hold its deletion. */
  deleted: Values | null;
}

export function readRecreations(
  db: Db,
  table: string,
  tableId: string,
  records: readonly string[],
): Promise<Recreation[]> {
  return rowsOf<Recreation>(db)`
    select c.record, t.upto, case when d.kind = 'delete' then
      case when f.names is null then d.before else watchfloor.named(d.before, f.names) end end as deleted
    from unnest(${records}::text[]) w(record)
    join watchfloor.feed f on f.table_name = ${table}
    join watchfloor.change c on c.feed = f.id and c.record = w.record and c.kind = 'insert'
    cross join lateral (
      select max(m.n) as upto from watchfloor.comment m
      where m.table_id = ${tableId} and m.record = w.record and m.created_at < c.at) t
    left join lateral (
      select k.kind, k.before from watchfloor.change k
      where k.feed = c.feed and k.record = c.record and k.ord < c.ord order by k.ord desc limit 1
    ) d on true
    where t.upto is not null`;
}

/** How long a removed comment can be restored. */
const RETENTION_MS = 30 * 86_400_000;

/** One comment; with `removed`, a removed one that can be restored. */
export function findComment(
  db: Db,
  reader: string,
  id: string,
  removed = false,
): Promise<CommentRow | null> {
  return rowOf<CommentRow>(db)`
    ${select(reader)} where c.id = ${id} and (c.removed_at is not null) = ${removed}
      and (c.removed_at is null or c.removed_at > ${ago(RETENTION_MS)})`;
}

/** Of these comments those that were not removed. */
export function findComments(
  db: Db,
  reader: string,
  ids: readonly string[],
): Promise<CommentRow[]> {
  return rowsOf<CommentRow>(db)`
    ${select(reader)} where c.id = any(${ids}::text[]) and c.removed_at is null`;
}

type NewComment = Pick<CommentRow, "id" | "table_id" | "record" | "author" | "text"> & {
  mentions: string[];
};

/**
 * Comments on a record are numbered in the order of their commits, so that none is read before it is seen. False if the
 * id is taken by another one than this comment, which its author may have edited since.
 */
export async function insertComment(db: Db, comment: NewComment): Promise<boolean> {
  const { id, table_id, record, author, text, mentions } = comment;
  const own = { id, table_id, record, author };
  return db.transaction().execute(async (tx) => {
    await hold(tx, "comment", { of: `${table_id} ${record}` });
    const insert = tx.insertInto("watchfloor.comment").values({ ...own, text, mentions });
    const isNew = await wrote(insert.onConflict((same) => same.column("id").doNothing()));
    if (isNew) await notifyUsers(tx, mentionsOf(own, mentions));
    const stored = tx.selectFrom("watchfloor.comment").where((eb) => eb.and(own));
    return exists(
      stored.where((eb) => eb.or([eb("text", "=", text), eb("edited_at", "is not", null)])),
    );
  });
}

const mentionsOf = (
  { id, table_id, record, author }: Omit<NewComment, "text" | "mentions">,
  users: readonly string[],
) =>
  users.map((user) => ({
    ...{ cause: "mention" as const, user, by: author },
    ...{ table: table_id, record, comment: id },
  }));

/** Changes the text, or marks the comment as resolved or open again by `actor`. */
export async function updateComment(
  db: Db,
  row: Pick<CommentRow, "id" | "table_id" | "record" | "author">,
  actor: string,
  {
    text,
    mentions,
    added = [],
    resolved,
  }: {
    text?: string;
    mentions?: string[];
    /** Of the mentioned users those who were not before. */
    added?: readonly string[];
    resolved?: boolean;
  },
): Promise<void> {
  const edited = sql<string>`case when text <> ${text ?? null} then now() else edited_at end`;
  const [at, by] = [
    sql<string>`coalesce(resolved_at, now())`,
    sql<string>`coalesce(resolved_by, ${actor})`,
  ];
  const resolution = resolved
    ? { resolved_at: at, resolved_by: by }
    : { resolved_at: null, resolved_by: null };
  await db.transaction().execute(async (tx) => {
    const changed = comments(tx, row.id)
      .where("removed_at", "is", null)
      .set({ changed_at: now, ...(mentions !== undefined && { mentions }) })
      .set({ ...(text !== undefined && { text, edited_at: edited }) })
      .set(resolved === undefined ? {} : resolution);
    if (await wrote(changed)) await notifyUsers(tx, mentionsOf(row, added));
  });
}

const comments = (db: Db, id: string) => db.updateTable("watchfloor.comment").where("id", "=", id);

/** Removes a comment (`actor`), or restores it (null). */
export async function setRemoved(db: Db, id: string, actor: string | null): Promise<void> {
  const removed = { removed_by: actor, removed_at: actor === null ? null : now };
  await comments(db, id)
    .set({ changed_at: now, ...removed })
    .execute();
}

/** Erases comments that were removed too long ago to be restored. */
export async function sweepComments(db: Db): Promise<void> {
  const before = sweptBefore(RETENTION_MS, "removed_at", "watchfloor.comment");
  await db.deleteFrom("watchfloor.comment").where("removed_at", "<=", before).execute();
}

/** The place of a comment in a thread, also of one that was removed since; null if the thread has no such comment. */
export async function placeInThread(
  db: Db,
  { table_id, record, until }: { table_id: string; record: string; until: string },
): Promise<number | null> {
  const comment = db.selectFrom("watchfloor.comment").select("n").where("id", "=", until);
  const row = await firstOf(comment.where("table_id", "=", table_id).where("record", "=", record));
  return row?.n ?? null;
}

/** Marks a thread as read by a user up to a place. */
export async function markRead(
  db: Db,
  user: string,
  { table_id, record, n }: { table_id: string; record: string; n: number },
): Promise<void> {
  const upto = sql<number>`greatest(comment_read.upto, excluded.upto)`;
  await db
    .insertInto("watchfloor.comment_read")
    .values({ user_id: user, table_id, record, upto: n })
    .onConflict((read) => read.columns(["user_id", "table_id", "record"]).doUpdateSet({ upto }))
    .execute();
}

/** A thread that changed, and the last of its comments that did. */
export type ThreadChange = Pick<CommentRow, "table_id" | "record" | "n">;

/** The thread of a comment, which may have been removed; null if there is no such comment. */
export function threadOf(db: Db, n: number): Promise<ThreadChange | null> {
  const comment = db.selectFrom("watchfloor.comment").select(["table_id", "record", "n"]);
  return firstOf(comment.where("n", "=", n));
}

/** The threads that changed within the last `seconds`. */
export function recentChanges(db: Db, seconds: number): Promise<ThreadChange[]> {
  return db
    .selectFrom("watchfloor.comment")
    .select(["table_id", "record"])
    .select(({ fn }) => fn.max("n").as("n"))
    .where("changed_at", ">", ago(seconds * 1_000))
    .groupBy(["table_id", "record"])
    .execute();
}
