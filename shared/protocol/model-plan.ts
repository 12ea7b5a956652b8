import { z } from "zod";
import { wordingShape } from "../filter/wording.ts";
import { modelSchema } from "../model/model-schema.ts";
import type { PlanStep } from "../model/plan-step.ts";

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
export const modelPlanSchema = z.object({
  version: z.int(),
  steps: z.array(plannedStepSchema),
  lossy: z.boolean(),
  blocked: z.boolean(),
});
export type ModelPlan = z.infer<typeof modelPlanSchema>;

/** `GET /model/versions`: who published a version, as the log names them (`user:<id>`, `system:setup`), and when. */
export const modelVersionSchema = z.object({ version: z.int(), by: z.string(), at: z.string() });
export type ModelVersion = z.infer<typeof modelVersionSchema>;

/** `GET /model/versions/{version}`: the complete document, not projected to a role. */
export const modelDocumentSchema = modelVersionSchema.extend({ document: modelSchema });
export type ModelDocument = z.infer<typeof modelDocumentSchema>;
