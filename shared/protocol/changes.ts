import { z } from "zod";
import { jsonSchema } from "../filter/json-schema.ts";
import { authorSchema } from "./record.ts";

/** One change as a scope sees it: `insert` with all visible fields, `update` with the changed ones. */
export const changeSchema = z
  .object({
    seq: z.int(),
    kind: z.enum(["insert", "update", "delete"]),
    record: z.string(),
    set: z.record(z.string(), jsonSchema),
    by: authorSchema,
    at: z.string(),
    mutation: z.string().optional(),
    transition: z.string().optional(),
  })
  .meta({ id: "Change" });
export type WireChange = z.infer<typeof changeSchema>;

/** The fingerprint of the change at a position. It is sent back with the position, which another history may have, too. */
export const markSchema = z.string().max(16);

/** Server → client. Every message continues where the one before ended: `from` = previous `to`. `mark` is that of `to`. */
export const changesSchema = z.object({
  table: z.string(),
  epoch: z.string(),
  from: z.int(),
  to: z.int(),
  mark: markSchema.optional(),
  changes: z.array(changeSchema),
});
export type ChangesMessage = z.infer<typeof changesSchema>;
