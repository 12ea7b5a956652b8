import { z } from "zod";
import { isStorable, NOT_STORABLE } from "../filter/storable.ts";
import { toNfc } from "../filter/to-nfc.ts";
import { mentionedUsers } from "./mentions.ts";
import { authorSchema, nameSchema, recordIdSchema } from "./record.ts";

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

export const mentionableSchema = userSchema;

export const commentSchema = z
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
export const createCommentSchema = z.strictObject({
  id: z.uuid().exactOptional(),
  table: nameSchema,
  record: recordIdSchema,
  text: commentTextSchema,
});
export type CreateCommentCall = z.infer<typeof createCommentSchema>;

/** `PATCH /comments/:id`: authors change the text, everybody who may comment resolves and reopens. */
export const patchCommentSchema = z.strictObject({
  text: commentTextSchema.optional(),
  resolved: z.boolean().optional(),
});
export type PatchCommentCall = z.infer<typeof patchCommentSchema>;

/** `PUT /comments/read`: `until` is the newest comment that the user has seen. */
export const readCommentsSchema = z.strictObject({
  table: nameSchema,
  record: recordIdSchema,
  until: z.string().max(120),
});
export type ReadCommentsCall = z.infer<typeof readCommentsSchema>;
