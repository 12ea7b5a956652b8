import { z } from "zod";
import { jsonSchema } from "../filter/json-schema.ts";
import { originSchema } from "./origin.ts";
import { authorSchema, nameSchema } from "./record.ts";

/** One entry of a record's history: each visible field that changed, before and after. */
export const historyEntrySchema = z
  .object({
    seq: z.int(),
    kind: z.enum(["insert", "update", "delete"]),
    by: authorSchema,
    at: z.string(),
    fields: z.record(z.string(), z.object({ before: jsonSchema, after: jsonSchema })),
    mutation: z.string().optional(),
    /** Absent for changes of other programs, and for those made before origins were recorded. */
    origin: originSchema.optional(),
    /** The change set that made the change. */
    changeSet: z.string().optional(),
    transition: z.string().optional(),
    reason: z.string().optional(),
    /** Fields whose values were erased for good: what they held before and after is null. */
    erased: z.array(z.string()).optional(),
  })
  .meta({ id: "HistoryEntry" });
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** One entry of the activity: a change of some record of some table. */
export const activityEntrySchema = historyEntrySchema.extend({
  table: nameSchema,
  record: z.string(),
});
export type ActivityEntry = z.infer<typeof activityEntrySchema>;
