import { z } from "zod";
import { wordingShape } from "../filter/wording.ts";
import { modelSchema, visibleModelSchema } from "../model/model-schema.ts";
import type { PlanStep } from "../model/plan-step.ts";
import { wholeParam } from "./query-params.ts";
import { defineRoutes, listOf } from "./route.ts";
import { exampleNames } from "./session.ts";

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
  "changeZone",
] as const satisfies PlanStep["kind"][];

/** What can use a part of the model, in the order of lists. */
export const useKinds = [
  "field",
  "rule",
  "transition",
  "view",
  "tile",
  "display",
  "role",
  "webhook",
  "token",
  "watch",
] as const;
export type UseKind = (typeof useKinds)[number];

/**
 * One use of a table, field, option, role or view. What its reader may not see has no id and no name. A computed or linking field and a
 * transition have their technical name as id; a tile has the id of its wallboard, a display and a token their own, a watch that of its user.
 */
const useSchema = z
  .object({
    kind: z.enum(useKinds),
    id: z.string().nullable(),
    name: z.string().nullable(),
    /** What it is part of: the wallboard of a tile or display, the role of a token, the table of a linking field. */
    within: z.string().nullable(),
    /** The options of the field that it names. */
    options: z.array(z.string()),
  })
  .meta({ id: "Use" });
export type Use = z.infer<typeof useSchema>;

/** `GET /model/uses/counts`: how many uses `GET /model/uses` answers for a field. */
const useCountSchema = z.object({ field: z.string(), count: z.int() }).meta({ id: "UseCount" });
export type UseCount = z.infer<typeof useCountSchema>;

const namePart = z.string().min(1).max(500);
/** A table, a field of it, an option (or state) of that; or a role; or a view. */
const usesQuerySchema = z
  .strictObject({
    table: namePart.optional().describe("The technical name of a table."),
    field: namePart.optional().describe("The technical name of a field of `table`."),
    option: namePart.optional().describe("An option of `field`, also a state."),
    role: namePart.optional().describe("The id of a role, instead of a table."),
    view: namePart.optional().describe("The id of a view, instead of a table."),
  })
  .refine(({ table, role, view }) => [table, role, view].filter(Boolean).length === 1, {
    error: "name a table, a role or a view",
  })
  .refine(({ table, field }) => field === undefined || table !== undefined, {
    error: "a field needs its table",
  })
  .refine(({ field, option }) => option === undefined || field !== undefined, {
    error: "an option needs its field",
  });
export type UsesQuery = z.infer<typeof usesQuerySchema>;

/** A step of a plan as a user decides on it. */
const plannedStepSchema = z.object({
  kind: z.enum(kinds),
  /** Empty for a step that concerns the whole model. */
  table: z.string(),
  field: z.string().exactOptional(),
  ...sentenceShape,
  sql: z.array(z.string()),
  /** What would be lost, and in how many records. */
  loses: costSchema.exactOptional(),
  /** Why the stored records prevent it. */
  blocked: costSchema.exactOptional(),
  /** With `dryRun`: what uses the table, field or options that the step removes, or the field that it retypes. */
  usedBy: z.array(useSchema).exactOptional(),
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
  "POST /model/example": {
    summary:
      "Publish the tables of an example where there is none yet, with their sample records, views and wallboards.",
    right: "model",
    body: z.strictObject({ example: z.enum(exampleNames) }),
    answer: modelPlanSchema,
    errors: ["model_conflict", "validation_failed"],
  },
  "GET /model/uses": {
    tokens: true,
    summary:
      "What uses a table, field, option, role or view: views, tiles, displays, roles, webhooks, tokens, watches, and other parts of the model.",
    right: ["model", "roles"],
    query: usesQuerySchema,
    answer: listOf(useSchema),
    errors: ["not_found"],
  },
  "GET /model/uses/counts": {
    tokens: true,
    summary: "How many uses each field of a table has, by its technical name.",
    right: ["model", "roles"],
    query: z.strictObject({ table: namePart.describe("The technical name of a table.") }),
    answer: listOf(useCountSchema),
    errors: ["not_found"],
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
