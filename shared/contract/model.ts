import { z } from "zod";
import { modelSchema, visibleModelSchema } from "../model/model-schema.ts";
import {
  modelDocumentSchema,
  modelPlanSchema,
  modelVersionSchema,
} from "../protocol/model-plan.ts";
import { wholeParam } from "./query-params.ts";
import { defineRoutes, listOf } from "./route.ts";

/** The model as one document: projected to what the caller may read, complete for users who may change it. */
export const modelRoutes = defineRoutes({
  "GET /model": {
    tokens: true,
    summary: "The model as one document.",
    right: "session",
    answer: visibleModelSchema,
  },
  "PUT /model": {
    tokens: true,
    summary:
      "Publish another model, based on the version that it names; `dryRun=1` answers the plan only, `confirm=lossy` lets it lose what the plan says.",
    right: "model",
    query: z.strictObject({
      dryRun: z.enum(["1", "true"]).optional().describe("Returns the plan and changes nothing."),
      confirm: z
        .enum(["lossy"])
        .optional()
        .describe("Accepts the loss of data that the plan names."),
    }),
    body: modelSchema,
    answer: modelPlanSchema,
    errors: ["model_conflict", "validation_failed"],
  },
  "GET /model/versions": {
    tokens: true,
    summary: "The versions that the model has had, newest first.",
    right: "model",
    answer: listOf(modelVersionSchema),
  },
  "GET /model/versions/{version}": {
    tokens: true,
    summary: "One version of the model, whole; `current` is the published one.",
    right: "model",
    params: z.object({
      version: z
        .union([z.literal("current"), wholeParam])
        .describe("The number of the version, or `current`."),
    }),
    answer: modelDocumentSchema,
  },
});
