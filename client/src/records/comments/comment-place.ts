import { recordAddress } from "../../../../shared/record-address.ts";

/** Where unsent comments are stored among the unsaved texts; no field has such a name. */
export const COMMENT_PLACE = "#comment";

/** Where the unsent new text of a comment is stored. */
export function editedCommentPlace(id: string): string {
  return `${COMMENT_PLACE} ${id}`;
}

export function isCommentPlace(field: string): boolean {
  return field.startsWith(COMMENT_PLACE);
}

/** The part of an address that opens the comments of a record. */
export const COMMENTS_HASH = "#comments";

/** The address of a record with its comments open. */
export function commentsAddress(table: string, record: string): string {
  return `${recordAddress(table, record)}${COMMENTS_HASH}`;
}
