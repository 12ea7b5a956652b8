import { z } from "zod";
import { viewDocumentSchema } from "../model/view/view.ts";
import { nameSchema } from "./record.ts";

const whoSchema = z.object({ id: z.string(), name: z.string() });

/** A view, as far as its reader may see the table: hidden columns are left out. */
export const viewSchema = viewDocumentSchema
  .extend({
    id: z.string(),
    table: z.string(),
    /** The owner, or who shared it; null for a template or a deleted user. */
    owner: whoSchema.nullable(),
    updated: z.object({ at: z.string(), by: whoSchema.nullable() }),
  })
  .meta({ id: "View" });
export type ViewInfo = z.infer<typeof viewSchema>;

/** `POST /views`. Absent properties are those of the table: no filter, its own order and columns. */
export const createViewSchema = viewDocumentSchema
  .partial({
    shared: true,
    filter: true,
    sort: true,
    columns: true,
    group: true,
    appearance: true,
  })
  .extend({ table: nameSchema });
export type CreateViewCall = z.infer<typeof createViewSchema>;

/**
 * `PATCH /views/:id`: absent properties do not change. `base` contains what the author saw of the changed
 * ones: if something else is stored the answer is `conflict`, and nothing is changed.
 */
export const patchViewSchema = viewDocumentSchema
  .partial()
  .extend({ base: viewDocumentSchema.partial().optional() });
export type PatchViewCall = z.infer<typeof patchViewSchema>;
