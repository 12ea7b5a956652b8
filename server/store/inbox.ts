import { sql } from "kysely";
import {
  type CauseSettings,
  changeNotificationsSchema,
  INBOX_MAX_ENTRIES,
  type InboxCause,
  inboxCauses,
  type MailWhen,
  type NotificationSettings,
} from "../../shared/protocol/inbox.ts";
import type { Position } from "../../shared/protocol/position.ts";
import type { Db } from "./database.ts";
import { isPresent } from "./feed-log.ts";
import type { EntryPart, RowOf } from "./platform-tables.ts";
import {
  after,
  anyOf,
  execute,
  firstOf,
  milliseconds,
  now,
  rowOf,
  rowsOf,
  sweptBefore,
  wrote,
} from "./statement.ts";

/**
 * Tables watchfloor.inbox_entry, inbox_position, watch and notification_settings. An entry refers to what was noticed and holds no text. It
 * is entered in the transaction of its cause, or with the move of the position up to which the log was followed: exactly once.
 */

export type EntryRow = RowOf<"watchfloor.inbox_entry">;

/** What somebody is to be notified of. `by` is its author, as in the change log; null: the passing of time. */
export interface NewEntry extends Pick<EntryRow, "cause" | "record"> {
  user: string;
  /** The id of the table; empty for a change set. */
  table: string;
  by: string | null;
  position?: Position;
  comment?: string;
  fields?: readonly string[] | null;
  view?: string | null;
  event?: EntryPart["event"];
  /** When it happened; absent: now. */
  at?: string;
  /** The same event is entered by another watch, too, and counted there. */
  isCounted?: boolean;
}

const defaults: Readonly<Record<InboxCause, CauseSettings>> = {
  mention: { inbox: true, mail: "now" },
  assignment: { inbox: true, mail: "now" },
  watch: { inbox: true, mail: "daily" },
  changeSet: { inbox: true, mail: "off" },
};

/** As a user has chosen. */
export type StoredSettings = Omit<NotificationSettings, "zone"> & { zone: string | null };

/** Another program may have written anything. */
function toSettings(stored: unknown): StoredSettings {
  const own = changeNotificationsSchema.safeParse(stored).data ?? {};
  return { ...defaults, quiet: null, zone: null, ...own };
}

/** Of users, how each is notified. */
export async function readSettings(
  db: Db,
  users: readonly string[],
): Promise<(user: string) => StoredSettings> {
  const rows = await db
    .selectFrom("watchfloor.notification_settings")
    .select(["user_id", "settings"])
    .where("user_id", "=", anyOf(users))
    .execute();
  const stored = new Map(rows.map(({ user_id, settings }) => [user_id, settings]));
  return (user) => toSettings(stored.get(user) ?? {});
}

/** What waits to be mailed waits as it is wanted from now on. */
export async function storeSettings(
  tx: Db,
  user: string,
  settings: Partial<StoredSettings>,
): Promise<void> {
  const text = JSON.stringify(settings);
  await tx
    .insertInto("watchfloor.notification_settings")
    .values({ user_id: user, settings: text })
    .onConflict((same) => same.column("user_id").doUpdateSet({ settings: text }))
    .execute();
  const all = toSettings(settings);
  for (const cause of inboxCauses) {
    await tx
      .updateTable("watchfloor.inbox_entry")
      .set({ mail: all[cause].mail })
      .where((eb) => eb.and({ user_id: user, cause }))
      .where("mail", "<>", "off")
      .execute();
  }
}

/** The token by which a user's mails are ended. It is made with the first mail. */
export async function unsubscribeToken(db: Db, user: string): Promise<string> {
  const same = { user_id: user };
  const row = await db
    .insertInto("watchfloor.notification_settings")
    .values(same)
    .onConflict((one) => one.column("user_id").doUpdateSet(same))
    .returning("unsubscribe")
    .executeTakeFirstOrThrow();
  return row.unsubscribe;
}

export async function userOfUnsubscribe(db: Db, token: string): Promise<string | null> {
  const settings = db.selectFrom("watchfloor.notification_settings").select("user_id");
  return (await firstOf(settings.where("unsubscribe", "=", token)))?.user_id ?? null;
}

/**
 * Enters what users are notified of, but for what they caused themselves, also by a token, and what they don't want. What follows of an
 * unread entry's cause and record is added to it. Of each user the newest INBOX_MAX_ENTRIES stay.
 */
export async function notifyUsers(tx: Db, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const ownerOf = await ownersOf(tx, entries);
  const foreign = entries.filter(({ user, by }) => by === null || ownerOf(by) !== user);
  const users = [...new Set(foreign.map(({ user }) => user))];
  if (users.length === 0) return;
  const settingsOf = await readSettings(tx, users);
  const wanted = foreign.flatMap((entry) => {
    const { inbox, mail } = settingsOf(entry.user)[entry.cause];
    return inbox || mail !== "off" ? [{ ...entry, mail }] : [];
  });
  await enter(tx, folded(wanted));
  await execute(tx)`
    delete from watchfloor.inbox_entry e using (
      select u.id, o.at, o.n from unnest(${users}::text[]) u (id) cross join lateral (
        select at, n from watchfloor.inbox_entry where user_id = u.id
        order by at desc, n desc offset ${INBOX_MAX_ENTRIES} limit 1) o
    ) last
    where e.user_id = last.id and (e.at, e.n) <= (last.at, last.n)`;
}

/** Of authors, the users whose actions these are. */
async function ownersOf(tx: Db, entries: readonly NewEntry[]) {
  const tokens = new Set(
    entries.flatMap(({ by }) => (by?.startsWith("token:") ? [by.slice(6)] : [])),
  );
  const rows =
    tokens.size === 0
      ? []
      : await tx
          .selectFrom("watchfloor.api_token")
          .select(["id", "created_by"])
          .where("id", "=", anyOf([...tokens]))
          .execute();
  const owners = new Map(rows.map(({ id, created_by }) => [`token:${id}`, created_by]));
  return (by: string) => (by.startsWith("user:") ? by.slice(5) : owners.get(by));
}

/** Of an entry so many different parts stay, the newest. Each is small, and readers of one entry look at few. */
const PARTS_MAX = 20;

type Part = Omit<EntryPart, "at"> & { at?: string };
type WantedEntry = NewEntry & { mail: MailWhen };
interface FoldedEntry
  extends Pick<WantedEntry, "user" | "cause" | "table" | "record" | "mail" | "at"> {
  /** Newest first, each kind once. */
  parts: Map<string, Part>;
  count: number;
}

/** One statement may not touch a row twice. */
function folded(entries: readonly WantedEntry[]): FoldedEntry[] {
  const all = new Map<string, FoldedEntry>();
  for (const { user, cause, table, record, mail, ...entry } of entries) {
    const key = JSON.stringify([user, cause, table, record]);
    const { parts, count } = all.get(key) ?? { parts: new Map<string, Part>(), count: 0 };
    const kind = kindOf(entry);
    const same = JSON.stringify(kind);
    const more = entry.isCounted ? 0 : 1;
    const before = parts.get(same)?.count ?? 0;
    // Last comes first.
    parts.delete(same);
    const { at, position } = entry;
    const part = { ...kind, ...position, ...(at && { at }), count: before + more };
    const newest = new Map([[same, part], ...parts]);
    const about = { user, cause, table, record, mail, ...(at && { at }) };
    all.set(key, { ...about, parts: newest, count: count + more });
  }
  return [...all.values()];
}

/** What a part is of; what is equal in all of it is counted. */
function kindOf({
  event,
  fields,
  view,
  comment,
  by,
}: Partial<WantedEntry>): Omit<Part, "count" | "at"> {
  return {
    ...(event && { event }),
    ...(fields && { fields: [...fields].sort() }),
    ...(view && { view }),
    ...(comment && { comment }),
    ...(by && { by }),
  };
}

async function enter(tx: Db, entries: readonly FoldedEntry[]): Promise<void> {
  const rows = entries.map(({ user, table, parts, ...entry }) => ({
    ...entry,
    ...{ user_id: user, table_id: table, parts: [...parts.values()] },
  }));
  await execute(tx)`
    insert into watchfloor.inbox_entry as i (user_id, cause, table_id, record, parts, count, at, mail, mail_since)
    select e.user_id, e.cause, e.table_id, e.record,
      (select jsonb_agg(jsonb_build_object('at', now()) || p.part order by p.place)
        from jsonb_array_elements(e.parts) with ordinality p (part, place) where p.place <= ${PARTS_MAX}),
      e.count, coalesce(e.at, now()), e.mail, case when e.mail <> 'off' then now() end
    from json_to_recordset(${JSON.stringify(rows)}::json) as e (user_id text, cause text, table_id text,
      record text, parts jsonb, count int, at timestamptz, mail text)
    join watchfloor."user" u on u.id = e.user_id
    order by e.user_id, e.cause, e.table_id, e.record
    on conflict (user_id, cause, table_id, record) where read_at is null do update set
      at = greatest(i.at, excluded.at), changed_at = now(), count = i.count + excluded.count,
      parts = (select jsonb_agg(s.part order by s.place) from (
        select (array_agg(p.part order by p.place))[1] || jsonb_build_object('count', sum((p.part->>'count')::int)) as part,
          min(p.place) as place
        from jsonb_array_elements(excluded.parts || i.parts) with ordinality p (part, place)
        group by p.part - array['at', 'epoch', 'seq', 'count'] order by place limit ${PARTS_MAX}) s),
      mail = excluded.mail,
      mail_since = case when i.mail = excluded.mail then i.mail_since else excluded.mail_since end`;
}

const entries = (db: Db) => db.selectFrom("watchfloor.inbox_entry").selectAll();

/** The names of users and API tokens, by what the change log calls them. */
export async function namesOfAuthors(
  db: Db,
  authors: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = (prefix: string) =>
    authors.flatMap((by) => (by.startsWith(prefix) ? [by.slice(prefix.length)] : []));
  const rows = await rowsOf<{ by: string; name: string }>(db)`
    select 'user:' || id as by, name from watchfloor."user" where id = any(${ids("user:")}::text[])
    union all
    select 'token:' || id, name from watchfloor.api_token where id = any(${ids("token:")}::text[])`;
  return new Map(rows.map(({ by, name }) => [by, name]));
}

/** The next entries of a user, newest first. */
export function listEntries(
  db: Db,
  user: string,
  {
    before,
    limit,
    unread,
  }: { before: Pick<EntryRow, "at" | "n"> | null; limit: number; unread: boolean },
): Promise<EntryRow[]> {
  const own = entries(db).where("user_id", "=", user);
  const wanted = unread ? own.where("read_at", "is", null) : own;
  const older = before
    ? wanted.where(sql<boolean>`(at, n) < (${before.at}::timestamptz, ${before.n}::bigint)`)
    : wanted;
  return older.orderBy("at", "desc").orderBy("n", "desc").limit(limit).execute();
}

/** The unread entries of a mail, newest first. */
export function entriesOfMail(db: Db, user: string, delivery: string): Promise<EntryRow[]> {
  const own = entries(db).where("user_id", "=", user).where("delivery", "=", delivery);
  return own.where("read_at", "is", null).orderBy("at", "desc").orderBy("n", "desc").execute();
}

/** Marks entries as read: the named ones, those about a record, or all. */
export async function markEntriesRead(
  db: Db,
  user: string,
  which: { ids: readonly string[] } | { all: true } | { table: string; record: string },
): Promise<void> {
  const own = db
    .updateTable("watchfloor.inbox_entry")
    .set({ read_at: now, changed_at: now })
    .where("user_id", "=", user)
    .where("read_at", "is", null);
  if ("ids" in which) await own.where("n", "=", sql<number>`any(${which.ids}::bigint[])`).execute();
  else if ("all" in which) await own.execute();
  else await own.where("table_id", "=", which.table).where("record", "=", which.record).execute();
}

/** Deletes old entries. */
export async function sweepInbox(db: Db, keepMs: number): Promise<void> {
  const before = sweptBefore(keepMs, "at", "watchfloor.inbox_entry");
  await db.deleteFrom("watchfloor.inbox_entry").where("at", "<", before).execute();
}

/** Users with something to mail, and since when it waits. Not while a mail to them is open. */
export interface MailCandidate {
  user: string;
  since: Record<Exclude<MailWhen, "off">, string | null>;
  /** When the last one was made. */
  last: string | null;
}

/** What waits for longer was wanted while the installation sent no mail, and is not sent in a flood once it does. */
const MAIL_WAITS_MS = 2 * 86_400_000;

export async function findMailCandidates(db: Db): Promise<MailCandidate[]> {
  const rows = await rowsOf<{
    user: string;
    now: string | null;
    daily: string | null;
    last: string | null;
  }>(db)`
    select e.user_id as "user", min(e.mail_since) filter (where e.mail = 'now') as now,
      min(e.mail_since) filter (where e.mail = 'daily') as daily,
      (select max(d.created_at) from watchfloor.delivery d
        where d.user_id = e.user_id and d.webhook is null and d.type = 'notifications') as last
    from watchfloor.inbox_entry e
    where e.mail <> 'off' and e.read_at is null
      and e.mail_since > now() - ${milliseconds(MAIL_WAITS_MS)}
      and not exists (select from watchfloor.delivery d
        where d.user_id = e.user_id and d.webhook is null and d.state in ('due', 'retrying')
          and d.type in ('notifications', 'digest'))
    group by e.user_id order by e.user_id`;
  return rows.map(({ user, last, now: atOnce, daily }) => ({
    user,
    last,
    since: { now: atOnce, daily },
  }));
}

/** Puts what waits into a mail; false if nothing does any more. */
export function putIntoMail(
  tx: Db,
  user: string,
  when: Exclude<MailWhen, "off">,
  delivery: string,
): Promise<boolean> {
  const waiting = tx
    .updateTable("watchfloor.inbox_entry")
    .set({ delivery, mail: "off" })
    .where((eb) => eb.and({ user_id: user, mail: when }));
  return wrote(waiting.where("read_at", "is", null));
}

/**
 * What a mail has just said waits for no further one: what was added to its entries while the mail server was away. Of those that have
 * changed since they were read for it, it waits on.
 */
export async function forgetMailed(
  db: Db,
  delivery: string,
  rows: readonly EntryRow[],
): Promise<void> {
  const waiting = rows.filter(({ mail }) => mail !== "off");
  for (const { n, changed_at } of waiting) {
    const same = db.updateTable("watchfloor.inbox_entry").set({ mail: "off" });
    await same.where((eb) => eb.and({ n, delivery, changed_at })).execute();
  }
}

/** Nothing of before is mailed: after a restore, and for who wants none. */
export async function forgetWaitingMail(tx: Db, user: string | null): Promise<void> {
  const waiting = tx
    .updateTable("watchfloor.inbox_entry")
    .set({ mail: "off" })
    .where("mail", "<>", "off");
  await (user === null ? waiting : waiting.where("user_id", "=", user)).execute();
}

/** A feed and how far the inbox has followed it. */
export interface FollowedFeed extends Position {
  feed: number;
  feedEpoch: string;
  head: number;
  /** Whether the position belongs to the present history of the feed. */
  isHeld: boolean;
  modelVersion: number;
}

/** The feeds of these tables, or of all: whether they have more than was followed, and whether somebody watches any of their records. */
export function findFollowedTables(db: Db, tables: readonly string[] | null) {
  return rowsOf<{ table: string; isDue: boolean; isWatched: boolean }>(db)`
    select f.table_name as "table", (f.epoch, f.head) is distinct from (p.epoch, p.seq) as "isDue",
      exists (select from watchfloor.watch w where w.table_id = f.table_id) as "isWatched"
    from watchfloor.feed f left join watchfloor.inbox_position p on p.feed = f.id
    where f.table_name is not null
      and (${tables}::text[] is null or f.table_name = any(${tables}::text[]))`;
}

/** A feed that was not followed before is followed from its beginning. */
export async function readFollowed(db: Db, table: string): Promise<FollowedFeed | null> {
  const known = await findFollowed(db, table);
  if (known) return known;
  await execute(db)`
    insert into watchfloor.inbox_position (feed, epoch, seq)
    select id, epoch, 0 from watchfloor.feed where table_name = ${table}
    on conflict do nothing`;
  return findFollowed(db, table);
}

function findFollowed(db: Db, table: string): Promise<FollowedFeed | null> {
  return rowOf<FollowedFeed>(db)`
    select p.feed, p.epoch, p.seq, f.epoch as "feedEpoch", f.head,
      ${sql.raw(isPresent("f", "p.epoch", "p.seq"))} as "isHeld",
      (select coalesce(max(version), 0)::int from watchfloor.model) as "modelVersion"
    from watchfloor.inbox_position p join watchfloor.feed f on f.id = p.feed
    where f.table_name = ${table}`;
}

/** Moves a position. False if it is not where its caller believes: another server has moved it. */
export function moveFollowed(
  tx: Db,
  { feed, epoch, seq }: Pick<FollowedFeed, "feed" | "epoch" | "seq">,
  to: Position,
): Promise<boolean> {
  const position = tx
    .updateTable("watchfloor.inbox_position")
    .where((eb) => eb.and({ feed, epoch, seq }));
  return wrote(position.set({ epoch: to.epoch, seq: to.seq }));
}

export type WatchRow = RowOf<"watchfloor.watch">;

const watches = (db: Db) => db.selectFrom("watchfloor.watch").selectAll();

export function listWatches(db: Db, user: string): Promise<WatchRow[]> {
  return watches(db)
    .where("user_id", "=", user)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
}

/** The watches of active users on a table. */
export function watchesOfTable(db: Db, tableId: string): Promise<WatchRow[]> {
  const active = db.selectFrom("watchfloor.user").select("id").where("status", "=", "active");
  return watches(db).where("table_id", "=", tableId).where("user_id", "in", active).execute();
}

/** The active users who watch a view. */
export function watchersOfView(db: Db, view: string): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom("watchfloor.watch as w")
    .innerJoin("watchfloor.user as u", "u.id", "w.user_id")
    .select(["u.id", "u.name"])
    .where("w.view", "=", view)
    .where("u.status", "=", "active")
    .execute();
}

/** Stores a watch; one of the same record or view gets the fields. */
export async function putWatch(
  db: Db,
  { id, user_id, table_id, record, view, fields }: Omit<WatchRow, "created_at" | "evaluated_at">,
): Promise<string> {
  const insert = db
    .insertInto("watchfloor.watch")
    .values({ id, user_id, table_id, record, view, fields });
  const stored = insert.onConflict((same) =>
    record === null
      ? same.columns(["user_id", "view"]).where("view", "is not", null).doUpdateSet({ fields })
      : same
          .columns(["user_id", "table_id", "record"])
          .where("record", "is not", null)
          .doUpdateSet({ fields }),
  );
  return (await stored.returning("id").executeTakeFirstOrThrow()).id;
}

export function deleteWatch(db: Db, user: string, id: string): Promise<boolean> {
  return wrote(db.deleteFrom("watchfloor.watch").where((eb) => eb.and({ id, user_id: user })));
}

/** Watches of views that were not evaluated for a while. */
export async function findUnevaluated(db: Db, olderMs: number): Promise<string[]> {
  const due = db.selectFrom("watchfloor.watch").select("id").where("view", "is not", null);
  const rows = await due
    .where("evaluated_at", "<=", sql<string>`${after(-olderMs)}`)
    .where(
      "user_id",
      "in",
      db.selectFrom("watchfloor.user").select("id").where("status", "=", "active"),
    )
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** With the moment of now, by the database's clock. */
export function findWatch(db: Db, id: string): Promise<(WatchRow & { now: string }) | null> {
  return firstOf(watches(db).select(now.as("now")).where("id", "=", id));
}

/** Notes up to when a watch was evaluated; false if another server has. */
export function moveEvaluated(
  tx: Db,
  { id, evaluated_at }: WatchRow,
  to: string,
): Promise<boolean> {
  const watch = tx.updateTable("watchfloor.watch").where((eb) => eb.and({ id, evaluated_at }));
  return wrote(watch.set({ evaluated_at: to }));
}
