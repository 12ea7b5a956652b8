import type { Model } from "../../../../shared/model/model.ts";
import type { ModelProblem } from "../../../../shared/model/model-problem.ts";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import type {
  ModelDocument,
  ModelPlan,
  ModelVersion,
} from "../../../../shared/protocol/model-plan.ts";
import { rest } from "../../transport/rest.ts";

/** The published model, whole. Needs the right `model`. */
export function currentModel(): Promise<ModelDocument> {
  return rest("GET /model/versions/{version}", { params: { version: "current" } });
}

/** One version of the model, whole. */
export function modelVersion(version: number): Promise<ModelDocument> {
  return rest("GET /model/versions/{version}", { params: { version } });
}

/** All versions that the model has had, newest first. */
export async function listModelVersions(): Promise<ModelVersion[]> {
  return (await rest("GET /model/versions")).items;
}

/** What publishing a model would do, without doing it. */
export function planModel(body: Model): Promise<ModelPlan> {
  return rest("PUT /model", { query: { dryRun: "1" }, body });
}

/**
 * Publishes a model. Throws `model_conflict` where it is based on another version than the published one,
 * `validation_failed` with `problems` or a `rule` where it can't be.
 */
export function saveModel(body: Model, confirmLoss: boolean): Promise<ModelPlan> {
  return rest("PUT /model", { query: confirmLoss ? { confirm: "lossy" } : {}, body });
}

/** The places of a refused model and what is wrong there; none where it was refused for something else. */
export function problemsOf(error: unknown): ModelProblem[] {
  const found = error instanceof Refusal ? error.detail.problems : undefined;
  return Array.isArray(found) ? (found as ModelProblem[]) : [];
}
