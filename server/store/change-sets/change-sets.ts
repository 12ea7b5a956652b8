import { type RawBuilder, type SqlBool, sql } from "kysely";
import type {
  ChangeSetInfo,
  ChangeSetState,
  ImportCounts,
} from "../../../shared/protocol/change-sets.ts";
import type { FileOptions } from "../../../shared/protocol/imports.ts";
import type { DecimalSign } from "../../../shared/read-number.ts";
import type { Db } from "../database.ts";
import { authorJoin } from "../feed-log.ts";
import { after, anyOf, execute, exists, now, rowsOf, sweptBefore, wrote } from "../statement.ts";

/** How the rows of a file are read, by the ids of fields: a rejected row that is corrected is read again. */
export interface StoredReading {
  /** Those that go into a field. One that was `added` is none of the file's: only corrected rows have a cell there. */
  columns: readonly {
    index: number;
    field: string;
    dateFormat?: string | undefined;
    decimal?: DecimalSign | undefined;
    added?: true;
  }[];
  /** The column of ids; -1 if there is none. */
  idIndex: number;
  /** The field, or `id`, that identifies records. */
  key: string | null;
  options: Pick<FileOptions, "null" | "zone" | "dateFormat" | "decimal">;
}

/** The file that ops were made of. An import of another `run` has taken its place. */
export interface StoredImport {
  run: string;
  tableId: string;
  header: readonly string[];
  /** Absent in sets that earlier builds stored: their rejected rows can't be corrected. */
  reading?: StoredReading;
  /** Null until the last row was read. */
  counts: Omit<ImportCounts, "table" | "isComplete"> | null;
  /** Only of sets that earlier builds stored: the rows were applied as they were read, all of them or an open part, and are no ops. */
  direct?: "open" | "done";
}

/** Table watchfloor.change_set. */
export interface ChangeSetRow
  extends Omit<
    ChangeSetInfo,
    "table" | "by" | "isOwn" | "isOutdated" | "counts" | "progress" | "import"
  > {
  /** As the change log names authors. */
  actor: string;
  /** Of a set of an API token: its creator, as an author. */
  creator: string | null;
  /** The author's name, where it is known. */
  name: string | null;
  /** Whether the ops take back all changes of that set. */
  revertsAll: boolean;
  /** A hash of the rights by which the ops were made, where they were made of history. */
  rights: string | null;
  run: number;
  atomic: boolean;
  batchSize: number;
  cancelling: boolean;
  import: StoredImport | null;
}

const returned =
  sql.raw(`c.id, nullif(c.title, '') as title, c.actor, coalesce(u.name, token.name) as name,
  'user:' || token.created_by as creator, c.origin, c.state, c.version,
  c.reverts, c.reverts_all as "revertsAll", nullif(r.title, '') as "revertedTitle", c.rights, c.run, c.atomic, c.batch_size as "batchSize", c.cancelling, c.created_at as created,
  c.updated_at as updated, c.applied_at as applied, c.import`);

const from = (rows: RawBuilder<unknown>) => sql<ChangeSetRow>`
  with c as (${rows}) select ${returned}
  from (select c.*, c.author as actor from c) c ${sql.raw(authorJoin)}
  left join watchfloor.change_set r on r.id = c.reverts
  order by c.created_at desc, c.id desc`;

type NewChangeSet = Pick<ChangeSetRow, "id" | "title" | "actor" | "origin" | "reverts" | "rights"> &
  Partial<Pick<ChangeSetRow, "revertsAll">>;

/** Of a draft whose ops are still being written: nobody finds it, and its holder has to renew the lease. */
const WRITING = "writing";

export const nextVersion = sql<number>`version + 1`;

/** Begins a draft that is written in several transactions: `endWriting` makes it one, once all ops are there. */
export async function beginWriting(
  db: Db,
  { id, title, actor, origin, reverts, revertsAll = false, rights }: NewChangeSet,
  leaseMs: number,
): Promise<void> {
  const draft = { id, title: title ?? "", author: actor, origin, state: WRITING } as const;
  await db
    .insertInto("watchfloor.change_set")
    .values({ ...draft, reverts, reverts_all: revertsAll, rights, lease_until: after(leaseMs) })
    .execute();
}

/** Renews the lease of a draft that is being written. False where it expired, and the draft was deleted. */
export function holdWriting(db: Db, id: string, leaseMs: number): Promise<boolean> {
  return wrote(written(db, id).set({ lease_until: after(leaseMs) }));
}

export function endWriting(db: Db, id: string): Promise<boolean> {
  return wrote(written(db, id).set({ state: "draft", lease_until: null, updated_at: now }));
}

/** An update of one set. */
export const changeSet = (db: Db, id: string) =>
  db.updateTable("watchfloor.change_set").where("id", "=", id);
const written = (db: Db, id: string) => changeSet(db, id).where("state", "=", WRITING);

/**
 * Deletes the drafts that stopped servers have not written to their end; nobody has found them before. Where there are none it
 * deletes nothing, because each deletion is notified to all users, also that of no row.
 */
export async function deleteUnwritten(db: Db): Promise<void> {
  const isUnwritten = sql<SqlBool>`state = ${WRITING} and lease_until < now()`;
  if (!(await exists(db.selectFrom("watchfloor.change_set").where(isUnwritten).limit(1)))) return;
  await db.deleteFrom("watchfloor.change_set").where(isUnwritten).execute();
}

const bytesOfRejects = sql`coalesce((select sum(pg_column_size(r.*)) from watchfloor.change_set_reject r
  where r.change_set = s.id), 0)`;

/** How many drafts a user has, with those of their API tokens, and the bytes of their ops and rejected rows as they are stored. */
export async function sizeOfDrafts(
  db: Db,
  user: string,
): Promise<{ drafts: number; bytes: number }> {
  const [size] = await rowsOf<{ drafts: number; bytes: number }>(db)`
    select count(*)::int as drafts, coalesce(sum(
      coalesce((select sum(pg_column_size(o.*)) from watchfloor.change_set_op o where o.change_set = s.id), 0)
      + ${bytesOfRejects}), 0)::float8 as bytes
    from watchfloor.change_set s where ${isBy(`user:${user}`)} and s.state in ('draft', ${WRITING})`;
  return size ?? { drafts: 0, bytes: 0 };
}

/** Deletes the rejected rows of a user's older imports: those of the newest remain, and others as far as all fit into so many bytes. */
export async function deleteOldRejects(db: Db, user: string, maxBytes: number): Promise<void> {
  await execute(db)`delete from watchfloor.change_set_reject where change_set in (
    select id from (
      select s.id, row_number() over newest as n, sum(${bytesOfRejects}) over newest as bytes
      from watchfloor.change_set s
      where ${isBy(`user:${user}`)} and s.origin = 'import' and s.state not in ('draft', ${WRITING})
      window newest as (order by s.created_at desc, s.id)) sized
    where n > 1 and bytes > ${maxBytes})`;
}

/** Deletes all but the newest of a user's cancelled sets that hold nothing: of drafts. */
export async function deleteOldCancelled(db: Db, user: string, retained: number): Promise<void> {
  await execute(db)`delete from watchfloor.change_set where id in (
    select s.id from watchfloor.change_set s
    where ${isBy(`user:${user}`)} and s.state = 'cancelled' and s.run = 0 and s.import is null
    order by s.updated_at desc, s.id offset ${retained})`;
}

export async function findChangeSet(db: Db, id: string): Promise<ChangeSetRow | null> {
  const { rows } = await from(
    sql`select * from watchfloor.change_set where id = ${id} and state <> ${WRITING}`,
  ).execute(db);
  return rows[0] ?? null;
}

/** The same, and nobody else changes it until the transaction ends. */
export async function holdChangeSet(tx: Db, id: string): Promise<ChangeSetRow | null> {
  await tx.selectFrom("watchfloor.change_set").where("id", "=", id).forUpdate().execute();
  return findChangeSet(tx, id);
}

export interface ChangeSetFilter {
  state?: ChangeSetState | undefined;
  actor?: string | undefined;
  /** Drafts of others are nobody's business; those of one's API tokens are one's own. */
  reader: string;
}

/** Whether a set is by a user, or by one of their API tokens. */
const isBy = (author: string | null) => sql`(s.author = ${author}::text or s.author in (
  select 'token:' || id from watchfloor.api_token where 'user:' || created_by = ${author}::text))`;

/** The newest sets before another one; with all states of the reader's own, and those of others that were applied. */
export async function listChangeSets(
  db: Db,
  { state, actor, reader }: ChangeSetFilter,
  { before, limit }: { before: ChangeSetRow | null; limit: number },
): Promise<ChangeSetRow[]> {
  const { rows } = await from(sql`select * from watchfloor.change_set s
    where s.state <> ${WRITING} and (${state ?? null}::text is null or s.state = ${state ?? null})
      and (${actor ?? null}::text is null or ${isBy(actor ?? null)})
      and (s.state <> 'draft' or ${isBy(reader)})
      and (${before?.id ?? null}::text is null
        or (s.created_at, s.id) < (${before?.created ?? null}::timestamptz, ${before?.id ?? null}))
    order by s.created_at desc, s.id desc limit ${limit}`).execute(db);
  return rows;
}

/** Notes that somebody has changed a draft. With other ops a revert may leave changes of its set as they are. */
export async function touchChangeSet(
  tx: Db,
  id: string,
  { title, hasOtherOps }: { title?: string | undefined; hasOtherOps: boolean },
): Promise<void> {
  await changeSet(tx, id)
    .set({ version: nextVersion, updated_at: now })
    .set({ ...(title !== undefined && { title }), ...(hasOtherOps && { reverts_all: false }) })
    .execute();
}

export async function deleteChangeSet(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom("watchfloor.change_set").where("id", "=", id).execute();
}

/** Fixes how a set will be applied, and by whom; false where it is another version, or no draft any more. */
export function startApplying(
  tx: Db,
  { id, version }: ChangeSetRow,
  { actor, atomic, batchSize }: { actor: string; atomic: boolean; batchSize: number },
): Promise<boolean> {
  const draft = changeSet(tx, id).where("version", "=", version).where("state", "=", "draft");
  const how = { author: actor, atomic, batch_size: batchSize, run: sql<number>`run + 1` };
  const begun = { state: "applying", version: nextVersion, updated_at: now } as const;
  return wrote(draft.set({ ...how, ...begun, cancelling: false, lease_until: null }));
}

/**
 * Takes or renews the lease. Null if another server holds it or the set is done. `batchSize` is the size of the holder's next
 * batch, stored before that is sent, so that the next holder sends the same one.
 */
export async function leaseChangeSet(
  db: Db,
  id: string,
  { holder, leaseMs, batchSize }: { holder: string; leaseMs: number; batchSize: number | null },
): Promise<ChangeSetRow | null> {
  const size = sql<number>`case when lease_by = ${holder} then ${batchSize} else batch_size end`;
  const lease = { lease_by: holder, lease_until: after(leaseMs) };
  const isHeld = await wrote(
    changeSet(db, id)
      .set({ ...lease, ...(batchSize !== null && { batch_size: size }) })
      .where("state", "=", "applying")
      .where((eb) => eb.or([eb("lease_by", "=", holder), isFree])),
  );
  return isHeld ? findChangeSet(db, id) : null;
}

const isFree = sql<SqlBool>`(lease_until is null or lease_until < now())`;

/** Sets that are being applied by no server. */
export async function findAbandoned(db: Db): Promise<string[]> {
  const sets = db.selectFrom("watchfloor.change_set").select("id").where("state", "=", "applying");
  return (await sets.where(isFree).orderBy("id").execute()).map(({ id }) => id);
}

/** Moves a set from one state to another; false where it is in a different one. */
export function moveChangeSet(
  tx: Db,
  id: string,
  { from: before, to }: { from: readonly ChangeSetState[]; to: ChangeSetState },
): Promise<boolean> {
  const applied = to === "applied" && { applied_at: sql<string>`coalesce(applied_at, now())` };
  const moved = { state: to, version: nextVersion, updated_at: now, lease_until: null };
  return wrote(
    changeSet(tx, id)
      .set({ ...moved, ...applied })
      .where("state", "=", anyOf(before)),
  );
}

export async function requestCancel(tx: Db, id: string): Promise<void> {
  const applying = changeSet(tx, id).where("state", "=", "applying");
  await applying.set({ cancelling: true, updated_at: now }).execute();
}

/** Deletes sets that nobody has touched for longer than the change log is retained; as much at once as of the log. */
export async function sweepChangeSets(db: Db, retentionMs: number): Promise<void> {
  const before = sweptBefore(
    retentionMs,
    "updated_at",
    "watchfloor.change_set where state <> 'applying'",
  );
  const over = db.deleteFrom("watchfloor.change_set").where("state", "<>", "applying");
  await over.where("updated_at", "<", before).execute();
}

/** Of these sets those of an author, with their titles. */
export async function titlesOfOwn(
  db: Db,
  actor: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const sets = db.selectFrom("watchfloor.change_set").select(["id", "title"]);
  const own = await sets.where("author", "=", actor).where("id", "=", anyOf(ids)).execute();
  return new Map(own.map(({ id, title }) => [id, title]));
}
