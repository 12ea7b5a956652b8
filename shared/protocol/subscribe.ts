import { z } from "zod";
import { changeSchema, markSchema } from "./changes.ts";
import { nameSchema } from "./record.ts";

/** Client → server: follow a table, from a known position if the client has one. */
export const subscribeSchema = z.strictObject({
  table: nameSchema,
  after: z
    .strictObject({
      epoch: z.string().max(64),
      seq: z.int().min(0),
      scope: z.string().max(128),
      mark: markSchema.optional(),
    })
    .optional(),
});
export type SubscribeCall = z.infer<typeof subscribeSchema>;

/**
 * `mark` is that of `seq`. `replay` leads from `after` to `seq`; `resync` means that the client must discard what it holds. Either way
 * `changes` follow from `seq` without a gap.
 */
export const subscribeAnswerSchema = z.object({
  epoch: z.string(),
  seq: z.int(),
  scope: z.string(),
  mark: markSchema.optional(),
  replay: z.array(changeSchema).optional(),
  resync: z.literal(true).optional(),
});
export type SubscribeAnswer = z.infer<typeof subscribeAnswerSchema>;

export const unsubscribeSchema = z.strictObject({ table: nameSchema });
export type UnsubscribeCall = z.infer<typeof unsubscribeSchema>;
