import { z } from "zod";
import { viewDocumentSchema } from "../model/view/view.ts";
import { nameSchema } from "./record.ts";
import { byId, defineRoutes, listOf } from "./route.ts";

const whoSchema = z.object({ id: z.string(), name: z.string() });

/** A view, as far as its reader may see the table: hidden columns are left out. */
const viewSchema = viewDocumentSchema
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
const createViewSchema = viewDocumentSchema
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
const patchViewSchema = viewDocumentSchema
  .partial()
  .extend({ base: viewDocumentSchema.partial().optional() });
export type PatchViewCall = z.infer<typeof patchViewSchema>;

/** Views: users who work in the table have their own, the right `sharedViews` manages shared ones. */
export const viewRoutes = defineRoutes(() => ({
  "GET /views": {
    tokens: true,
    summary: "The shared views and one's own, of one table or of all.",
    right: "session",
    query: z.strictObject({ table: nameSchema.optional().describe("Only views of this table.") }),
    answer: listOf(viewSchema),
  },
  "POST /views": {
    tokens: true,
    summary: "Keep a view. What is absent is as the table has it.",
    right: "session",
    body: createViewSchema,
    answer: viewSchema,
    status: 201,
    errors: ["not_found", "duplicate"],
  },
  "GET /views/{id}": {
    tokens: true,
    summary: "One view.",
    right: "session",
    params: byId,
    answer: viewSchema,
  },
  "PATCH /views/{id}": {
    tokens: true,
    summary:
      "Change a view; what is absent stays. `base` is what the author saw: with it nobody's change is overwritten.",
    right: "session",
    params: byId,
    body: patchViewSchema,
    answer: viewSchema,
    errors: ["conflict", "duplicate"],
  },
  "DELETE /views/{id}": { tokens: true, summary: "Remove a view.", right: "session", params: byId },
  "POST /views/{id}/restore": {
    tokens: true,
    summary: "Bring a view back that was removed in the last 30 days.",
    right: "session",
    params: byId,
    answer: viewSchema,
    errors: ["duplicate", "too_large"],
  },
}));
