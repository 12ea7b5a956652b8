import { z } from "zod";
import { wordingShape } from "../filter/wording.ts";
import { modelSchema, visibleModelSchema } from "../model/model-schema.ts";
import type { PlanStep } from "../model/plan-step.ts";
import { wholeParam } from "./query-params.ts";
import { defineRoutes, listOf } from "./route.ts";

/** A sentence in English, with its key and its values. */
const sentenceShape = { sentence: z.string(), ...wordingShape };

/** What a step would lose, or what blocks it, in how many records. */
const costSchema = z.object({ rows: z.int(), ...sentenceShape });

const kinds = [
  "addTable",
  "removeTable",
  "renameTable",
  "addField",
  "removeField",
  "renameField",
  "retypeField",
  "recomputeField",
  "constrainField",
  "replaceOptions",
  "describeField",
  "orderFields",
  "orderTables",
  "describeTable",
] as const satisfies PlanStep["kind"][];

/** A step of a plan as a user decides on it. */
const plannedStepSchema = z.object({
  kind: z.enum(kinds),
  table: z.string(),
  field: z.string().exactOptional(),
  ...sentenceShape,
  sql: z.array(z.string()),
  /** What would be lost, and in how many records. */
  loses: costSchema.exactOptional(),
  /** Why the stored records prevent it. */
  blocked: costSchema.exactOptional(),
});
export type PlannedStep = z.infer<typeof plannedStepSchema>;

/** `PUT /model`: what publishing a model does or, with `dryRun`, would do, and what it would cost. */
const modelPlanSchema = z.object({
  version: z.int(),
  steps: z.array(plannedStepSchema),
  lossy: z.boolean(),
  blocked: z.boolean(),
});
export type ModelPlan = z.infer<typeof modelPlanSchema>;

/** `GET /model/versions`: who published a version, as the log names them (`user:<id>`, `system:setup`), and when. */
const modelVersionSchema = z.object({ version: z.int(), by: z.string(), at: z.string() });
export type ModelVersion = z.infer<typeof modelVersionSchema>;

/** `GET /model/versions/{version}`: the complete document, not projected to a role. */
const modelDocumentSchema = modelVersionSchema.extend({ document: modelSchema });
export type ModelDocument = z.infer<typeof modelDocumentSchema>;

/** The model as one document: projected to what the caller may read, complete for users who may change it. */
export const modelRoutes = defineRoutes(() => ({
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
    // 500 tables of 200 fields, with options and labels.
    bodyMaxBytes: 16_777_216,
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
}));
