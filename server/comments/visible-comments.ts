import { readableTable } from "../policy/authorize.ts";
import type { CommentFilter } from "../../shared/contract/comments.ts";
import { englishOnly } from "../../shared/error-texts/explain.ts";
import { foldCase } from "../../shared/filter/fold-case.ts";
import { idOfTable, type Table } from "../../shared/model/model.ts";
import { grantOn } from "../../shared/policy/role.ts";
import { type Scope, type Subject, scopeOf } from "../../shared/policy/scope.ts";
import type { CommentInfo } from "../../shared/protocol/comments.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { Identity } from "../auth/identity.ts";
import { readableNow } from "../commands/read-activity.ts";
import { type CommentRow, listComments } from "../store/comments.ts";
import { byModel, type Comments, requireReadable } from "./comment-access.ts";
import { type CommentPage, pageOf, placeOf, toInfo } from "./comment-page.ts";
import { findHiddenComments, isHidden } from "./hidden-comments.ts";

/** Comments that are read by one statement, and by one call. */
const WINDOW_COMMENTS = 200;
const CALL_MAX_COMMENTS = 2_000;

type Scopes = Map<string, { table: Table; scope: Scope }>;

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
        englishOnly("A record is one of a table: say which."),
      );
    }
    const readable = model().tables.flatMap((table) => {
      const scope = scopeOf(subject, table);
      return scope ? [[idOfTable(table), { table, scope }] as const] : [];
    });
    return new Map(readable);
  }
  const readable = readableTable(subject, model(), name);
  if (record !== undefined) await requireReadable(comments, subject, name, record);
  return new Map([[idOfTable(readable.table), readable]]);
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
