import type { Table } from "../../shared/model/model.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import type { CommentInfo } from "../../shared/protocol/comments.ts";
import { authorOf } from "../store/author.ts";
import type { CommentRow } from "../store/comments.ts";

/** A stored comment for its reader. */
export function toInfo(row: CommentRow, table: Table, reader: Subject): CommentInfo {
  const author = authorOf(row.author, row.author_name);
  const { resolved_at, resolved_by, resolver_name } = row;
  const isOwn = author.kind === "user" && author.id === reader.id;
  return {
    id: row.id,
    table: table.name,
    record: row.record,
    author: { ...author, colour: row.author_colour ?? "" },
    text: row.text,
    mentions: row.mentioned,
    at: row.created_at,
    edited: row.edited_at,
    resolved:
      resolved_at !== null
        ? { at: resolved_at, by: authorOf(resolved_by ?? "", resolver_name) }
        : null,
    unread: !isOwn && row.n > (row.upto ?? 0),
  };
}
