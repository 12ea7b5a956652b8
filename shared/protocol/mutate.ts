import { z } from "zod";
import {
  authorSchema,
  clientOriginSchema,
  nameSchema,
  recordIdSchema,
  valuesSchema,
} from "./record.ts";

const createOp = z.strictObject({
  op: z.literal("create"),
  table: nameSchema,
  record: recordIdSchema.optional(),
  values: valuesSchema,
});
/** The record as of this version: one that was deleted and created anew under its id since is another one, and is refused. */
const sameRecord = z.string().max(100).optional();
/** `base` holds, for each field of `set`, the value that the author saw. */
const updateOp = z.strictObject({
  op: z.literal("update"),
  table: nameSchema,
  record: recordIdSchema,
  set: valuesSchema,
  base: valuesSchema,
  version: sameRecord,
});
const deleteOp = z.strictObject({
  op: z.literal("delete"),
  table: nameSchema,
  record: recordIdSchema,
  version: z.string().max(100),
});
/**
 * Restores a deleted record as it was, state included; an existing record is left unchanged. `version` is that of the
 * deletion that the author saw: one that was restored and deleted again since, or created anew, is refused.
 */
const restoreOp = z.strictObject({
  op: z.literal("restore"),
  table: nameSchema,
  record: recordIdSchema,
  version: z.string().max(100).optional(),
});
const transitionOp = z.strictObject({
  op: z.literal("transition"),
  table: nameSchema,
  record: recordIdSchema,
  transition: nameSchema,
  from: z.string().max(500),
  set: valuesSchema.optional(),
  base: valuesSchema.optional(),
  reason: z.string().max(2_000).optional(),
  version: sameRecord,
});

export const opSchema = z
  .discriminatedUnion("op", [createOp, updateOp, deleteOp, restoreOp, transitionOp])
  .meta({ id: "Op" });
export type WireOp = z.infer<typeof opSchema>;

/**
 * Client → server: many ops at once. `id` makes a repeat harmless: it is answered, not applied again. `origin` counts
 * only for a signed-in browser: the changes of a token are of origin `api`.
 */
export const mutateSchema = z.strictObject({
  id: z.string().min(1).max(100),
  atomic: z.boolean().optional(),
  origin: clientOriginSchema.optional(),
  ops: z.array(opSchema).min(1),
});
export type MutateCall = z.infer<typeof mutateSchema>;

export const errorBodySchema = z.looseObject({ code: z.string(), message: z.string() });

/** One result per op, in the order of `ops`. */
export const opResultSchema = z
  .union([
    z.object({
      ok: z.literal(true),
      record: z.string(),
      version: z.string(),
      seq: z.int(),
      /** The op had nothing to change. */
      unchanged: z.literal(true).optional(),
      /** Who has restored the record since the deletion that a `restore` names. */
      by: authorSchema.optional(),
    }),
    z.object({ ok: z.literal(false), error: errorBodySchema }),
  ])
  .meta({ id: "OpResult" });
export type OpResult = z.infer<typeof opResultSchema>;

export const mutateAnswerSchema = z.object({ results: z.array(opResultSchema) });
export type MutateAnswer = z.infer<typeof mutateAnswerSchema>;
