import { z } from "zod";
import { authorSchema } from "./record.ts";

/** One entry of a record's history: each visible field that changed, before and after. */
export const historyEntrySchema = z.object({
  seq: z.int(),
  kind: z.enum(["insert", "update", "delete"]),
  by: authorSchema,
  at: z.string(),
  fields: z.record(z.string(), z.object({ before: z.json(), after: z.json() })),
  mutation: z.string().optional(),
  transition: z.string().optional(),
  reason: z.string().optional(),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;
