import { randomUUID } from "node:crypto";
import { explain } from "../../shared/error-texts/explain.ts";
import { isStorable } from "../../shared/filter/storable.ts";
import { rankMatches } from "../../shared/filter/text-search.ts";
import { idOfTable } from "../../shared/model/model.ts";
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
import {
  insertComment,
  markRead,
  placeInThread,
  setRemoved,
  updateComment,
} from "../store/comments.ts";
import {
  byModel,
  type Comments,
  findReadable,
  requireReadable,
  requireReaders,
  requireVisible,
  requireWritable,
} from "./comment-access.ts";
import { toInfo } from "./comment-info.ts";
import { findReaders } from "./find-readers.ts";

const MENTIONABLE_LISTED = 8;

/**
 * The commands on comments. Whoever can read a record now reads its comments; the grant `comment` writes
 * them. The comments of an unreadable record are answered like missing ones.
 */

export async function oneComment(
  comments: Comments,
  { subject }: Identity,
  id: string,
): Promise<CommentInfo> {
  return byModel(comments, { subject }, async () => {
    const { row, table } = await findReadable(comments, subject, id);
    return toInfo(row, table, subject);
  });
}

export async function addComment(
  comments: Comments,
  me: Identity,
  { id = randomUUID(), table: name, record, text }: CreateCommentCall,
) {
  await byModel(comments, me, async () => {
    const table = await requireWritable(comments, me.subject, name, record);
    const table_id = idOfTable(table);
    const users = mentionedUsers(text);
    await requireReaders(comments, table, record, users);
    const comment = { id, table_id, record, author: me.actor, text, mentions: users };
    const isStored = await insertComment(comments.database.kysely, comment);
    if (!isStored) throw new Refusal("mutation_mismatch", { mutation: id });
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
    const { row, table } = await findReadable(comments, me.subject, id);
    await requireWritable(comments, me.subject, table.name, row.record);
    if (text !== undefined && row.author !== me.actor) throw notYours();
    const before = mentionedUsers(row.text);
    const mentions = text === undefined ? before : mentionedUsers(text);
    const added = mentions.filter((user) => !before.includes(user));
    await requireReaders(comments, table, row.record, added);
    await updateComment(comments.database.kysely, row, me.actor, {
      ...(text !== undefined && { text, mentions, added }),
      ...(resolved !== undefined && { resolved }),
    });
  });
  return oneComment(comments, me, id);
}

/** Authors remove their comments, users with the right `activity` any. */
export async function removeComment(comments: Comments, me: Identity, id: string): Promise<void> {
  await byModel(comments, me, async () => {
    const { row, table } = await findReadable(comments, me.subject, id);
    if (!hasRight(me.subject, "activity")) {
      await requireWritable(comments, me.subject, table.name, row.record);
      if (row.author !== me.actor) throw notYours();
    }
    await setRemoved(comments.database.kysely, id, me.actor);
  });
}

/** Brings a comment back that the caller removed in the last 30 days. */
export async function restoreComment(
  comments: Comments,
  me: Identity,
  id: string,
): Promise<CommentInfo> {
  await byModel(comments, me, async () => {
    const { row, table } = await findReadable(comments, me.subject, id, true);
    if (row.removed_by !== me.actor) throw new Refusal("not_found");
    if (!hasRight(me.subject, "activity")) {
      await requireWritable(comments, me.subject, table.name, row.record);
    }
    await setRemoved(comments.database.kysely, id, null);
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
    const match = <User extends CommentUser>(users: readonly User[]) =>
      rankMatches(users, (user) => user.name, search);
    return findReaders(comments.database, table, record, match, MENTIONABLE_LISTED);
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
    const { kysely } = comments.database;
    const n = isStorable(until) ? await placeInThread(kysely, { table_id, record, until }) : null;
    if (n === null) throw new Refusal("not_found");
    await requireVisible(comments, subject, table, { record, n });
    await markRead(kysely, subject.id, { table_id, record, n });
  });
}

function notYours(): Refusal {
  return new Refusal("forbidden", { right: "activity" }, explain("comment.author"));
}
