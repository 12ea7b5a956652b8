import { foldCase } from "../../shared/filter/fold-case.ts";
import { idOfTable, type Table } from "../../shared/model/model.ts";
import { grantOn } from "../../shared/policy/role.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import type { CommentFilter, CommentInfo } from "../../shared/protocol/comments.ts";
import type { Identity } from "../auth/identity.ts";
import {
  type NewestFirst,
  pageOf,
  placeOf,
  readableNow,
  tableMissing,
} from "../commands/read-activity.ts";
import { type ReadableTable, readableTable, readableTables } from "../policy/authorize.ts";
import { type CommentRow, findComments, listComments } from "../store/comments.ts";
import { byModel, type Comments, requireReadable } from "./comment-access.ts";
import { toInfo } from "./comment-info.ts";
import { findHiddenComments, isHidden } from "./hidden-comments.ts";

/** Comments that are read by one statement, and by one call. */
const WINDOW_COMMENTS = 200;
const CALL_MAX_COMMENTS = 2_000;

type Scopes = Map<string, ReadableTable>;

/** The newest comments in the reader's scope: of one record, or of all. */
export async function visibleComments(
  comments: Comments,
  { subject }: Identity,
  call: CommentFilter,
): Promise<NewestFirst<CommentInfo>> {
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

/** Of these comments, by their ids, those that the reader can read now. */
export async function commentsById(
  comments: Comments,
  subject: Subject,
  ids: readonly string[],
): Promise<Map<string, CommentInfo>> {
  if (ids.length === 0) return new Map();
  const scopes = await scopesOf(comments, subject, {});
  const rows = await findComments(comments.database.kysely, subject.id, ids);
  const visible = await visibleOf(comments, rows, scopes, subject);
  return new Map(
    visible.map((row) => [row.id, toInfo(row, scopes.get(row.table_id)?.table as Table, subject)]),
  );
}

/** By their ids, the tables whose comments are requested. */
async function scopesOf(
  comments: Comments,
  subject: Subject,
  { table: name, record }: CommentFilter,
): Promise<Scopes> {
  const { model } = comments;
  if (name === undefined && record !== undefined) throw tableMissing("record");
  const readable =
    name === undefined ? readableTables(subject, model()) : [readableTable(subject, model(), name)];
  if (name !== undefined && record !== undefined)
    await requireReadable(comments, subject, name, record);
  return new Map(readable.map((one) => [idOfTable(one.table), one]));
}

/** Of these comments those that the reader can read now, in the same order. */
async function visibleOf(
  comments: Comments,
  rows: readonly CommentRow[],
  scopes: Scopes,
  { role }: Subject,
): Promise<CommentRow[]> {
  const visible = new Set<CommentRow>();
  for (const [id, own] of Map.groupBy(rows, ({ table_id }) => table_id)) {
    const at = scopes.get(id);
    if (!at) continue;
    const ids = [...new Set(own.map(({ record }) => record))];
    const withDeleted = grantOn(role, at.table).history === true;
    const readable = await readableNow(comments, at, ids, withDeleted);
    const hidden = await findHiddenComments(comments.database, at, [...readable]);
    for (const row of own) {
      if (readable.has(row.record) && !isHidden(hidden, row)) visible.add(row);
    }
  }
  return rows.filter((row) => visible.has(row));
}
