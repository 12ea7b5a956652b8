import { z } from "zod";
import {
  commentSchema,
  createCommentSchema,
  mentionableSchema,
  patchCommentSchema,
  readCommentsSchema,
} from "../protocol/comments.ts";
import { nameSchema, recordIdSchema } from "../protocol/record.ts";
import { limitParam, timeParam } from "./query-params.ts";
import { byId, defineRoutes, listOf } from "./route.ts";

const commentFilter = z.strictObject({
  table: nameSchema.optional().describe("Only comments on records of this table."),
  record: recordIdSchema.optional().describe("Only comments on the record with this id."),
  by: z.string().max(120).optional().describe("Only comments by the user with this id."),
  from: timeParam.optional().describe("Only comments at or after this time."),
  to: timeParam.optional().describe("Only comments before this time."),
  search: z.string().max(500).optional().describe("Only comments with this text."),
  mentioned: z.literal("true").optional().describe("Only comments that mention the caller."),
  before: z.string().max(20).optional().describe("The `next` of the previous page."),
  limit: limitParam.optional(),
});
export type CommentFilter = z.output<typeof commentFilter>;

/** Comments: users who read a record read them, the grant `comment` writes them. */
export const commentRoutes = defineRoutes({
  "GET /comments": {
    summary:
      "The comments on records that the caller can read now, newest first: of one record with `table` and `record`, or the newest of all. Go on with the `next` of the answer as `before`.",
    right: "session",
    tokens: true,
    query: commentFilter,
    answer: listOf(commentSchema).extend({ next: z.string().nullable() }),
    errors: ["not_found", "record_deleted", "query_timeout"],
  },
  "POST /comments": {
    summary:
      "Comment on a record. `<@id>` in the text mentions a user, who must be able to read the record. With an `id` of the caller's choice, a repeat is answered and stored once.",
    right: "session",
    tokens: true,
    body: createCommentSchema,
    answer: commentSchema,
    status: 201,
    errors: [
      "not_found",
      "record_deleted",
      "query_timeout",
      "validation_failed",
      "mutation_mismatch",
    ],
  },
  "GET /comments/mentionable": {
    summary: "Users who can read a record now and so can be mentioned, by a part of their name.",
    right: "session",
    tokens: true,
    query: z.strictObject({
      table: nameSchema.describe("The table of the record."),
      record: recordIdSchema.describe("The id of the record."),
      search: z.string().max(120).optional().describe("A part of the user's name."),
    }),
    answer: listOf(mentionableSchema),
    errors: ["not_found", "record_deleted", "query_timeout", "forbidden"],
  },
  "PUT /comments/read": {
    summary: "Mark the comments on a record as read by the caller, up to one of them.",
    right: "session",
    body: readCommentsSchema,
    errors: ["not_found", "record_deleted", "query_timeout"],
  },
  "GET /comments/{id}": {
    summary: "One comment.",
    right: "session",
    tokens: true,
    params: byId,
    answer: commentSchema,
    errors: ["record_deleted", "query_timeout"],
  },
  "PATCH /comments/{id}": {
    summary: "Edit one's own comment; resolve or reopen any.",
    right: "session",
    tokens: true,
    params: byId,
    body: patchCommentSchema,
    answer: commentSchema,
    errors: ["record_deleted", "query_timeout", "validation_failed"],
  },
  "DELETE /comments/{id}": {
    summary: "Remove one's own comment; with the right `activity` any.",
    right: "session",
    tokens: true,
    params: byId,
    errors: ["record_deleted", "query_timeout"],
  },
  "POST /comments/{id}/restore": {
    summary: "Bring a comment back that the caller removed in the last 30 days.",
    right: "session",
    tokens: true,
    params: byId,
    answer: commentSchema,
    errors: ["record_deleted", "query_timeout"],
  },
});
