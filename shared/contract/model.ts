import { z } from "zod";
import { modelSchema, visibleModelSchema } from "../model/model-schema.ts";
import {
  modelDocumentSchema,
  modelPlanSchema,
  modelVersionSchema,
} from "../protocol/model-plan.ts";
import { wholeParam } from "./query-params.ts";
import { defineRoutes, listOf } from "./route.ts";

/** The model as one document: as far as one may read it, whole for those who may change it. */
export const modelRoutes = defineRoutes({
  "GET /model": {
    summary: "The model as one document.",
    right: "session",
    answer: visibleModelSchema,
  },
  "PUT /model": {
    summary:
      "Put another model in force, based on the version that it names; `dryRun=1` answers the plan only, `confirm=lossy` lets it lose what the plan says.",
    right: "model",
    query: z.strictObject({
      dryRun: z.enum(["1", "true"]).optional(),
      confirm: z.enum(["lossy"]).optional(),
    }),
    body: modelSchema,
    answer: modelPlanSchema,
    errors: ["model_conflict", "validation_failed"],
  },
  "GET /model/versions": {
    summary: "The versions that the model has had, newest first.",
    right: "model",
    answer: listOf(modelVersionSchema),
  },
  "GET /model/versions/{version}": {
    summary: "One version of the model, whole; `current` is the one in force.",
    right: "model",
    params: z.object({ version: z.union([z.literal("current"), wholeParam]) }),
    answer: modelDocumentSchema,
  },
});
