import { z } from "zod";
import { MOVED_MAX_RECORDS, viewDocumentSchema } from "../model/view/view.ts";
import { nameSchema, recordIdSchema } from "./record.ts";
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
    /** Grows whenever records of the view are moved by hand; absent while none ever was. */
    orderVersion: z.int().exactOptional(),
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
  .extend({
    table: nameSchema,
    /** A view of the same table: the new one begins with its order by hand. */
    orderOf: z.string().max(64).exactOptional(),
  });
export type CreateViewCall = z.infer<typeof createViewSchema>;

/**
 * `PATCH /views/:id`: absent properties do not change. `base` contains what the author saw of the changed
 * ones: if something else is stored the answer is `conflict`, and nothing is changed.
 */
const patchViewSchema = viewDocumentSchema
  .partial()
  .extend({ base: viewDocumentSchema.partial().optional() });
export type PatchViewCall = z.infer<typeof patchViewSchema>;

const MOVES_MAX = 200;

/** Records, and the one that they come right behind, in this order; null: before all others. */
const moveSchema = z.strictObject({
  records: z.array(recordIdSchema).min(1).max(MOVED_MAX_RECORDS),
  after: recordIdSchema.nullable(),
});
export type Move = z.infer<typeof moveSchema>;

const moveRecordsSchema = z
  .strictObject({ moves: z.array(moveSchema).min(1).max(MOVES_MAX) })
  .meta({ examples: [{ moves: [{ records: ["0193f0a1", "0193f0a7"], after: "0193f09c" }] }] });
export type MoveRecordsCall = z.infer<typeof moveRecordsSchema>;

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
  "POST /views/{id}/order": {
    tokens: true,
    summary:
      "Move records by hand, one move after the other. The order is that of the view, for everybody who uses it; records that were never moved are in the order of entry.",
    right: "session",
    params: byId,
    body: moveRecordsSchema,
    answer: viewSchema,
    errors: ["not_found", "too_large", "query_timeout"],
  },
  "DELETE /views/{id}/order": {
    tokens: true,
    summary: "Put all records of a view back into the order of entry.",
    right: "session",
    params: byId,
    answer: viewSchema,
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
