import { z } from "zod";
import { viewDocumentSchema } from "../model/view/view.ts";
import { nameSchema } from "./record.ts";

const whoSchema = z.object({ id: z.string(), name: z.string() });

/** A view, as far as its reader may see the table: a column that they may not see is left out. */
export const viewSchema = viewDocumentSchema.extend({
  id: z.string(),
  table: z.string(),
  /** Whose it is, or who has shared it; null where a template or somebody who is gone has. */
  owner: whoSchema.nullable(),
  updated: z.object({ at: z.string(), by: whoSchema.nullable() }),
});
export type ViewInfo = z.infer<typeof viewSchema>;

/** `POST /views`. What is absent is as the table has it: no filter, its own order and columns. */
export const createViewSchema = viewDocumentSchema
  .partial({ shared: true, filter: true, sort: true, columns: true, group: true })
  .extend({ table: nameSchema });
export type CreateViewCall = z.infer<typeof createViewSchema>;

/**
 * `PATCH /views/:id`: what is absent stays. `base` holds what the author saw of what they change: where
 * something else stands by now the answer is `conflict`, and nothing is changed.
 */
export const patchViewSchema = viewDocumentSchema
  .partial()
  .extend({ base: viewDocumentSchema.partial().optional() });
export type PatchViewCall = z.infer<typeof patchViewSchema>;
