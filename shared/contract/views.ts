import { z } from "zod";
import { nameSchema } from "../protocol/record.ts";
import { createViewSchema, patchViewSchema, viewSchema } from "../protocol/views.ts";
import { byId, defineRoutes, listOf } from "./route.ts";

/** Views: users who work in the table have their own, the right `sharedViews` manages shared ones. */
export const viewRoutes = defineRoutes({
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
});
