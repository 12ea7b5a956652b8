import type { CommentFilter } from "../../../../shared/contract/comments.ts";
import type {
  CommentInfo,
  CommentUser,
  PatchCommentCall,
} from "../../../../shared/protocol/comments.ts";
import { rest } from "../../transport/rest.ts";

export interface CommentPage {
  /** Newest first. */
  items: CommentInfo[];
  /** Null if there are no older ones. */
  next: string | null;
}

interface Thread {
  table: string;
  record: string;
}

/** The comments that match, of one record or of all that the user can read. */
export async function listComments(query: CommentFilter): Promise<CommentPage> {
  return rest("GET /comments", { query });
}

export async function addComment(thread: Thread, text: string): Promise<void> {
  await rest("POST /comments", { body: { ...thread, text } });
}

/** Edits the text, or resolves or reopens the comment. */
export async function changeComment(id: string, body: PatchCommentCall): Promise<void> {
  await rest("PATCH /comments/{id}", { params: { id }, body });
}

export async function removeComment(id: string): Promise<void> {
  await rest("DELETE /comments/{id}", { params: { id } });
}

/** Brings back a comment that the user removed. */
export async function restoreComment(id: string): Promise<void> {
  await rest("POST /comments/{id}/restore", { params: { id } });
}

/** Marks a thread as read up to a comment. */
export async function markCommentsRead(thread: Thread, until: string): Promise<void> {
  await rest("PUT /comments/read", { body: { ...thread, until } });
}

/** Users who can read the record, by a part of their name. */
export async function findMentionable(thread: Thread, search: string): Promise<CommentUser[]> {
  return (await rest("GET /comments/mentionable", { query: { ...thread, search } })).items;
}
