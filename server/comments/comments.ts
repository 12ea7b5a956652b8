import { randomUUID } from "node:crypto";
import type { CommentFilter } from "../../shared/contract/comments.ts";
import { foldCase } from "../../shared/filter/fold-case.ts";
import { isStorable } from "../../shared/filter/storable.ts";
import { findTable, idOfTable, type Table } from "../../shared/model/model.ts";
import { grantOn } from "../../shared/policy/role.ts";
import { type Scope, type Subject, scopeOf } from "../../shared/policy/scope.ts";
import type {
  CommentInfo,
  CommentUser,
  CreateCommentCall,
  PatchCommentCall,
  ReadCommentsCall,
} from "../../shared/protocol/comments.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { mentionedUsers } from "../../shared/protocol/mentions.ts";
import type { Identity } from "../auth/identity.ts";
import { hasRight } from "../auth/require-right.ts";
import { readableNow } from "../commands/read-activity.ts";
import { readRecord } from "../commands/read-record.ts";
import { missingRight, requireScope } from "../policy/authorize.ts";
import {
  type CommentChange,
  type CommentRow,
  findComment,
  insertComment,
  listComments,
  markRead,
  setRemoved,
  updateComment,
} from "../store/comments.ts";
import { publishedVersion } from "../store/models.ts";
import { type Context, requireModel, withPublishedModel } from "../store/published-model.ts";
import type { ReadTurns } from "../store/read-turns.ts";
import { type CommentPage, pageOf, placeOf, toInfo } from "./comment-page.ts";
import { findReaders } from "./find-readers.ts";

/**
 * What these commands work on. Comments are read together with their records: in the same turns, and `database` has the same
 * connections.
 */
export interface Comments extends Context {
  reads: ReadTurns;
  /** Called after comments were changed or read. */
  onChange: (change: CommentChange) => void;
}

/** Comments that are read by one statement, and by one call. */
const WINDOW_COMMENTS = 200;
const CALL_MAX_COMMENTS = 2_000;
const MENTIONABLE_LISTED = 8;

/**
 * The commands on comments. Whoever can read a record now reads its comments; the grant `comment` writes
 * them. The comments of an unreadable record are answered like missing ones.
 */

/** The newest comments in the reader's scope: of one record, or of all. */
export async function visibleComments(
  comments: Comments,
  { subject }: Identity,
  call: CommentFilter,
): Promise<CommentPage> {
  return byModel(comments, { subject }, async () => {
    const scopes = await scopesOf(comments, subject, call);
    const { limits, database } = comments;
    const limit = Math.min(call.limit ?? limits.PAGE_DEFAULT_RECORDS, limits.PAGE_MAX_RECORDS);
    const query = {
      ...call,
      tables: [...scopes.keys()],
      mentioned: call.mentioned && subject.id,
      size: WINDOW_COMMENTS,
    };
    const search = foldCase(call.search?.trim() ?? "");
    const items: CommentInfo[] = [];
    let before = placeOf(call.before);
    for (let looked = 0; looked < CALL_MAX_COMMENTS; looked += WINDOW_COMMENTS) {
      const rows = await listComments(database.kysely, subject.id, { ...query, before });
      for (const row of await visibleOf(comments, rows, scopes, subject)) {
        if (items.length === limit) return pageOf(items, before);
        before = row.n;
        const info = toInfo(row, scopes.get(row.table_id)?.table as Table, subject);
        if (foldCase(info.text).includes(search)) items.push(info);
      }
      if (rows.length < WINDOW_COMMENTS) return pageOf(items, null);
      before = rows.at(-1)?.n ?? null;
    }
    return pageOf(items, before);
  });
}

export async function oneComment(
  comments: Comments,
  { subject }: Identity,
  id: string,
): Promise<CommentInfo> {
  return byModel(comments, { subject }, async () => {
    const { row, table } = await find(comments, subject, id);
    return toInfo(row, table, subject);
  });
}

export async function addComment(
  comments: Comments,
  me: Identity,
  { table: name, record, text }: CreateCommentCall,
) {
  const id = randomUUID();
  await byModel(comments, me, async () => {
    const table = await requireWritable(comments, me.subject, name, record);
    const table_id = idOfTable(table);
    const users = mentionedUsers(text);
    await requireReaders(comments, table, record, users);
    const comment = { id, table_id, record, author: me.actor, text, mentions: users };
    await insertComment(comments.database.kysely, comment);
    comments.onChange({ users, thread: { table_id, record } });
  });
  return oneComment(comments, me, id);
}

/** Edits one's own text, or resolves or reopens any comment. */
export async function changeComment(
  comments: Comments,
  me: Identity,
  id: string,
  { text, resolved }: PatchCommentCall,
) {
  await byModel(comments, me, async () => {
    const { row, table } = await find(comments, me.subject, id);
    await requireWritable(comments, me.subject, table.name, row.record);
    if (text !== undefined && row.author !== me.actor) throw notYours();
    const before = mentionedUsers(row.text);
    const mentions = text === undefined ? before : mentionedUsers(text);
    const added = mentions.filter((user) => !before.includes(user));
    await requireReaders(comments, table, row.record, added);
    await updateComment(comments.database.kysely, id, me.actor, {
      ...(text !== undefined && { text, mentions }),
      ...(resolved !== undefined && { resolved }),
    });
    changed(comments, row, [...before, ...mentions]);
  });
  return oneComment(comments, me, id);
}

/** Authors remove their comments, users with the right `activity` any. */
export async function removeComment(comments: Comments, me: Identity, id: string): Promise<void> {
  await byModel(comments, me, async () => {
    const { row, table } = await find(comments, me.subject, id);
    if (!hasRight(me.subject, "activity")) {
      await requireWritable(comments, me.subject, table.name, row.record);
      if (row.author !== me.actor) throw notYours();
    }
    await setRemoved(comments.database.kysely, id, me.actor);
    changed(comments, row, mentionedUsers(row.text));
  });
}

/** Brings a comment back that the caller removed in the last 30 days. */
export async function restoreComment(
  comments: Comments,
  me: Identity,
  id: string,
): Promise<CommentInfo> {
  await byModel(comments, me, async () => {
    const { row, table } = await find(comments, me.subject, id, true);
    if (row.removed_by !== me.actor) throw new Refusal("not_found");
    if (!hasRight(me.subject, "activity")) {
      await requireWritable(comments, me.subject, table.name, row.record);
    }
    await setRemoved(comments.database.kysely, id, null);
    changed(comments, row, mentionedUsers(row.text));
  });
  return oneComment(comments, me, id);
}

/** Users who can be mentioned on a record, by a part of their name. */
export async function mentionableUsers(
  comments: Comments,
  { subject }: Identity,
  {
    table: name,
    record,
    search = "",
  }: { table: string; record: string; search?: string | undefined },
): Promise<CommentUser[]> {
  return byModel(comments, { subject }, async () => {
    const table = await requireWritable(comments, subject, name, record);
    const part = foldCase(search.trim());
    const matches = (user: CommentUser) => foldCase(user.name).includes(part);
    return findReaders(comments.database, table, record, matches, MENTIONABLE_LISTED);
  });
}

export async function markThreadRead(
  comments: Comments,
  { subject }: Identity,
  { table: name, record, until }: ReadCommentsCall,
) {
  await byModel(comments, { subject }, async () => {
    const table = await requireReadable(comments, subject, name, record);
    const table_id = idOfTable(table);
    const thread = { table_id, record, until };
    const { kysely } = comments.database;
    if (!isStorable(until) || !(await markRead(kysely, subject.id, thread))) {
      throw new Refusal("not_found");
    }
    comments.onChange({ users: [subject.id] });
  });
}

function changed(
  comments: Comments,
  { table_id, record }: CommentRow,
  users: readonly string[],
): void {
  comments.onChange({ users: [...new Set(users)], thread: { table_id, record } });
}

/** Runs in the caller's turn, by the published model: another server may have changed it a moment ago. */
function byModel<Result>(
  { database, model, reads }: Comments,
  me: Pick<Identity, "subject">,
  attempt: () => Promise<Result>,
): Promise<Result> {
  return reads.run(me, () =>
    withPublishedModel(model.refresh, async () => {
      requireModel({ modelVersion: await publishedVersion(database.kysely) }, model());
      return attempt();
    }),
  );
}

/** The comment, if its record can be read; a removed one if it can be restored. */
async function find(comments: Comments, subject: Subject, id: string, removed = false) {
  const { database, model } = comments;
  const row = isStorable(id) ? await findComment(database.kysely, subject.id, id, removed) : null;
  const table = row && model().tables.find((one) => idOfTable(one) === row.table_id);
  if (!row || !table) throw new Refusal("not_found");
  await requireReadable(comments, subject, table.name, row.record);
  return { row, table };
}

/** The comments of a deleted record are part of its history. */
async function requireReadable(
  comments: Comments,
  subject: Subject,
  name: string,
  record: string,
): Promise<Table> {
  const table = findTable(comments.model(), name) as Table;
  await readRecord(comments, subject, name, record).catch((error) => {
    const isDeleted = error instanceof Refusal && error.code === "record_deleted";
    if (!isDeleted || !grantOn(subject.role, table).history) throw error;
  });
  return table;
}

async function requireWritable(
  comments: Comments,
  subject: Subject,
  name: string,
  record: string,
): Promise<Table> {
  await readRecord(comments, subject, name, record);
  const table = findTable(comments.model(), name) as Table;
  if (!grantOn(subject.role, table).comment) throw missingRight("comment", table);
  return table;
}

/** Refuses mentions of users who can't read the record, exactly like those of users who don't exist. */
async function requireReaders(
  comments: Comments,
  table: Table,
  record: string,
  users: readonly string[],
): Promise<void> {
  if (users.length === 0) return;
  const isNamed = ({ id }: CommentUser) => users.includes(id);
  const readers = await findReaders(comments.database, table, record, isNamed, users.length);
  if (readers.length === users.length) return;
  const message = "Only users who can read this record can be mentioned.";
  throw new Refusal("validation_failed", { fields: { text: { rule: "mention", message } } });
}

/** By their ids, the tables whose comments are requested. */
async function scopesOf(
  comments: Comments,
  subject: Subject,
  { table: name, record }: CommentFilter,
): Promise<Scopes> {
  const { model } = comments;
  if (name === undefined) {
    if (record !== undefined) {
      throw new Refusal(
        "invalid_request",
        { at: "record" },
        "A record is one of a table: say which.",
      );
    }
    const readable = model().tables.flatMap((table) => {
      const scope = scopeOf(subject, table);
      return scope ? [[idOfTable(table), { table, scope }] as const] : [];
    });
    return new Map(readable);
  }
  const table = findTable(model(), name) as Table;
  const scope = requireScope(subject, table);
  if (record !== undefined) await requireReadable(comments, subject, name, record);
  return new Map([[idOfTable(table), { table, scope }]]);
}

/** Of these comments those on records that the reader can read now, in the same order. */
async function visibleOf(
  comments: Comments,
  rows: readonly CommentRow[],
  scopes: Scopes,
  { role }: Subject,
): Promise<CommentRow[]> {
  const readable = new Map<string, ReadonlySet<string>>();
  for (const [id, own] of Map.groupBy(rows, ({ table_id }) => table_id)) {
    const at = scopes.get(id);
    const ids = [...new Set(own.map(({ record }) => record))];
    if (!at) continue;
    const withDeleted = grantOn(role, at.table).history === true;
    readable.set(id, await readableNow(comments, at, ids, withDeleted));
  }
  return rows.filter(({ table_id, record }) => readable.get(table_id)?.has(record));
}

type Scopes = Map<string, { table: Table; scope: Scope }>;

function notYours(): Refusal {
  return new Refusal("forbidden", { right: "activity" }, "Only its author can change a comment.");
}
