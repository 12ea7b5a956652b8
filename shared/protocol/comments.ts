import { z } from "zod";
import { isStorable, NOT_STORABLE } from "../filter/storable.ts";
import { toNfc } from "../filter/to-nfc.ts";
import { mentionedUsers } from "./mentions.ts";
import { limitParam, timeParam } from "./query-params.ts";
import { authorSchema, nameSchema, recordIdSchema } from "./record.ts";
import { byId, defineRoutes, listOf } from "./route.ts";

export const COMMENT_MAX_CHARACTERS = 10_000;
export const COMMENT_MAX_MENTIONS = 20;

export const commentTextSchema = z
  .string()
  .trim()
  .overwrite(toNfc)
  .min(1)
  .max(COMMENT_MAX_CHARACTERS)
  .refine(isStorable, { error: NOT_STORABLE })
  .refine((text) => mentionedUsers(text).length <= COMMENT_MAX_MENTIONS, {
    error: `may mention at most ${COMMENT_MAX_MENTIONS} users`,
  });

const userSchema = z.object({ id: z.string(), name: z.string(), colour: z.string() });
/** A user as they appear beside comments. */
export type CommentUser = z.infer<typeof userSchema>;

const mentionableSchema = userSchema;

const commentSchema = z
  .object({
    id: z.string(),
    table: z.string(),
    record: z.string(),
    author: authorSchema.extend({ colour: z.string() }),
    /** With mentions as `<@id>`. */
    text: z.string(),
    /** The mentioned users, as far as they still exist. */
    mentions: z.array(userSchema),
    at: z.string(),
    edited: z.string().nullable(),
    resolved: z.object({ at: z.string(), by: authorSchema }).nullable(),
    /** Another user wrote it, and the reader has not seen it yet. */
    unread: z.boolean(),
  })
  .meta({ id: "Comment" });
export type CommentInfo = z.infer<typeof commentSchema>;

/** `POST /comments`. The id, a UUID of the caller's choice, makes a repeat harmless. */
const createCommentSchema = z.strictObject({
  id: z.uuid().exactOptional(),
  table: nameSchema,
  record: recordIdSchema,
  text: commentTextSchema,
});
export type CreateCommentCall = z.infer<typeof createCommentSchema>;

/** `PATCH /comments/:id`: authors change the text, everybody who may comment resolves and reopens. */
const patchCommentSchema = z.strictObject({
  text: commentTextSchema.optional(),
  resolved: z.boolean().optional(),
});
export type PatchCommentCall = z.infer<typeof patchCommentSchema>;

/** `PUT /comments/read`: `until` is the newest comment that the user has seen. */
const readCommentsSchema = z.strictObject({
  table: nameSchema,
  record: recordIdSchema,
  until: z.string().max(120),
});
export type ReadCommentsCall = z.infer<typeof readCommentsSchema>;

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
export const commentRoutes = defineRoutes(() => ({
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
}));
