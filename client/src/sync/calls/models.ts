import type { Model } from "../../../../shared/model/model.ts";
import type { ModelProblem } from "../../../../shared/model/model-problem.ts";
import type { PlanStep } from "../../../../shared/model/plan-step.ts";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import { rest } from "../../transport/rest.ts";

/** One version of the model: who put it in force, and when (ISO 8601). */
export interface ModelVersion {
  version: number;
  /** The author as the log names them: `user:<id>`, `system:setup`. */
  by: string;
  at: string;
}

/** A version with its whole document: what may be seen of it is not cut to a role. */
export interface ModelDocument extends ModelVersion {
  document: Model;
}

/** What a step would lose, or what stands in its way, in how many records. */
interface StepCost {
  rows: number;
  sentence: string;
}

export interface PlannedStep {
  kind: PlanStep["kind"];
  table: string;
  field?: string;
  sentence: string;
  sql: string[];
  loses?: StepCost;
  blocked?: StepCost;
}

export interface ModelPlan {
  version: number;
  steps: PlannedStep[];
  lossy: boolean;
  blocked: boolean;
}

/** The model in force, whole. Needs the right `model`. */
export function currentModel(): Promise<ModelDocument> {
  return rest<ModelDocument>("GET", "/model/versions/current");
}

/** One version of the model, whole. */
export function modelVersion(version: number): Promise<ModelDocument> {
  return rest<ModelDocument>("GET", `/model/versions/${version}`);
}

/** All versions that the model has had, newest first. */
export async function listModelVersions(): Promise<ModelVersion[]> {
  return (await rest<{ items: ModelVersion[] }>("GET", "/model/versions")).items;
}

/** What putting a model in force would do, without doing it. */
export function planModel(model: Model): Promise<ModelPlan> {
  return rest<ModelPlan>("PUT", "/model?dryRun=1", model);
}

/**
 * Puts a model in force. Throws `model_conflict` where it is based on another version than the one in
 * force, `validation_failed` with `problems` or a `rule` where it can't be.
 */
export function saveModel(model: Model, confirmLoss: boolean): Promise<ModelPlan> {
  return rest<ModelPlan>("PUT", `/model${confirmLoss ? "?confirm=lossy" : ""}`, model);
}

/** The places of a refused model and what is wrong there; none where it was refused for something else. */
export function problemsOf(error: unknown): ModelProblem[] {
  const found = error instanceof Refusal ? error.detail.problems : undefined;
  return Array.isArray(found) ? (found as ModelProblem[]) : [];
}
